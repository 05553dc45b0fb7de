"""Many memories changed at once by the person: paused, used again, forgotten, held closer or not.

What is meant is looked at first, then changed in one transaction and a handful of statements, however
many they are. In the log each has its line, and one line before them says how many there were.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import Count, F, Q
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import Sensitivity, State
from memory.errors import StaleState
from memory.forget.derived import replaced
from memory.forget.moves import ask_anew, undo_window
from memory.forget.requests import erase_some
from memory.forget.suppressions import lift_digests
from memory.lifecycle import LIVING, lock_subject, transition_all
from memory.models import Erasure, Memory
from memory.models.memory import MemoryQuerySet
from memory.policy import LOOK
from memory.recall.activity import TOGETHER
from memory.recall.selecting import Selection
from memory.reviews.forgetting import refused_by
from memory.reviews.listing import require_person
from memory.vault import open_vault

MEMORIES = "memories"  # in the log: what a line is about that stands for many


class Act(StrEnum):
    """What can be done to many memories at once."""

    PAUSE = "pause"
    RESUME = "resume"
    FORGET = "forget"
    SENSITIVE = "sensitive"
    ORDINARY = "ordinary"


# From which states, and which levels, an act starts; what is elsewhere stays as it is.
CONCERNED: Mapping[Act, Q] = {
    Act.PAUSE: Q(state=State.ACTIVE),
    Act.RESUME: Q(state=State.PAUSED),
    Act.FORGET: Q(state__in=LIVING),
    Act.SENSITIVE: Q(state__in=LIVING, sensitivity__lt=Sensitivity.SPECIAL),
    Act.ORDINARY: Q(state__in=LIVING, sensitivity=Sensitivity.SPECIAL),
}
# Acts that leave sensitive memories alone unless the person says so once more.
CAREFUL = frozenset({Act.RESUME, Act.FORGET})
LEVELS: Mapping[Act, Sensitivity] = {
    Act.SENSITIVE: Sensitivity.SPECIAL,
    Act.ORDINARY: Sensitivity.PERSONAL,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What an act would do: how many are meant, how many it concerns, how many of those are sensitive
    and wait for a word of their own; and the first of the others, of all where there are no others."""

    meant: int
    concerned: int
    sensitive: int
    first: Sequence[access.OpenedMemory]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """How many were changed, how many had lost their place to another, and until when it can be undone."""

    changed: int
    displaced: int = 0
    undo_until: datetime | None = None


def plan(principal: Principal, selection: Selection, act: Act) -> Plan:
    """Return what an act would do to the selected memories; nothing is changed.

    Raises:
        Forbidden: for anybody but the person.
    """
    require_person(principal)
    with acting(principal):
        rows = selection.of(access.memories_visible_to(principal))
        due = CONCERNED[act]
        special = due & Q(sensitivity__gte=Sensitivity.SPECIAL)
        counted = rows.aggregate(
            meant=Count("id"),
            concerned=Count("id", filter=due),
            sensitive=Count("id", filter=special if act in CAREFUL else Q(id__isnull=True)),
        )
        plain = act in CAREFUL and counted["concerned"] > counted["sensitive"]
        shown = rows.filter(due & ~special if plain else due)
        first = shown.order_by("-created_at", "-id")[: LOOK.preview]
        audit.record(principal, AuditCode.MEMORY_LISTED, result_count=len(first), reason=MEMORIES)
        return Plan(first=access.open_current(open_vault(principal), first), **counted)


def change(principal: Principal, selection: Selection, act: Act, *, sensitive: bool) -> Done:
    """Do it to those of the selected memories that it concerns, all in one transaction.

    Without ``sensitive`` a careful act leaves sensitive ones as they are. One whose slot or wording
    another memory has taken meanwhile is not used again.

    Raises:
        Forbidden: for anybody but the person.
        StaleState: if one was changed meanwhile; then none was.
    """
    require_person(principal)
    with acting(principal.unlimited()):
        lock_subject(principal)
        found = _locked(selection.of(access.memories_visible_to(principal)).filter(CONCERNED[act]))
        if act in CAREFUL and not sensitive:
            found = [one for one in found if one.sensitivity < Sensitivity.SPECIAL]
        if act == Act.FORGET:
            return _forget(principal, found)
        if act in LEVELS:
            Memory.objects.filter(id__in=[one.id for one in found]).update(
                sensitivity=LEVELS[act], updated_at=timezone.now()
            )
            _note(principal, found, act, AuditCode.MEMORY_CORRECTED, fields=["sensitivity"])
            return Done(changed=len(found))
        to = State.PAUSED if act == Act.PAUSE else State.ACTIVE
        free = found if act == Act.PAUSE else _free(principal, found, to)
        transition_all(free, to)
        _note_moves(principal, free, act, to)
        return Done(changed=len(free), displaced=len(found) - len(free))


