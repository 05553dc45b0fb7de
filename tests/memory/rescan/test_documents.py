"""A document that an older door let in passes the door of today."""

import pytest

from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.models import AuditEvent
from memory import jobs
from memory.choices import JobKind
from memory.choices.documents import DocumentState
from memory.knowledge import blocks, documents
from memory.models import Document, DocumentKey, Job
from memory.rescan.begin import rescan_tenant
from tests.cast import Cast
from tests.memory.knowledge.shelf import look, pipeline, put
from tests.memory.rescan.test_rescan import SECRET, older_door

HANDBOOK = f"""# Office 办公室

The wifi in the study needs the password {SECRET} since May.

## 打印机 Printer

打印机在三楼，出纸口在左边。The printer is on the third floor.
"""


def test_a_document_is_sealed_anew_without_its_secret(cast: Cast) -> None:
    with older_door(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "without_secrets", lambda text: text)
        document = put(cast.acme, "hr/office.md", HANDBOOK)
        other = put(cast.acme, "hr/plain.md", "# Tea 茶\n\nThere is tea on every floor.\n")
    with acting(pipeline(cast.acme)):
        key = bytes(DocumentKey.objects.get(document_id=document).wrapped)
    assert SECRET in look(cast.acme, "the wifi password of the study").passages[0].text
    *_, job = rescan_tenant(cast.acme.id)
    assert jobs.finished(job).counts == {"redacted_documents": 1}
    while waiting := Job.objects.filter(kind=JobKind.INDEX, state="pending").first():
        jobs.run_job(waiting.id)
    found = look(cast.acme, "the wifi password of the study").passages[0]
    assert "[PASSWORD]" in found.text and SECRET not in found.text
    printer = look(cast.acme, "打印机在几楼").passages[0]
    kept = documents.text_of(pipeline(cast.acme), document, start=0, end=None).text
    assert kept == HANDBOOK.replace(SECRET, "[PASSWORD]")
    assert kept[printer.start : printer.end] == printer.text and "打印机 Printer" in printer.section
    with acting(pipeline(cast.acme)):
        row = Document.objects.get(id=document)
        assert (row.state, row.revision) == (DocumentState.READY, 2)
        assert bytes(DocumentKey.objects.get(document_id=document).wrapped) != key
        assert Document.objects.get(id=other).revision == 1
        line = AuditEvent.objects.get(code=AuditCode.RESCANNED)
    assert (str(line.object_id), line.reason) == (str(document), "redacted_documents")
    *_, again = rescan_tenant(cast.acme.id)
    assert jobs.finished(again).counts == {}
