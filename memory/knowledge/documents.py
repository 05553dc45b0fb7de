"""Documents: taken in, replaced when their file changed, listed, opened, deleted whole."""

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import queue
from memory.choices import JobKind
from memory.choices.documents import DocumentState
from memory.errors import NotFound
from memory.knowledge import opening
from memory.knowledge.opening import OpenedDocument, open_document, open_text
from memory.knowledge.rights import require_reader, require_writer
from memory.knowledge.upload import Upload, check
from memory.models import (
    Document,
    DocumentKey,
    Job,
    Passage,
    PassageTerm,
    PassageVector,
)
from memory.policy import KNOWLEDGE
from memory.quotas import require_room
from memory.recall.pages import page
from memory.vault import TenantVault, open_tenant_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What became of a file: the document, whether it is new or changed, and the job that reads it."""

    document: Document
    is_new: bool
    job: Job | None


def store(principal: Principal, upload: Upload) -> Stored:
    """Take a file in and schedule its reading; the same file under the same name changes nothing.

    A changed file replaces the one before as soon as it is read; until then that one is found.

    Raises:
        Forbidden: for anybody but a pipeline or an operator.
        QuotaExceeded: for a new document, if the tenant has as many as it may.
        InvalidInput, TooLarge, BelongsInMemory: says what is wrong with the file.
    """
    require_writer(principal)
    check(upload)
    with acting(principal):
        vault = open_tenant_vault(principal)
        digest = _digest(vault, upload)
        row, is_new = _row(principal, vault, upload, digest)
        if not is_new and row.digest == digest and row.state != DocumentState.FAILED:
            return Stored(document=row, is_new=False, job=None)
        _take(principal, vault, row, upload, digest)
        job = queue.add_job(
            kind=JobKind.INDEX,
            tenant_id=principal.tenant_id,
            subject_id=None,
            target_id=row.id,
            agent_id=None,
        )
        audit.record(
            principal,
            AuditCode.DOCUMENT_STORED,
            object_kind="document",
            object_id=row.id,
            version_before=row.revision,
        )
    return Stored(document=row, is_new=is_new, job=job)


def _digest(vault: TenantVault, upload: Upload) -> int:
    content = hashlib.sha256(upload.content).hexdigest()
    return vault.digest("document content", f"{upload.format} {content} {upload.title}")


def _row(
    principal: Principal, vault: TenantVault, upload: Upload, digest: int
) -> tuple[Document, bool]:
    """Return the document of this source, locked, and whether it was made now."""
    name = vault.digest("document source", upload.source)
    rows = Document.objects.select_for_update().filter(
        tenant_id=principal.tenant_id, source_digest=name
    )
    if (found := rows.first()) is not None:
        return found, False
    require_room(principal)
    document_id = uuid.uuid4()
    try:
        with transaction.atomic():
            made = Document.objects.create(
                id=document_id,
                tenant_id=principal.tenant_id,
                source=vault.seal(opening.place(document_id, opening.SOURCE), upload.source),
                source_digest=name,
                digest=digest,
                format=upload.format,
                size=len(upload.content),
                sender_kind=principal.kind,
                sender_id=principal.actor_id,
            )
    except IntegrityError:  # another request made it first
        return rows.get(), False
    return made, True


def _take(
    principal: Principal, vault: TenantVault, row: Document, upload: Upload, digest: int
) -> None:
    """Put the file into its document's row."""
    row.original = vault.seal_bytes(opening.place(row.id, opening.ORIGINAL), upload.content)
    row.title = vault.seal(opening.place(row.id, opening.TITLE), upload.title)
    row.digest, row.format, row.size = digest, upload.format, len(upload.content)
    row.state, row.fault, row.tries = DocumentState.PENDING, "", 0
    row.sender_kind, row.sender_id = principal.kind, principal.actor_id
    row.updated_at = timezone.now()
    row.save()