def take_back_together(principal: Principal, until: datetime) -> Done:
    """Take back what was forgotten together: what can be undone until the same moment.

    Raises:
        Forbidden: for anybody but the person.
        StaleState: if the time to undo is over.
    """
    require_person(principal)
    with acting(principal.unlimited()):
        lock_subject(principal)
        if until <= timezone.now():
            raise StaleState("Too late to take back: the undo window is over.")
        rows = Memory.objects.visible_to(principal)
        found = _locked(rows.filter(state=State.FORGOTTEN, undo_until=until))
        back: list[Memory] = []
        for to in sorted({State(one.previous_state) for one in found}):
            group = [one for one in found if one.previous_state == to]
            free = _free(principal, group, to)
            transition_all(free, to, previous_state="", undo_until=None)
            _note_moves(principal, free, "undo", to)
            back += free
        if len(found) <= LOOK.preview:  # what had been merged of others may have been refused, too
            vault = open_vault(principal)
            refused = [digest for one in back for _, digest in refused_by(vault, one)]
            lift_digests(principal, refused, made_at=[one.updated_at for one in back])
        ask_anew(principal, back)
        return Done(changed=len(back), displaced=len(found) - len(back))


def erase_together(principal: Principal, until: datetime) -> Erasure:
    """Erase now, without a way back, what was forgotten together: what can be undone until ``until``.

    Raises:
        Forbidden: for anybody but the person.
        NotFound: if nothing is left of it.
        LedgerUnavailable: if the ledger outside the database cannot be written.
    """
    require_person(principal)
    moment = {"state": State.FORGOTTEN, "undo_until": until}
    return erase_some(principal, memory_ids=(), filters=moment)


def _locked(rows: MemoryQuerySet) -> list[Memory]:
    return list(rows.select_for_update().order_by("id"))


def _forget(principal: Principal, found: Sequence[Memory]) -> Done:
    """Hide many, and what they were merged from, until one moment; then they are erased."""
    until = undo_window(principal.tenant_id, principal.person_id)
    hidden = {one.id: one for one in (*found, *replaced(found))}
    going = [one for one in hidden.values() if one.state != State.FORGOTTEN]
    transition_all(going, State.FORGOTTEN, previous_state=F("state"), undo_until=until)
    _note_moves(principal, found, Act.FORGET, State.FORGOTTEN)
    return Done(changed=len(found), undo_until=until)


def _free(principal: Principal, found: Sequence[Memory], to: State) -> list[Memory]:
    """Leave out what another memory has taken the place of: a slot and a wording have one holder in use."""
    if to not in (State.ACTIVE, State.PENDING):
        return list(found)
    holders = Memory.objects.visible_to(principal).filter(state__in=(State.ACTIVE, State.PENDING))
    wordings, slots = set[Any](), set[Any]()
    for held in holders.only("wording", "occurred", "single", "attribute", "slot", "state"):
        wordings.add((held.wording, held.occurred))
        if held.single and held.state == State.ACTIVE:
            slots.add((held.attribute, held.slot))
    free = []
    for one in sorted(found, key=lambda one: one.created_at, reverse=True):
        wording, slot = (one.wording, one.occurred), (one.attribute, one.slot)
        single = one.single and to == State.ACTIVE
        if (one.wording is not None and wording in wordings) or (single and slot in slots):
            continue
        wordings.add(wording)
        if single:
            slots.add(slot)
        free.append(one)
    return free


def _note_moves(principal: Principal, moved: Sequence[Memory], why: str, to: State) -> None:
    """Write down from where each was moved; ``moved`` are as they were before."""
    fields = {one.id: [one.state, to] for one in moved}
    _note(principal, moved, why, AuditCode.MEMORY_STATE_CHANGED, each=fields)


def _note(
    principal: Principal,
    changed: Sequence[Memory],
    why: str,
    code: AuditCode,
    *,
    each: Mapping[Any, Sequence[str]] | None = None,
    fields: Sequence[str] = (),
) -> None:
    if not changed:
        return
    audit.record_many(
        principal,
        code,
        (
            {
                "object_kind": "memory",
                "object_id": one.id,
                "sensitivity": one.sensitivity,
                "reason": why,
                "decision": TOGETHER,
                "fields": list((each or {}).get(one.id, fields)),
            }
            for one in changed
        ),
    )
    audit.record(principal, code, object_kind=MEMORIES, reason=why, result_count=len(changed))
