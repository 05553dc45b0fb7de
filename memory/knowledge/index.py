"""Reading a document and indexing its passages: words at once, vectors batch by batch.

Safe to run twice, and to be killed anywhere: what is left to do is seen in the rows. A file that
brings its reader down is not tried for ever.
"""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import ActorKind, AuditCode
from accounts.principal import Principal
from memory.choices.documents import DocumentFault, DocumentFormat, DocumentState
from memory.index.store import TERM_KEY
from memory.index.terms import digests, terms
from memory.knowledge import opening
from memory.knowledge.blocks import Reading
from memory.knowledge.documents import drop_passages
from memory.knowledge.faults import Unreadable
from memory.knowledge.passages import Cut, passages
from memory.knowledge.reading import read
from memory.models import Document, Passage, PassageTerm, PassageVector
from memory.policy import KNOWLEDGE
from memory.providers.embedding import get_embedder
from memory.text.normalise import language
from memory.vault import TenantVault, open_tenant_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """The newest file of a document, opened, as it was when its reading began."""

    digest: int
    format: DocumentFormat
    content: bytes
    title: str


def index(tenant_id: uuid.UUID, document_id: uuid.UUID) -> bool:
    """Do the next piece of what a document waits for; return whether it waits for more.

    Raises:
        EmbedderUnavailable: if the embedder does not answer; words find the document already.
    """
    service = Principal(
        kind=ActorKind.SYSTEM, tenant_id=tenant_id, actor_id=None, label="knowledge"
    )
    file = _newest(service, document_id)
    if file is not None:
        _read(service, document_id, file)
    return embed(service, document_id)


# --- reading -------------------------------------------------------------------------------------


def _newest(service: Principal, document_id: uuid.UUID) -> _File | None:
    """Open the file that waits to be read, and count the attempt before it is made."""
    with acting(service):
        row = _row(service, document_id)
        if row is None or not row.original:
            return None
        Document.objects.filter(id=row.id).update(tries=F("tries") + 1)
        if row.tries >= KNOWLEDGE.max_tries:
            _fail(service, row, DocumentFault.BROKEN)
            return None
        vault = open_tenant_vault(service)
        return _File(
            digest=row.digest,
            format=DocumentFormat(row.format),
            content=vault.unseal_bytes(opening.place(row.id, opening.ORIGINAL), row.original),
            title=opening.open_document(vault, row).title,
        )


def _row(service: Principal, document_id: uuid.UUID) -> Document | None:
    rows = Document.objects.select_for_update()
    return rows.filter(tenant_id=service.tenant_id, id=document_id).first()


def _read(service: Principal, document_id: uuid.UUID, file: _File) -> None:
    """Read a file and put its passages in the place of those before, unless a newer file came."""
    try:
        reading = read(file.content, file.format)
        cuts = passages(reading)
    except Unreadable as error:
        with acting(service):
            row = _row(service, document_id)
            if row is not None and row.digest == file.digest:
                _fail(service, row, error.fault)
        return
    with acting(service):
        row = _row(service, document_id)
        if row is not None and row.digest == file.digest:
            _replace(service, row, file, reading, cuts)


def _fail(service: Principal, row: Document, fault: DocumentFault) -> None:
    row.state, row.fault, row.original = DocumentState.FAILED, fault, b""
    row.save(update_fields=["state", "fault", "original"])
    _note(service, row, reason=fault)


def _replace(
    service: Principal, row: Document, file: _File, reading: Reading, cuts: Sequence[Cut]
) -> None:
    vault = open_tenant_vault(service)
    source = vault.unseal(opening.place(row.id, opening.SOURCE), row.source)
    title = file.title or reading.title[: KNOWLEDGE.title] or source.rpartition("/")[2] or source
    fill(service, row, title=title, text=reading.text, cuts=cuts)


def fill(service: Principal, row: Document, *, title: str, text: str, cuts: Sequence[Cut]) -> None:
    """Put a text and its passages in the place of those before, inside ``acting``; vectors follow later."""
    vault = open_tenant_vault(service)
    drop_passages(row)
    _add(vault, row, text, cuts, title)
    row.title = vault.seal(opening.place(row.id, opening.TITLE), title)
    row.state, row.fault, row.original = DocumentState.INDEXING, "", b""
    row.revision += 1
    row.tries = 0
    row.language = language(text[: KNOWLEDGE.text_slice])
    row.characters, row.passage_count = len(text), len(cuts)
    row.indexed_at = timezone.now()
    row.save()
    _note(service, row, count=len(cuts))