def delete(principal: Principal, document_id: uuid.UUID) -> None:
    """Delete a document whole: key, file, passages and index rows, in one transaction.

    Raises:
        Forbidden: for anybody but a pipeline or an operator.
        NotFound: if the tenant has no such document.
    """
    require_writer(principal)
    with acting(principal):
        row = _find(principal, document_id, lock=True)
        drop_passages(row)
        DocumentKey.objects.filter(tenant_id=row.tenant_id, document_id=row.id).delete()
        Document.objects.filter(tenant_id=row.tenant_id, id=row.id).delete()
        audit.record(
            principal,
            AuditCode.DOCUMENT_DELETED,
            object_kind="document",
            object_id=document_id,
            version_before=row.revision,
            result_count=row.passage_count,
        )


def drop_passages(row: Document) -> None:
    """Delete a document's passages and their index rows."""
    mine: dict[str, Any] = {"tenant_id": row.tenant_id}
    for model in (PassageVector, PassageTerm):
        model._default_manager.filter(**mine, passage__document_id=row.id).delete()
    Passage.objects.filter(**mine, document_id=row.id).delete()


def _find(principal: Principal, document_id: uuid.UUID, *, lock: bool = False) -> Document:
    rows = Document.objects.select_for_update() if lock else Document.objects.defer("original")
    found = rows.filter(tenant_id=principal.tenant_id, id=document_id).first()
    if found is None:
        raise NotFound
    return found


def listed(
    principal: Principal, *, limit: int, cursor: str | None, source: str | None = None
) -> tuple[Sequence[OpenedDocument], str | None]:
    """Return the tenant's documents, newest first, and the next cursor; ``source`` names one.

    Raises:
        Forbidden: for a person's key.
        InvalidInput: for a cursor that is not ours.
    """
    require_reader(principal)
    with acting(principal):
        vault = open_tenant_vault(principal)
        rows = Document.objects.defer("original").filter(tenant_id=principal.tenant_id)
        if source is not None:
            rows = rows.filter(source_digest=vault.digest("document source", source))
        found, following = page(rows, by="created_at", limit=limit, cursor=cursor)
        vault.load([row.id for row in found])
        _note(principal, None, len(found))
        return [open_document(vault, row) for row in found], following


def opened(principal: Principal, document_id: uuid.UUID) -> OpenedDocument:
    """Return one document with its names.

    Raises:
        Forbidden: for a person's key.
        NotFound: if the tenant has no such document.
    """
    require_reader(principal)
    with acting(principal):
        row = _find(principal, document_id)
        _note(principal, row, 1)
        return open_document(open_tenant_vault(principal), row)


def has_any(principal: Principal) -> bool:
    """Whether the tenant has documents at all."""
    with acting(principal):
        return Document.objects.filter(tenant_id=principal.tenant_id).exists()


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """A stretch of a document's text as kept, and how long the whole is."""

    text: str
    start: int
    end: int
    characters: int
    revision: int


def text_of(principal: Principal, document_id: uuid.UUID, *, start: int, end: int | None) -> Slice:
    """Return the text of characters ``start`` to ``end``, at most the policy's slice.

    Raises:
        Forbidden: for a person's key.
        NotFound: if the tenant has no such document.
    """
    require_reader(principal)
    with acting(principal):
        row = _find(principal, document_id)
        most = min(start + KNOWLEDGE.text_slice, row.characters)
        stop = most if end is None else min(end, most)
        rows = Passage.objects.filter(
            tenant_id=row.tenant_id, document_id=row.id, start__lt=stop, end__gt=start
        ).order_by("position")
        vault = open_tenant_vault(principal)
        found = list(rows)
        text = "".join(open_text(vault, passage) for passage in found)
        _note(principal, row, len(found))
    skipped = start - found[0].start if found else 0
    piece = text[skipped : skipped + max(stop - start, 0)]
    return Slice(
        text=piece,
        start=start,
        end=start + len(piece),
        characters=row.characters,
        revision=row.revision,
    )


def _note(principal: Principal, row: Document | None, count: int) -> None:
    audit.record(
        principal,
        AuditCode.DOCUMENT_READ,
        object_kind="document",
        object_id=row.id if row else None,
        result_count=count,
    )
