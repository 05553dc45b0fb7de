"""Where development data lies: ours here, others' beside a checkout; without that, tests skip."""

from pathlib import Path

CONVERSATIONS = Path(__file__).parents[2] / "../shared/data/retrieval/memorybank_zh.jsonl"
# Written for this project: half say the same twice, half differ in a number, a name, a tool, a date …
PAIRS = Path(__file__).parent / "dedupe_pairs.jsonl"
