"""How a kind of task is done: ordered steps, proposed by a person, an agent, or a good record.

An ended task leaves an episode with outcome, steps and the events it rests on. Its kind is the slot,
its way of doing (the steps) the value, so that the record of each way is counted by digests. A
procedure holds for one kind of task: a new one, once it is kept, retires the old as a version does.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils import timezone

from accounts.acting import acting
from accounts.principal import Principal
from memory.choices import Kind, Origin, Outcome, Role, Subtype
from memory.choices.slots import PROCEDURE_SLOT, TASK_SLOT
from memory.lifecycle import LIVING
from memory.models import Memory
from memory.policy import PROCEDURE
from memory.text.normalise import fold, language
from memory.vault import SubjectVault, open_vault
from memory.write.attributes import tidy
from memory.write.case import slot_of
from memory.write.evidence import cite_events
from memory.write.pipeline import decide
from memory.write.proposal import Decided, Proposal, Source

SUCCESS, FAILURE, CANCELLED = "success", "failure", "cancelled"
OUTCOMES = (SUCCESS, FAILURE, CANCELLED)
_SAID = {
    "zh": {SUCCESS: "完成", FAILURE: "失败", CANCELLED: "取消", "colon": "："},
    "en": {SUCCESS: "done", FAILURE: "failed", CANCELLED: "cancelled", "colon": ": "},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A task that has ended. ``kind`` is what sort of task it was, in the agent's words."""

    kind: str
    goal: str
    outcome: str
    steps: Sequence[str] = ()
    cause: str = ""
    event_ids: Sequence[uuid.UUID] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way of doing a kind of task: ``value`` is its digest."""

    value: int
    tried: int
    succeeded: int

    @property
    def share(self) -> float:
        """The share of its tries that succeeded, 0 to 1."""
        return self.succeeded / self.tried if self.tried else 0.0


def note_end(principal: Principal, ended: Ended) -> Decided:
    """Write down how a task ended; a way that has proved itself is proposed as a procedure.

    Call it in the transaction that ends the task.
    """
    decided = decide(principal, _episode(ended))
    memory = decided.memory
    if memory is None or decided.outcome != Outcome.ACCEPTED:
        return decided
    with acting(principal.unlimited()):
        vault = open_vault(principal)
        cite_events(vault, memory, ended.event_ids, most=PROCEDURE.events)
        way = _proved(record_of(vault, ended.kind), memory.value)
    if way is not None and ended.outcome == SUCCESS:
        propose(principal, title=ended.kind, steps=ended.steps, confidence=way.share)
    return decided


def _episode(ended: Ended) -> Proposal:
    words = _SAID["zh" if language(ended.goal) == "zh" else "en"]
    parts = [ended.goal[: PROCEDURE.goal], words[ended.outcome]]
    text = words["colon"].join(parts) + (f" ({ended.cause})" if ended.cause else "")
    now = timezone.now()
    return Proposal(
        text=text,
        source=Source(origin=Origin.AGENT, said_at=now),
        kind=Kind.EPISODIC,
        subtype=Subtype.EVENT,
        attribute=TASK_SLOT,
        condition=ended.kind,
        value=_joined(ended.steps),
        occurred=now,
        outcome=ended.outcome,
        cause=ended.cause,
        steps=tuple(ended.steps),
        tags=("task", ended.outcome),
    )


def propose(
    principal: Principal, *, title: str, steps: Sequence[str], confidence: float = 0.8
) -> Decided:
    """Propose how a kind of task is done. The person's own is in use at once; any other waits for them."""
    person = principal.is_person
    origin, role = (Origin.PERSON, Role.USER) if person else (Origin.AGENT, None)
    return decide(
        principal,
        Proposal(
            text=written(title, steps),
            source=Source(origin=origin, said_at=timezone.now(), role=role),
            kind=Kind.PROCEDURAL,
            subtype=Subtype.PROCEDURE,
            attribute=PROCEDURE_SLOT,
            condition=title,
            confidence=confidence,
            steps=tuple(steps),
        ),
        by_hand=person,
    )


def written(title: str, steps: Sequence[str]) -> str:
    """Return a procedure as its text: the title, then each step with its number."""
    lines = [f"{number}. {' '.join(step.split())}" for number, step in enumerate(steps, start=1)]
    return "\n".join([title, *lines])


def record_of(vault: SubjectVault, title: str) -> list[Way]:
    """Return the record of each way a kind of task was done, the most tried first; inside ``acting``.

    Cancelled tasks count as no try.
    """
    ended = Memory.objects.filter(
        tenant_id=vault.tenant_id,
        subject_id=vault.subject_id,
        attribute=TASK_SLOT,
        slot=slot_of(vault, condition=title),
        value__isnull=False,
        state__in=LIVING,
    )
    tried = {outcome: Q(tags__contains=[vault.digest("tag", outcome)]) for outcome in OUTCOMES}
    ways = ended.filter(tried[SUCCESS] | tried[FAILURE]).values("value")
    counted = ways.annotate(tried=Count("id"), succeeded=Count("id", filter=tried[SUCCESS]))
    return [
        Way(value=row["value"] or 0, tried=row["tried"], succeeded=row["succeeded"])
        for row in counted.order_by("-tried", "value")
    ]


def way_of(vault: SubjectVault, steps: Sequence[str]) -> int:
    """Return the digest of a way of doing, as the episodes of tasks carry it."""
    return vault.digest("value", f"{TASK_SLOT}\n{fold(tidy(_joined(steps)))}")


def _joined(steps: Sequence[str]) -> str:
    return " → ".join(steps)


def _proved(record: Sequence[Way], value: int | None) -> Way | None:
    """The way of this value, if it has succeeded often enough and no other has a better record."""
    mine = next((way for way in record if way.value == value), None)
    if mine is None or mine.succeeded < PROCEDURE.successes or mine.share < PROCEDURE.share:
        return None
    better = any(way.succeeded >= PROCEDURE.successes and way.share > mine.share for way in record)
    return None if better else mine
