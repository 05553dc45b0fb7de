"""A document in which the door of today finds a secret is sealed anew without it, under a key of its own."""

import uuid
from collections.abc import Iterator

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import queue
from memory.choices import JobKind
from memory.knowledge import opening
from memory.knowledge.index import fill
from memory.knowledge.passages import Cut
from memory.models import Document, DocumentKey, Passage
from memory.policy import WORK
from memory.vault import open_tenant_vault
from memory.write.redact import without_secrets

DOCUMENTS = "redacted_documents"


def scan_documents(service: Principal, after: str) -> Iterator[tuple[str, str | None]]:
    """Pass the tenant's documents after the place ``after`` ("" for all); yield each place and what was done."""
    while ids := _next(service, after):
        for one in ids:
            with acting(service):
                done = _scan(service, one)
            after = str(one)
            yield after, done


def _next(service: Principal, after: str) -> list[uuid.UUID]:
    with acting(service):
        rows = Document.objects.filter(tenant_id=service.tenant_id)
        if after:
            rows = rows.filter(id__gt=after)
        return list(rows.order_by("id").values_list("id", flat=True)[: WORK.batch])


def _scan(service: Principal, document_id: uuid.UUID) -> str | None:
    """Store what is left of a document, if it holds a secret. A file that waits meets today's door anyway."""
    rows = Document.objects.select_for_update().filter(tenant_id=service.tenant_id)
    row = rows.filter(id=document_id).first()
    vault = open_tenant_vault(service)
    if row is None or row.original or not vault.holds(row.id):
        return None
    mine = Passage.objects.filter(tenant_id=row.tenant_id, document_id=row.id).order_by("position")
    found = list(mine)
    said = [opening.open_text(vault, one) for one in found]
    above = [opening.open_section(vault, one) for one in found]
    names = opening.open_document(vault, row)
    texts = [without_secrets(text) for text in said]
    sections = [tuple(map(without_secrets, one)) for one in above]
    title = without_secrets(names.title)
    if (texts, sections, title) == (said, above, names.title):
        return None
    # With the key goes whatever a backup may hold of the words as they were.
    DocumentKey.objects.filter(tenant_id=row.tenant_id, document_id=row.id).delete()
    place = opening.place(row.id, opening.SOURCE)
    row.source = open_tenant_vault(service).seal(place, names.source)
    cuts = _cuts(texts, sections, [one.page for one in found])
    fill(service, row, title=title, text="".join(texts), cuts=cuts)
    _index(row)
    audit.record(
        service,
        AuditCode.RESCANNED,
        object_kind="document",
        object_id=row.id,
        fields=["text"],
        reason=DOCUMENTS,
    )
    return DOCUMENTS


def _cuts(texts: list[str], sections: list[tuple[str, ...]], pages: list[int | None]) -> list[Cut]:
    """Return the passages as they tile what is left of the text."""
    cuts, at = [], 0
    for text, section, page in zip(texts, sections, pages, strict=True):
        cuts.append(Cut(start=at, end=at + len(text), section=section, page=page))
        at += len(text)
    return cuts


def _index(row: Document) -> None:
    queue.add_job(
        kind=JobKind.INDEX,
        tenant_id=row.tenant_id,
        subject_id=None,
        target_id=row.id,
        agent_id=None,
    )
