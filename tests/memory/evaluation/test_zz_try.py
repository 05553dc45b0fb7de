import json, os, sys, time
import pytest
from pathlib import Path
D=Path('/work/shared/data')
@pytest.mark.django_db(transaction=True)
def test_it():
    what=os.environ['WHAT'].split(',')
    from memory.evaluation import gate,pii,dedupe
    from memory.evaluation.scenarios import runner
    out={}
    t=time.time()
    if 'gate' in what:
        for f in sorted((D/'gate').glob('*.jsonl')): r=gate.evaluate(f,progress=False); print(f.stem, r['overall'], r['reasons'], json.dumps(r['kinds'],ensure_ascii=False))
    if 'pii' in what:
        for f in sorted((D/'pii').glob('*.jsonl')): r=pii.evaluate(f,progress=False); print(f.stem, json.dumps(r,ensure_ascii=False))
    if 'dedupe' in what:
        from tests.data.handmade_sets import PAIRS
        p=Path('/tmp/pairs.jsonl'); p.write_text('\n'.join(json.dumps({'kind':k,'a':a,'b':b},ensure_ascii=False) for k,a,b in PAIRS))
        print(json.dumps(dedupe.evaluate(p,progress=False)))
    if 'scenarios' in what:
        r=runner.evaluate(D/'scenarios.jsonl',only=os.environ.get('ONLY'),progress=False)
        print(r['overall'], r['passed'])
        for x in r['failed']: print('FAIL',x['id'],x['check'],x['got'])
        for x in r['skipped']: print('SKIP',x)
        for x in r['notes']: print('NOTE',x)
    print('seconds',time.time()-t)
