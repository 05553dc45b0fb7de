"""Answers rendered from ids alone: what a repeated write answers, as the objects stand now."""

import uuid

from rest_framework.response import Response

from accounts.principal import Principal
from memory import access
from memory.api import outputs
from memory.api.base import MemoryView
from memory.api.idempotency import Written
from memory.errors import Gone, NotFound
from memory.forget.moves import standing
from memory.forget.receipt import access_erasure, receipt
from memory.recall.listing import open_memory
from memory.write.proposal import Decided
from memory.write.recorded import recorded


def person_of(view: MemoryView, written: Written) -> Principal:
    """Return the caller with its rights for the person the write was about.

    Raises:
        Gone: if the person was erased since.
    """
    if written.about is None:
        raise Gone
    try:
        return access.for_person(view.caller, written.about)
    except NotFound:
        raise Gone("The person was erased.") from None


def decision(view: MemoryView, written: Written) -> Response:
    """Answer a proposal; ids: the decision, then the memory if there is one."""
    decided = recorded(person_of(view, written), written.ids[0])
    return Response(outputs.decided(decided), status=written.status)


def state(view: MemoryView, written: Written) -> Response:
    """Answer a move of a memory; ids: the memory."""
    memory = standing(person_of(view, written), written.ids[0])
    return Response(outputs.state(memory), status=written.status)


def memory(view: MemoryView, written: Written) -> Response:
    """Answer a correction; ids: the memory, then what waits for the person if something does."""
    memory_id, *waiting = written.ids
    return tagged(open_memory(person_of(view, written), memory_id), *waiting)


def tagged(opened: access.OpenedMemory, *waiting: uuid.UUID) -> Response:
    """Return a memory with its version as ETag, and what waits to take its place."""
    body = outputs.memory(opened) | ({"waiting": waiting[0]} if waiting else {})
    return Response(body, headers={"ETag": f'"{opened.memory.version}"'})


def erasure(view: MemoryView, written: Written) -> Response:
    """Answer an erasure; ids: its request. It is about nobody, so that it outlives the person."""
    return Response(receipt(access_erasure(view.caller, written.ids[0])), status=written.status)


def person(view: MemoryView, written: Written) -> Response:
    """Answer a person's switches; about: the person."""
    subject = access.subject_of(person_of(view, written))
    return Response(outputs.subject(subject), status=written.status)


def nothing(_view: MemoryView, written: Written) -> Response:
    """Answer a write without a body."""
    return Response(status=written.status)


def ids_of(decided: Decided) -> list[uuid.UUID]:
    """Return the ids a decision is rendered from, and those whose erasure it must not outlive."""
    return [decided.id, *([decided.memory.id] if decided.memory else [])]
