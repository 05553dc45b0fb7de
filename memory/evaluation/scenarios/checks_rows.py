# ruff: noqa: ARG001 - every check takes the same arguments
"""Checks on what is stored now, whatever a step answered."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from accounts.models import AuditEvent
from memory.choices import Outcome, Sensitivity
from memory.evaluation.scenarios import looking
from memory.evaluation.scenarios.checks_answers import Check, Seen, Test, _seen
from memory.evaluation.scenarios.patterns import fits, found, matching, number, text_of
from memory.evaluation.scenarios.reply import Malformed, Reply, Who
from memory.evaluation.scenarios.world import World
from memory.models import Erasure, Message, Session

# What a story calls a decision of the gate -> how ours is recorded.
GATE = {
    Outcome.REFUSED: {"reject", "refuse", "refused"},
    Outcome.NEEDS_CONFIRMATION: {"pending", "ask", "quarantine"},
    Outcome.ACCEPTED: {"accept", "store"},
    Outcome.REINFORCED: {"accept", "merge", "reinforce"},
    Outcome.SUPERSEDED: {"accept", "update", "supersede"},
}
# What a story calls an event -> codes of the audit log; "gate_reject" is a decision in it.
EVENTS = {
    "erase": ("erasure.fenced",),
    "delete": ("erasure.fenced", "memory.state_changed"),
    "write": ("memory.decided",),
    "correct": ("memory.corrected",),
    "recall": ("memory.recalled",),
    "read": ("memory.read",),
    "denied": ("access.denied",),
}
SOON = re.compile(r"expires_within_days<=([0-9]+)")


def _who(reply: Reply, check: Check) -> Who:
    return Who().using(check) if "as" in check else reply.who


def _active(world: World, reply: Reply, check: Check) -> list[dict[str, Any]]:
    return looking.active(world, _who(reply, check))


def active_count(world: World, reply: Reply, check: Check) -> Seen:
    """So many active memories (match)."""
    there = matching(_active(world, reply, check), check.get("match"))
    words = [text_of(one) for one in there]
    return _seen(number(len(there), check), f"{len(there)} active: {words}")


def some_active(world: World, reply: Reply, check: Check) -> Seen:
    """One active memory matches everything."""
    words = [text_of(one) for one in _active(world, reply, check)]
    return _seen(any(fits(one, check) for one in words), f"active: {words}")


def no_active(world: World, reply: Reply, check: Check) -> Seen:
    """No active memory matches any, unless it ends soon enough."""
    there = [
        one
        for one in _active(world, reply, check)
        if any(found(pattern, text_of(one)) for pattern in check["any"])
        and not _ignored(world, one, check.get("ignore_if"))
    ]
    return _seen(not there, f"active: {[text_of(one) for one in there]}")


def _ignored(world: World, item: Mapping[str, Any], condition: str | None) -> bool:
    if condition is None:
        return False
    days = SOON.fullmatch(condition.replace(" ", ""))
    if days is None:
        raise Malformed(f"ignore_if {condition!r}")
    ends = [one for one in (item["expires_at"], item["valid_to"]) if one is not None]
    return any(one <= world.clock.at + timedelta(days=int(days[1])) for one in ends)


def state(world: World, reply: Reply, check: Check) -> Seen:
    """Every label named by (or matching) ``target`` is in one of the states."""
    names = _labels(world, check)
    got = {name: looking.states(world, world.labelled(name)) for name in names}
    return _seen(
        bool(got) and all(one & set(check["in"]) for one in got.values()),
        {name: sorted(one) for name, one in got.items()},
    )


def _labels(world: World, check: Check) -> list[str]:
    given = check.get("targets", check.get("target"))
    if isinstance(given, str):
        return [given] if given in world.labels else [n for n in world.labels if found(given, n)]
    if given is not None:
        return [str(one) for one in given]
    items = {name: looking.opened(label) for name, label in world.labels.items()}
    pattern = check.get("match", "")
    return [name for name, item in items.items() if item and found(pattern, text_of(item))]


def _items(world: World, reply: Reply, check: Check) -> Sequence[Mapping[str, Any]]:
    if "target" in check:
        item = looking.opened(world.labelled(str(check["target"])))
        return [item] if item else []
    return matching(_active(world, reply, check), check.get("match"))


def field(world: World, reply: Reply, check: Check) -> Seen:
    """A field has this value."""
    got = [looking.field(one, check["path"]) for one in _items(world, reply, check)]
    return _seen(any(_equal(one, check) for one in got), got)


def _equal(value: Any, check: Check) -> bool:
    if "same_instant" in check:
        return bool(value == datetime.fromisoformat(check["same_instant"]))
    wanted: Any = check.get("eq")
    if isinstance(value, list) and isinstance(wanted, list):
        return sorted(map(str, value)) == sorted(map(str, wanted))
    return bool(value == wanted)


def event_date(world: World, reply: Reply, check: Check) -> Seen:
    """A matching memory's day, in the person's zone or that of what was said, or in its text."""
    items = _items(world, reply, check)
    subject = world.cast.find(_who(reply, check))
    zones: list[tzinfo] = [ZoneInfo(subject.time_zone)] if subject else []
    zones = world.offsets or zones
    wanted = date.fromisoformat(check["eq"])
    got = [(text_of(one), str(one["occurred"] or one["valid_from"])) for one in items]
    return _seen(any(_is_on(one, wanted, zones) for one in items), got)


def _is_on(item: Mapping[str, Any], wanted: date, zones: Sequence[tzinfo]) -> bool:
    if wanted.isoformat() in text_of(item):
        return True
    occurred = item["occurred"] or item["valid_from"]
    return occurred is not None and any(
        occurred.astimezone(zone).date() == wanted for zone in zones
    )


def gate(world: World, reply: Reply, check: Check) -> Seen:
    """What the gate said about the candidates that match.

    Refused words are not kept, so a refusal is known by the message it was made about; it counts
    where nothing that matches was let through from that message.
    """
    got: list[set[str]] = []
    refused: list[set[str]] = []
    for row, memory, words, said in looking.decisions(world, _who(reply, check)):
        names = set(GATE[Outcome(row.outcome)])
        if memory is not None and found(check["match"], words):
            level = memory.sensitivity
            names |= {"store_restricted"} if level >= Sensitivity.SPECIAL else set()
            got.append(names)
        elif memory is None and found(check["match"], said):
            refused.append(names)
    decided = got or refused
    fine = bool(decided) and all(one & set(check["in"]) for one in decided)
    return _seen(fine, [sorted(one) for one in decided] or "no decision")


def audit_has(world: World, reply: Reply, check: Check) -> Seen:
    """The log holds the event, about this person."""
    who = _who(reply, check)
    if "user" in check:
        who = Who(tenant=who.tenant, user=str(check["user"]))
    people = world.cast.subjects[who.tenant, who.user]
    lines = AuditEvent.objects.filter(tenant_id=world.cast.tenant(who).id, subject_id__in=people)
    event = str(check["event"])
    if event == "gate_reject":
        there = lines.filter(code="memory.decided", decision=Outcome.REFUSED).exists()
    else:
        there = lines.filter(code__in=EVENTS.get(event, (event,))).exists()
    return _seen(there, sorted(set(lines.values_list("code", flat=True))))


def every_missing_has_audit(world: World, reply: Reply, check: Check) -> Seen:
    """Whatever vanished, the log says that it did."""
    silent = []
    for name, label in world.labels.items():
        if label.memory_id is None or "deleted" not in looking.states(world, label):
            continue
        about = [label.memory_id]
        rows = Erasure.objects.filter(
            tenant_id=label.tenant_id, memory_ids__contains=[label.memory_id]
        )
        about += rows.values_list("id", flat=True)
        if not AuditEvent.objects.filter(tenant_id=label.tenant_id, object_id__in=about).exists():
            silent.append(name)
    return _seen(not silent, silent)


def same_id(world: World, reply: Reply, check: Check) -> Seen:
    """The named writes gave one memory."""
    names = check.get("targets", check.get("of", sorted(world.labels)))
    ids = {name: world.labelled(name).memory_id for name in names}
    return _seen(len(set(ids.values())) == 1 and None not in ids.values(), ids)


def stored_messages(world: World, reply: Reply, check: Check) -> Seen:
    """So many messages of the session are kept."""
    who = _who(reply, check)
    subject = world.cast.find(who)
    if subject is None:
        return _seen(number(0, check), "0 messages")
    with looking.eye(subject.tenant_id, subject.id):
        named = str(check.get("session", who.session))
        sessions = Session.objects.filter(subject_id=subject.id, external_id=named)
        count = Message.objects.filter(session__in=sessions).count()
    return _seen(number(count, check), f"{count} messages")


TESTS: dict[str, Test] = {
    "active_count": active_count,
    "some_active": some_active,
    "no_active": no_active,
    "state": state,
    "state_all": state,
    "field": field,
    "event_date": event_date,
    "gate": gate,
    "audit_has": audit_has,
    "every_missing_has_audit": every_missing_has_audit,
    "same_id": same_id,
    "stored_messages": stored_messages,
}
