"""What an agent says of what it was handed: it helped, it made the answer worse, it is wrong.

It is counted, and moves the memory's confidence by small steps between bounds. Trust stays as it is,
and what an agent calls wrong is asked of the person, who alone decides.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import ReviewKind, ReviewState, State, Trust
from memory.choices.verdicts import Verdict
from memory.errors import Forbidden, Gone, InvalidInput, NotFound
from memory.models import Feedback, Memory, RecalledMemory, RecallLog, ReviewItem
from memory.policy import FEEDBACK
from memory.write.store import ask


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A verdict on a memory, on a recall as a whole, or on a memory that a recall handed over.

    Without one it says alone how the task went that the recall was for.
    """

    verdict: Verdict | None = None
    recall_id: uuid.UUID | None = None
    memory_id: uuid.UUID | None = None
    task_id: str = ""
    success: bool | None = None


def report(principal: Principal, said: Report) -> tuple[Feedback, bool]:
    """Note what an agent says, and return it and whether it is new.

    Said again it counts once; how the task went may be told later.

    Raises:
        Forbidden: for a person, without a grant to read, or where learning is off.
        NotFound, Gone: if there is no such memory that the agent may see, or no such recall of its own.
        InvalidInput: if neither is named, if the recall did not hand over that memory, if it is not said
            which memory is wrong, or if there is no verdict on a memory, and none on a recall whose
            task is not said to have gone well or not.
    """
    if principal.agent_id is None:
        raise Forbidden("Feedback is an agent's; the person confirms, corrects or rejects.")
    with acting(principal):
        recall = _own_recall(principal, said.recall_id) if said.recall_id else None
        handed = _handed(recall) if recall else []
        memories = _judged(principal, said, handed)
        if not principal.may_learn:
            raise Forbidden("The person has switched learning off for this agent.")
        row, is_new = _noted(principal, said)
        if is_new:
            asked = _weigh(said, memories, share=1 if said.memory_id else len(handed))
            _note(principal, row, "asked" if asked else "")
    return row, is_new


def feedback_of(principal: Principal, feedback_id: uuid.UUID) -> Feedback:
    """Return what the agent said.

    Raises:
        Gone: if it was erased with what it is about.
    """
    with acting(principal):
        row = Feedback.objects.filter(
            tenant_id=principal.tenant_id, subject_id=principal.person_id, id=feedback_id
        ).first()
    if row is None or row.agent_id != principal.agent_id:
        raise Gone
    return row


def moved(confidence: float, *, trust: Trust, verdict: Verdict | None, share: int = 1) -> float:
    """Return a memory's confidence after a verdict on one of ``share`` memories together. Pure.

    What is above the ceiling or below its floor already stays there.
    """
    if verdict == Verdict.HELPED:
        return max(confidence, min(confidence + FEEDBACK.helped / share, FEEDBACK.ceiling))
    if verdict == Verdict.HURT:
        return min(confidence, max(confidence - FEEDBACK.hurt / share, _floor(trust)))
    return confidence


def _floor(trust: Trust) -> float:
    if trust >= Trust.CONFIRMED:
        return FEEDBACK.floor_confirmed
    return FEEDBACK.floor_stated if trust >= Trust.STATED else FEEDBACK.floor


def _own_recall(principal: Principal, recall_id: uuid.UUID) -> RecallLog:
    """Return a recall of the agent's own, locked, so that the same thing said twice at once is one."""
    rows = RecallLog.objects.select_for_update().filter(
        tenant_id=principal.tenant_id, subject_id=principal.person_id, id=recall_id
    )
    recall = rows.filter(agent_id=principal.agent_id).first()
    if recall is None:
        raise NotFound
    access.require(principal, Action.READ)
    return recall


def _handed(recall: RecallLog) -> list[uuid.UUID]:
    rows = RecalledMemory.objects.filter(recall=recall)
    return list(rows.values_list("memory_id", flat=True))


def _judged(principal: Principal, said: Report, handed: Sequence[uuid.UUID]) -> list[Memory]:
    """Return the memories that the verdict is about and the agent may still see, locked."""
    if said.verdict is None and (said.memory_id is not None or said.success is None):
        raise InvalidInput("Give a verdict; without one, recall_id and success alone.")
    if said.memory_id is not None:
        memory = access.access_memory(principal, said.memory_id, lock=True)
        if said.recall_id is not None and memory.id not in handed:
            raise InvalidInput("That recall did not hand this memory over.")
        return [memory]
    if said.recall_id is None:
        raise InvalidInput("Give recall_id, memory_id or both.")
    if said.verdict == Verdict.WRONG:
        raise InvalidInput("Say which memory is wrong: give memory_id.")
    rows = access.memories_visible_to(principal).filter(id__in=handed)
    return list(rows.select_for_update().order_by("id"))


def _noted(principal: Principal, said: Report) -> tuple[Feedback, bool]:
    once: dict[str, Any] = {
        "tenant_id": principal.tenant_id,
        "subject_id": principal.person_id,
        "agent_id": principal.agent_id,
        "recall_id": said.recall_id,
        "memory_id": said.memory_id,
        "verdict": said.verdict or "",
    }
    row, is_new = Feedback.objects.get_or_create(
        **once, defaults={"task_id": said.task_id, "success": said.success}
    )
    if not is_new and said.success is not None:
        row.task_id = said.task_id or row.task_id
        row.success, row.at = said.success, timezone.now()
        row.save(update_fields=["task_id", "success", "at"])
    return row, is_new


def _weigh(said: Report, memories: Sequence[Memory], *, share: int) -> bool:
    """Move the confidence of each, or ask the person; return whether they are asked."""
    if said.verdict == Verdict.WRONG:
        return _ask(memories[0])
    for memory in memories if said.verdict else []:
        trust = Trust(memory.trust)
        to = moved(memory.confidence, trust=trust, verdict=said.verdict, share=share)
        Memory.objects.filter(id=memory.id).update(confidence=to)
    return False


def _ask(memory: Memory) -> bool:
    """Ask the person, unless it waits already, they were asked lately, or too much waits."""
    now = timezone.now()
    asked = ReviewItem.objects.filter(
        tenant_id=memory.tenant_id, subject_id=memory.subject_id, kind=ReviewKind.WRONG
    )
    lately = asked.filter(memory=memory, created_at__gt=now - FEEDBACK.pause).exists()
    full = asked.filter(state=ReviewState.OPEN).count() >= FEEDBACK.waiting
    if memory.state != State.ACTIVE or lately or full:
        return False
    try:
        with transaction.atomic():
            ask(memory, kind=ReviewKind.WRONG)
    except IntegrityError:  # it lies before the person with another question
        return False
    return True


def _note(principal: Principal, row: Feedback, reason: str) -> None:
    audit.record(
        principal,
        AuditCode.FEEDBACK_GIVEN,
        object_kind="memory" if row.memory_id else "recall",
        object_id=row.memory_id or row.recall_id,
        decision=row.verdict,
        reason=reason,
    )
