"""Observations: what an agent saw in one step of a task, kept as events."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory.choices import Role
from memory.choices.events import EventType
from memory.errors import InvalidInput, StaleState, TooLarge
from memory.models import Event, TaskBoard
from memory.policy import BOARD, RETENTION
from memory.sessions import boards
from memory.sessions.messages import event_digest
from memory.vault import Place, open_vault
from memory.write.redact import redact


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What was seen in ``step``; ``at`` is when, None means now."""

    step: int
    text: str
    at: datetime | None = None


def observe(
    principal: Principal, *, task_id: str, seen: Observation
) -> tuple[uuid.UUID, TaskBoard]:
    """Keep an observation of the step the task stands at; return its event and the board's row.

    The board's version stays: results of one step may come in while the next state is written.

    Raises:
        Forbidden, NotFound, Gone: as for reading a board.
        InvalidInput, TooLarge: for an empty text, or one over the limit.
        StaleState: for another step than the board's, or a task that has ended.
    """
    boards.require_writing(principal)
    _check(seen)
    with acting(principal):
        row = boards.opened(principal, boards.find(principal, task_id, lock=True)).row
        _refuse_old(row, seen)
        event = _store(principal, row, seen)
        row.event_ids = [*row.event_ids, event.id]
        row.save(update_fields=["event_ids"])
        audit.record(
            principal,
            AuditCode.BOARD_CHANGED,
            object_kind="board",
            object_id=row.id,
            version_after=row.version,
            decision="observed",
        )
    return event.id, row


def _check(seen: Observation) -> None:
    if not seen.text.strip():
        raise InvalidInput("observation is empty.")
    if len(seen.text) > BOARD.max_observation:
        raise TooLarge(f"An observation is at most {BOARD.max_observation} characters.")


def _refuse_old(row: TaskBoard, seen: Observation) -> None:
    if row.status != boards.OPEN:
        raise StaleState(f"This task was {row.status}.")
    if seen.step != row.step:
        raise StaleState(f"The task stands at step {row.step}, this was seen in step {seen.step}.")
    if len(row.event_ids) >= BOARD.max_observations:
        raise TooLarge(f"A board holds at most {BOARD.max_observations} events.")


def _store(principal: Principal, row: TaskBoard, seen: Observation) -> Event:
    event_id, at = uuid.uuid4(), seen.at or timezone.now()
    redacted, vault = redact(seen.text), open_vault(principal)
    return Event.objects.create(
        id=event_id,
        tenant_id=row.tenant_id,
        subject_id=row.subject_id,
        type=EventType.OBSERVATION,
        role=Role.TOOL,
        agent_id=row.agent_id,
        text=vault.seal(Place(object_id=event_id), redacted.text),
        digest=event_digest(vault, role=Role.TOOL, at=at, text=redacted.text),
        redacted=sorted({found.type for found in redacted.secrets}),
        occurred_at=at,
        expires_at=timezone.now() + RETENTION.event,
    )
