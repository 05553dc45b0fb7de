"""Boards and summaries change anyway: a board is written anew, a summary is dropped and made anew."""

import json
import uuid

from accounts import audit
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory.models import ObjectKey, Summary, TaskBoard
from memory.sessions import board_state
from memory.vault import Place, SubjectVault

BOARDS, SUMMARIES = "redacted_boards", "erased_summaries"


def scan_board(principal: Principal, vault: SubjectVault, board_id: uuid.UUID) -> str | None:
    """Give a board its next version, if the door of today finds a secret in this one."""
    row = TaskBoard.objects.select_for_update().filter(id=board_id).first()
    if row is None or not vault.holds(board_id):
        return None
    place = Place(object_id=row.id, number=row.version, field="state")
    state = json.loads(vault.unseal(place, row.state))
    clean = {name: board_state.without_secrets(value, name) for name, value in state.items()}
    if clean == state:
        return None
    row.version += 1
    row.state = vault.seal(
        Place(object_id=row.id, number=row.version, field="state"), board_state.written(clean)
    )
    row.save(update_fields=["version", "state"])
    audit.record(
        principal,
        AuditCode.BOARD_CHANGED,
        object_kind="board",
        object_id=row.id,
        version_before=row.version - 1,
        version_after=row.version,
        decision=row.status,
    )
    return BOARDS


def scan_summary(principal: Principal, vault: SubjectVault, summary_id: uuid.UUID) -> str | None:
    """Drop a summary with a secret whose turn is gone; it is made anew from the turns there are."""
    row = Summary.objects.select_for_update().filter(id=summary_id).first()
    if row is None or not vault.holds(summary_id):
        return None
    told = json.loads(vault.unseal(Place(object_id=row.id, number=row.version), row.text))
    if board_state.without_secrets(told, "") == told:
        return None
    ObjectKey.objects.filter(object_id=row.id).delete()
    row.delete()
    audit.record(
        principal,
        AuditCode.RESCANNED,
        object_kind="summary",
        object_id=summary_id,
        reason=SUMMARIES,
    )
    return SUMMARIES
