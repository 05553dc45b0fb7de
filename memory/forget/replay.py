"""Erasing again what was erased before: a restored dump is told by the ledger."""

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import connection

from accounts.acting import acting
from accounts.models import Subject
from accounts.subjects import system
from memory.choices import GONE, ErasureScope, ErasureState
from memory.forget.derived import left_over
from memory.forget.fence import enact, use_again
from memory.forget.holds import hold_of
from memory.forget.requests import depart
from memory.ledger import Line, Merged, agreed
from memory.models import Erasure, Event, LedgerEntry, Memory, Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """How many erasures were done again, were known, or are about nobody who is there."""

    done: int = 0
    known: int = 0
    absent: int = 0


def replay(lines: Iterable[Line], merges: Iterable[Merged] = ()) -> Replayed:
    """Fence again what the ledger says was erased, under the same ids and numbers.

    What ``merges`` say became a person's before an erasure is erased where the rows still stand. The
    steps are left to the driver, as after any fence. Run as the owner, before anybody else may see the
    rows; running it twice changes nothing.
    """
    found = list(lines)
    go_on_from(max((number for line in found for number, _, _ in line.objects), default=0))
    known = set(Erasure.objects.values_list("id", flat=True))
    there = set(Subject.objects.values_list("tenant_id", "id"))
    new = [line for line in found if line.erasure_id not in known]
    mine = [
        line for line in new if (line.columns["tenant_id"], line.columns["subject_id"]) in there
    ]
    apart, told = _apart(merges), known | {line.erasure_id for line in found}
    for line in mine:
        for merged in apart.get(line.columns["subject_id"], ()):
            if merged.at <= line.columns["fenced_at"]:
                _before_merge(line, merged, told)
        _again(line)
    return Replayed(done=len(mine), known=len(found) - len(new), absent=len(new) - len(mine))


def _apart(merges: Iterable[Merged]) -> dict[uuid.UUID, list[Merged]]:
    """Return the merges that these rows are older than, by person."""
    there = set(Subject.objects.filter(erased_at__isnull=True).values_list("id", flat=True))
    done, found = set(agreed().values_list("id", flat=True)), defaultdict(list)
    for one in merges:
        if one.source_id in there and one.merge_id not in done:
            found[one.subject_id].append(one)
    return found


def go_on_from(number: int) -> None:
    """Let the ledger's next number be a later one: agents ask for what came after the last they saw."""
    table = LedgerEntry._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence(%s, 'number'), greatest(%s, nextval("
            "pg_get_serial_sequence(%s, 'number'))))",
            [table, number, table],
        )


def _before_merge(line: Line, merged: Merged, told: Collection[uuid.UUID]) -> None:
    """Erase what the line covers of a subject that was not part of the person yet, as its own erasure,
    unless an earlier restore did so: then the rows or the ledger have ``told`` of it."""
    own = uuid.uuid5(line.erasure_id, str(merged.source_id))
    if own in told:
        return
    mine = {"tenant_id": line.columns["tenant_id"], "subject_id": merged.source_id}
    memories = line.of("memory")
    memories += [one for one, other in merged.joined.items() if other in memories]
    covered = [
        (0, kind, id_)
        for kind, model, ids in (
            ("memory", Memory, memories),
            ("event", Event, line.of("event")),
            ("session", Session, line.of("session")),
        )
        for id_ in model._default_manager.filter(**mine, id__in=ids).values_list("id", flat=True)
    ]
    if covered or line.columns["scope"] == ErasureScope.PERSON:
        columns = line.columns | mine
        _again(Line(erasure_id=own, columns=columns, objects=tuple(covered)))


def _again(line: Line) -> None:
    tenant, person = line.columns["tenant_id"], line.columns["subject_id"]
    whole = line.columns["scope"] == ErasureScope.PERSON
    with acting(system(tenant, person, label="restore").unlimited()) as principal:
        memories = Memory.objects.filter(tenant_id=tenant, subject_id=person)
        memories = memories.exclude(state__in=GONE)
        events = line.of("event")
        if whole:
            events = list(Event.objects.filter(subject_id=person).values_list("id", flat=True))
        else:
            memories = memories.filter(id__in=line.of("memory"))
        rows, held = list(memories.order_by("created_at")), hold_of(person)
        left = left_over(rows)
        request = Erasure.objects.create(
            id=line.erasure_id,
            state=ErasureState.ON_HOLD if held else ErasureState.FENCED,
            hold_reason=held,
            memory_ids=sorted({*line.of("memory"), *(one.id for one in rows)}),
            event_ids=sorted({*line.of("event"), *events}),
            session_id=next(iter(line.of("session")), None),
            **line.columns,
        )
        numbers = {object_id: number for number, _, object_id in line.objects if number}
        enact(principal, request, rows, numbers=numbers)
        for memory in left:
            use_again(memory)
        if whole:
            depart(Subject.objects.get(tenant_id=tenant, id=person), request)
