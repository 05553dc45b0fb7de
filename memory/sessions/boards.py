"""The board of a task: an agent's sealed note about one person's task, with version and step.

It belongs to the caller's ``task_id``, not to a session: closing one leaves it, another session or
device goes on with it. It ends by being completed or cancelled, and goes when its time is over.
"""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from accounts.subjects import is_valid_id
from memory import access
from memory.errors import Forbidden, Gone, InvalidInput, NotFound, StaleState, VersionRequired
from memory.models import Event, ObjectKey, TaskBoard, Tombstone
from memory.policy import BOARD
from memory.sessions.board_state import State, checked, merged, written
from memory.sessions.ending import Report, remember_end
from memory.vault import Place, open_vault

OPEN, COMPLETED, CANCELLED = "open", "completed", "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A board with its state opened."""

    row: TaskBoard
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a write brings. ``version`` is the one that was read, None if none was.

    ``step`` None leaves the step; ``cites`` are events the state rests on, so that their erasure
    reaches the board.
    """

    version: int | None
    step: int | None = None
    cites: Sequence[uuid.UUID] = ()


def read(principal: Principal, *, task_id: str) -> Board:
    """Return the board of a task; an agent sees its own, the person the last changed of the name.

    Raises:
        Forbidden: without a grant to read, or while memory is off.
        NotFound: if there is none, its time is over, or it is another agent's.
        Gone: if what it rests on was erased.
    """
    access.require(principal, Action.READ)
    _check_name(task_id)
    with acting(principal):
        board = opened(principal, find(principal, task_id))
        audit.record(
            principal,
            AuditCode.BOARD_READ,
            object_kind="board",
            object_id=board.row.id,
            version_after=board.row.version,
        )
    return board


def put(
    principal: Principal, *, task_id: str, state: Mapping[str, Any], change: Change
) -> tuple[Board, bool]:
    """Replace the state of a task's board, or make the board, and say whether it is new.

    Raises:
        Forbidden, NotFound, Gone: as ``read``; a version names no board that is there.
        InvalidInput, TooLarge: for a state that may not be kept.
        VersionRequired: if the board exists and no version was given.
        StaleState: for an old version or step, or a board that has ended.
    """
    require_writing(principal)
    _check_name(task_id)
    clean = checked(state)
    with acting(principal):
        row = _row(principal, task_id, lock=True)
        if row is None:
            if change.version is not None:
                raise NotFound("There is no board of this task_id; send it without If-Match.")
            return _create(principal, task_id, clean, change), True
        _refuse_gone(principal, row)
        _write(principal, row, clean, change)
        return Board(row=row, state=clean), False


def patch(principal: Principal, *, task_id: str, state: Mapping[str, Any], change: Change) -> Board:
    """Merge a patch into the state of a task's board (RFC 7396).

    Raises:
        Forbidden, NotFound, Gone, InvalidInput, TooLarge, VersionRequired, StaleState: as ``put``.
    """
    require_writing(principal)
    _check_name(task_id)
    with acting(principal):
        board = opened(principal, find(principal, task_id, lock=True))
        clean = checked(merged(board.state, dict(state)))
        _write(principal, board.row, clean, change)
        return Board(row=board.row, state=clean)


def finish(
    principal: Principal,
    *,
    task_id: str,
    status: str,
    version: int | None,
    report: Report | None = None,
) -> Board:
    """Complete or cancel a task and write down how it ended; doing it again changes nothing.

    Raises:
        Forbidden, NotFound, Gone: as ``read``.
        StaleState: for an old version, or a task that ended the other way.
    """
    require_writing(principal)
    _check_name(task_id)
    with acting(principal):
        board = opened(principal, find(principal, task_id, lock=True))
        row = board.row
        if row.status == status:
            return board
        _refuse_stale(row, row.version if version is None else version)
        row.status = status
        _save(principal, row, board.state)
        remember_end(
            principal,
            state=board.state,
            event_ids=row.event_ids,
            report=report or Report(),
            cancelled=status == CANCELLED,
        )
        return board


# --- rows ----------------------------------------------------------------------------------------


def find(principal: Principal, task_id: str, *, lock: bool = False) -> TaskBoard:
    """Return the row of a task's board that the principal may see, inside ``acting``.

    Raises:
        NotFound: if there is none, its time is over, or it is another agent's.
    """
    row = _row(principal, task_id, lock=lock)
    if row is None:
        raise NotFound("There is no board of this task_id.")
    return row


def opened(principal: Principal, row: TaskBoard) -> Board:
    """Open a board, inside ``acting``.

    Raises:
        Gone: if what it rests on was erased.
    """
    _refuse_gone(principal, row)
    place = Place(object_id=row.id, number=row.version, field="state")
    return Board(row=row, state=json.loads(open_vault(principal).unseal(place, row.state)))


def _row(principal: Principal, task_id: str, *, lock: bool) -> TaskBoard | None:
    now = timezone.now()
    rows = TaskBoard.objects.filter(
        Q(expires_at__isnull=True) | Q(expires_at__gt=now),
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        external_id=task_id,
    )
    if principal.agent_id is not None:
        rows = rows.filter(agent_id=principal.agent_id)
    return (rows.select_for_update() if lock else rows).order_by("-updated_at", "id").first()


def _create(principal: Principal, task_id: str, state: State, change: Change) -> Board:
    names = {
        "tenant_id": principal.tenant_id,
        "subject_id": principal.person_id,
        "agent_id": principal.actor_id,
        "external_id": task_id,
    }
    over = TaskBoard.objects.filter(**names, expires_at__lte=timezone.now())
    ObjectKey.objects.filter(object_id__in=list(over.values_list("id", flat=True))).delete()
    over.delete()
    row = TaskBoard(**names, version=0, step=change.step or 0, event_ids=_known(principal, change))
    try:
        with transaction.atomic():
            _save(principal, row, state, new=True)
    except IntegrityError:
        raise StaleState("Somebody else made this board first; read it.") from None
    return Board(row=row, state=state)


def _write(principal: Principal, row: TaskBoard, state: State, change: Change) -> None:
    if change.version is None:
        raise VersionRequired('Send If-Match with the version you read, for example If-Match: "3".')
    _refuse_stale(row, change.version)
    if change.step is not None and change.step < row.step:
        raise StaleState(f"The task has come to step {row.step}; read the board again.")
    row.step = row.step if change.step is None else change.step
    row.event_ids = list(dict.fromkeys([*row.event_ids, *_known(principal, change)]))
    _save(principal, row, state)


def _save(principal: Principal, row: TaskBoard, state: State, *, new: bool = False) -> None:
    """Seal the state as the row's next version and write it down."""
    before, now = row.version, timezone.now()
    row.version = before + 1
    place = Place(object_id=row.id, number=row.version, field="state")
    row.state = open_vault(principal).seal(place, written(state))
    row.updated_at, row.expires_at = now, now + BOARD.lifetime
    row.save(force_insert=new)
    audit.record(
        principal,
        AuditCode.BOARD_CHANGED,
        object_kind="board",
        object_id=row.id,
        version_before=before or None,
        version_after=row.version,
        decision=row.status,
    )