def _note(service: Principal, row: Document, *, reason: str = "", count: int | None = None) -> None:
    audit.record(
        service,
        AuditCode.DOCUMENT_INDEXED,
        object_kind="document",
        object_id=row.id,
        decision=row.state,
        reason=reason,
        version_after=row.revision,
        result_count=count,
    )


def _add(vault: TenantVault, row: Document, text: str, cuts: Sequence[Cut], title: str) -> None:
    key = vault.derived(TERM_KEY)
    rows: list[Passage] = []
    counted: list[dict[int, int]] = []
    for position, cut in enumerate(cuts):
        passage_id, words = uuid.uuid4(), text[cut.start : cut.end]
        found = digests(terms(headed(title, cut.section, words)), key)
        section = json.dumps(cut.section, ensure_ascii=False)
        rows.append(
            Passage(
                id=passage_id,
                tenant_id=row.tenant_id,
                document=row,
                position=position,
                start=cut.start,
                end=cut.end,
                page=cut.page,
                section=vault.seal(opening.passage_place(row.id, passage_id, "section"), section),
                text=vault.seal(opening.passage_place(row.id, passage_id, "text"), words),
                term_count=sum(found.values()),
            )
        )
        counted.append(found)
    Passage.objects.bulk_create(rows, batch_size=KNOWLEDGE.rows)
    _add_terms(rows, counted)


def _add_terms(rows: Sequence[Passage], counted: Sequence[Mapping[int, int]]) -> None:
    PassageTerm.objects.bulk_create(
        (
            PassageTerm(
                tenant_id=passage.tenant_id,
                passage=passage,
                digest=digest,
                frequency=min(frequency, 32_767),
            )
            for passage, found in zip(rows, counted, strict=True)
            for digest, frequency in found.items()
        ),
        batch_size=KNOWLEDGE.rows,
    )


def rebuild_terms(service: Principal, document_id: uuid.UUID) -> int:
    """Index a document's passages by their terms, where none is left; return how many passages.

    Every one is opened on the way. Raises VaultError if one does not open.
    """
    with acting(service):
        rows = list(
            Passage.objects.filter(tenant_id=service.tenant_id, document_id=document_id).order_by(
                "position"
            )
        )
        key = open_tenant_vault(service).derived(TERM_KEY)
        texts = _texts(service, document_id, rows)
        _add_terms(rows, [digests(terms(text), key) for text in texts])
    return len(rows)


def headed(title: str, section: Sequence[str], text: str) -> str:
    """Return what is indexed of a passage: its words, below what tells where they stand."""
    above = [name for name in (title, *section) if name and name not in text]
    return "\n".join((*above, text.strip()))


# --- vectors -------------------------------------------------------------------------------------


def embed(service: Principal, document_id: uuid.UUID) -> bool:
    """Embed the next passages without a vector of today's embedder; return whether more wait."""
    embedder = get_embedder()
    waiting = Passage.objects.filter(
        ~Exists(PassageVector.objects.filter(passage=OuterRef("pk"), model=embedder.id)),
        tenant_id=service.tenant_id,
        document_id=document_id,
    ).order_by("position")
    with acting(service):
        rows = list(waiting[: KNOWLEDGE.batch])
        texts = _texts(service, document_id, rows) if rows else []
    vectors = list(embedder.passage(texts)) if texts else []
    with acting(service):
        row = _row(service, document_id)
        if row is None:
            return False
        # A newer file may have taken their place meanwhile.
        left = set(
            Passage.objects.filter(id__in=[one.id for one in rows]).values_list("id", flat=True)
        )
        PassageVector.objects.bulk_create(
            (
                PassageVector(
                    tenant_id=row.tenant_id, passage=one, model=embedder.id, embedding=vector
                )
                for one, vector in zip(rows, vectors, strict=True)
                if one.id in left
            ),
            ignore_conflicts=True,
        )
        if waiting.exists():
            return True
        if row.state == DocumentState.INDEXING:
            Document.objects.filter(id=row.id).update(state=DocumentState.READY)
    return False


def _texts(service: Principal, document_id: uuid.UUID, rows: Sequence[Passage]) -> list[str]:
    vault = open_tenant_vault(service)
    row = Document.objects.defer("original").get(id=document_id)
    title = opening.open_document(vault, row).title
    return [
        headed(title, opening.open_section(vault, one), opening.open_text(vault, one))
        for one in rows
    ]
