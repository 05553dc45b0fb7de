"""Opening what is sealed of documents and passages: where each column's text lives."""

import json
import uuid
from dataclasses import dataclass

from memory.models import Document, Passage
from memory.vault import Place, TenantVault

SOURCE, TITLE, ORIGINAL = "source", "title", "original"


def place(document_id: uuid.UUID, field: str) -> Place:
    """Return where a column of a document lives."""
    return Place(object_id=document_id, field=field)


def passage_place(document_id: uuid.UUID, passage_id: uuid.UUID, field: str) -> Place:
    """Return where a column of a passage lives: sealed with its document's key, bound to itself."""
    return Place(object_id=document_id, field=f"{field} {passage_id}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedDocument:
    """A document with its names opened."""

    document: Document
    source: str
    title: str


def open_document(vault: TenantVault, row: Document) -> OpenedDocument:
    """Return a document with its names; load the keys of many before."""
    return OpenedDocument(
        document=row,
        source=vault.unseal(place(row.id, SOURCE), row.source),
        title=vault.unseal(place(row.id, TITLE), row.title) if row.title else "",
    )


def open_text(vault: TenantVault, row: Passage) -> str:
    """Return the text of a passage."""
    return vault.unseal(passage_place(row.document_id, row.id, "text"), row.text)


def open_section(vault: TenantVault, row: Passage) -> tuple[str, ...]:
    """Return the headings above a passage, the outermost first."""
    place = passage_place(row.document_id, row.id, "section")
    return tuple(json.loads(vault.unseal(place, row.section)))
