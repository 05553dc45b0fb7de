"""What is left of a session that has ended: an episode of what the person said and no memory holds.

Its sentences stand as they were said, each behind the gate's own rules: nothing secret, sensitive or
passing, nothing the person did not want learnt, nobody else's words. It goes through the gate like any
guess of an agent, rests on the messages it tells of, and is erased with each of them.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

from accounts.acting import acting
from accounts.principal import Principal
from memory.choices import Kind, Origin, Outcome, Reason, Role, Sensitivity, Subtype
from memory.choices.slots import SESSION_SLOT
from memory.lifecycle import lock_subject
from memory.models import Event, Evidence, Memory, ObjectKey, Session, Summary
from memory.policy import EPISODE, WRITE
from memory.sessions.compaction import fitted, merged, share
from memory.sessions.points import Point, read
from memory.sessions.reading import in_order, open_messages
from memory.vault import SubjectVault, open_vault
from memory.write.allow import names_of, suppressed, unwanted
from memory.write.candidate import Refused, Turn
from memory.write.case import slot_of, slot_text
from memory.write.classify import classify
from memory.write.evidence import cite_sentences
from memory.write.pipeline import decide
from memory.write.proposal import Proposal, Source
from memory.write.rules import extract
from memory.write.speakers import others

WRITTEN = (Outcome.ACCEPTED, Outcome.NEEDS_CONFIRMATION)
# What is refused for no more than this may still be worth telling of the day.
ORDINARY = (Reason.NOT_USEFUL, Reason.NOT_ABOUT_PERSON, Reason.UNREMARKABLE)


@dataclass(frozen=True, slots=True)
class _Told:
    """What the person said in a session: its points, and when each message was said."""

    points: Sequence[Point]
    at: dict[uuid.UUID, datetime]


def remember_session(principal: Principal, session_id: uuid.UUID) -> None:
    """Write the episode of a closed session, and drop its summary; doing it again changes nothing.

    A session that was opened again leaves another one, of what was said since.
    """
    with acting(principal.unlimited()):
        session = Session.objects.filter(
            subject_id=principal.person_id, id=session_id, closed_at__isnull=False
        ).first()
        if session is None:
            return
        if principal.may_learn:
            _write(principal, session)
        _drop_summary(session)


def _write(principal: Principal, session: Session) -> None:
    lock_subject(principal)
    vault = open_vault(principal)
    told = _said(principal, vault, session)
    slot = slot_of(vault, condition=str(session.id))
    if unwanted(vault, "slot", slot_text(condition=str(session.id))):
        return
    points = _new(vault, _since(session, slot, told), told)
    if len(points) < EPISODE.least:
        return
    proposal = _proposal(session, points, max(told.at[one.event_id] for one in points))
    decided = decide(principal, proposal)
    if decided.memory is not None and decided.outcome in WRITTEN:
        said = [(one.event_id, one.start, one.text) for one in points]
        cite_sentences(vault, decided.memory, said)


def _said(principal: Principal, vault: SubjectVault, session: Session) -> _Told:
    rows = in_order(session).filter(low_information=False, may_learn=True)
    rows = rows.exclude(role=Role.SYSTEM)
    newest = rows.reverse().select_related("event")[: EPISODE.turns]
    turns = [
        Turn(
            role=Role(one.message.role),
            text=one.text,
            at=one.message.at.astimezone(principal.zone),
            name=one.name or None,
            event_id=one.message.event_id,
        )
        for one in reversed(open_messages(vault, list(newest)))
    ]
    marked = others(principal, vault, turns)
    own = {one.event_id: one.at for one in marked if one.role == Role.USER and not one.other}
    at = {event_id: said for event_id, said in own.items() if event_id is not None}
    points = merged(read(marked).points, order=[one.event_id for one in marked if one.event_id])
    return _Told([one for one in points if one.event_id in at and not one.by], at)


def _since(session: Session, slot: int, told: _Told) -> list[Point]:
    """Keep what was said after the session's last episode."""
    known = Memory.objects.filter(
        subject_id=session.subject_id, attribute=SESSION_SLOT, slot=slot
    ).aggregate(last=Max("occurred"))
    last = known["last"]
    return [one for one in told.points if last is None or told.at[one.event_id] > last]


def _new(vault: SubjectVault, points: Sequence[Point], told: _Told) -> Sequence[Point]:
    """Keep what weighs enough, stands in no memory and may stand in one; as much as has room."""
    weighty = [one for one in points if one.weight >= WRITE.minimum_importance and not one.day]
    events = [one.event_id for one in weighty]
    mine = {"tenant_id": vault.tenant_id, "subject_id": vault.subject_id}
    held: dict[uuid.UUID, list[tuple[int, int]]] = {}
    cited = Evidence.objects.filter(**mine, event_id__in=events)
    for event_id, start, end in cited.values_list("event_id", "start", "end"):
        held.setdefault(event_id, []).append((start, end))
    there = Event.objects.filter(**mine, id__in=events)
    names = {event.id: names_of(vault, event) for event in there}
    new = [
        one
        for one in weighty
        if not any(
            start < one.start + len(one.text) and one.start < end
            for start, end in held.get(one.event_id, ())
        )
        and _is_free(vault, one, at=told.at[one.event_id], names=names.get(one.event_id, []))
    ]
    return fitted(new, cost=lambda one: share(one.text), room=EPISODE.room).points


def _is_free(vault: SubjectVault, point: Point, *, at: datetime, names: Sequence[int]) -> bool:
    """Whether the gate lets the sentence into an episode that every agent with a grant may read."""
    source = Source(origin=Origin.AGENT, said_at=at, role=Role.USER)
    draft = classify(Proposal(text=point.text, source=source, attribute=point.attribute))
    if draft.secret or draft.instruction_like or draft.sensitivity > Sensitivity.PERSONAL:
        return False
    found = extract(Turn(role=Role.USER, text=draft.text, at=at), at=at)
    passing = any(isinstance(one, Refused) and one.reason not in ORDINARY for one in found)
    return not passing and not suppressed(vault, draft, source=names)


def _proposal(session: Session, points: Sequence[Point], last: datetime) -> Proposal:
    return Proposal(
        text="\n".join(one.text for one in points),
        source=Source(origin=Origin.AGENT, said_at=last, session_id=session.id),
        kind=Kind.EPISODIC,
        subtype=Subtype.EVENT,
        attribute=SESSION_SLOT,
        condition=str(session.id),
        occurred=last,
        tags=("session",),
    )


def _drop_summary(session: Session) -> None:
    rows = Summary.objects.filter(subject_id=session.subject_id, session=session)
    ObjectKey.objects.filter(
        subject_id=session.subject_id, object_id__in=list(rows.values_list("id", flat=True))
    ).delete()
    rows.delete()