# --- refusals ------------------------------------------------------------------------------------


def _check_name(task_id: str) -> None:
    if not is_valid_id(task_id):
        raise InvalidInput("task_id must be printable text of 1 to 200 characters, not padded.")


def require_writing(principal: Principal) -> None:
    """Refuse whoever may not keep boards for the person.

    Raises:
        Forbidden: says why.
    """
    access.require(principal, Action.WRITE)
    if principal.agent_id is None:
        raise Forbidden("Only an agent's key keeps boards.")
    if not principal.may_use:  # a board outlives its session, so it is memory
        raise Forbidden("The person has switched memory off for this agent.")


def _refuse_gone(principal: Principal, row: TaskBoard) -> None:
    mine = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    erased = Tombstone.objects.filter(**mine, object_id__in=[row.id, *row.event_ids]).exists()
    if erased or not ObjectKey.objects.filter(**mine, object_id=row.id).exists():
        raise Gone("What this board rests on was erased.")


def _refuse_stale(row: TaskBoard, version: int) -> None:
    if row.status != OPEN:
        raise StaleState(f"This task was {row.status}; use another task_id.")
    if version != row.version:
        raise StaleState(f"The board is at version {row.version}; read it again.")


def _known(principal: Principal, change: Change) -> list[uuid.UUID]:
    """Return the cited events.

    Raises:
        NotFound: if one is not there or another agent's.
    """
    wanted = list(dict.fromkeys(change.cites))
    seen = Event.objects.filter(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        agent_id=principal.agent_id,
        id__in=wanted,
    ).count()
    if seen != len(wanted):
        raise NotFound("An event that the board rests on is not there.")
    return wanted
