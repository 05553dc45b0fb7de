"""Answers rendered from ids alone: what a repeated write answers, as the objects stand now."""

import uuid
from typing import Any

from rest_framework import status
from rest_framework.response import Response

from accounts.principal import Principal
from memory import access, jobs
from memory.api import outputs, people_outputs
from memory.api.base import MemoryView, flag
from memory.api.idempotency import Written
from memory.choices import UNFINISHED, Outcome
from memory.errors import Gone, NotFound
from memory.forget.moves import standing
from memory.forget.receipt import access_erasure, receipt
from memory.recall.links import links_of
from memory.recall.listing import open_memory
from memory.write.proposal import Decided
from memory.write.recorded import recorded

STATUS = {
    Outcome.ACCEPTED: status.HTTP_201_CREATED,
    Outcome.NEEDS_CONFIRMATION: status.HTTP_201_CREATED,
    Outcome.REINFORCED: status.HTTP_200_OK,
    Outcome.SUPERSEDED: status.HTTP_200_OK,
    Outcome.REFUSED: status.HTTP_422_UNPROCESSABLE_ENTITY,
}


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


def memory_link(view: MemoryView, written: Written) -> Response:
    """Answer a link between memories; ids: the memory it was asked of, then the link."""
    memory_id, link_id = written.ids
    found = [one for one in links_of(person_of(view, written), memory_id) if one.id == link_id]
    if not found:
        raise Gone("The link was taken back.")
    return Response(outputs.link(found[0]), status=written.status)


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
    return Response(people_outputs.subject(subject), status=written.status)


def nothing(_view: MemoryView, written: Written) -> Response:
    """Answer a write without a body."""
    return Response(status=written.status)


def decided(principal: Principal, one: Decided) -> Written:
    """Return what a proposal answers, and the ids it is rendered from when it is repeated."""
    ids = [one.id, *([one.memory.id] if one.memory else [])]
    answer = Response(outputs.decided(one), status=STATUS[one.outcome])
    return Written(answer, ids, principal.subject_id)


def moved(principal: Principal, memory: Any) -> Written:
    """Return what a move of a memory answers."""
    return Written(Response(outputs.state(memory)), [memory.id], principal.subject_id)


def worked(
    view: MemoryView, caller: Principal, job_id: uuid.UUID, done: int = status.HTTP_200_OK
) -> tuple[Any, int]:
    """Return the job, waited for if the caller asked for that, and the status: 202 until ``done``."""
    job = jobs.access_job(caller, job_id)
    if flag(view.request, "wait"):
        job = jobs.wait_for(job)
    return job, status.HTTP_202_ACCEPTED if job.state in UNFINISHED else done
