"""A person's log, joined with what its lines are about as it reads now."""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from accounts.acting import acting
from accounts.choices import Action
from accounts.models import AuditEvent
from accounts.principal import Principal
from memory import access
from memory.choices import GONE
from memory.models import Memory
from memory.recall.pages import page
from memory.vault import open_vault

TOGETHER = "together"  # the decision of a line that is one of many changed at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the log. ``opened`` is the memory it names; ``erased`` says that it is gone."""

    event: AuditEvent
    opened: access.OpenedMemory | None
    erased: bool


def activity(
    principal: Principal,
    *,
    who: str = "",
    codes: Collection[str] = (),
    limit: int = 50,
    cursor: str | None = None,
) -> tuple[Sequence[Line], str | None]:
    """Return the person's log, newest first; ``who`` and ``codes`` narrow it.

    Raises:
        Forbidden: without the right to read.
        InvalidInput: for a cursor that is not ours.
    """
    access.require(principal, Action.READ)
    rows = AuditEvent.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
    rows = rows.exclude(decision=TOGETHER)  # one line stands for all of them
    if who:
        rows = rows.filter(actor_kind=who)
    if codes:
        rows = rows.filter(code__in=codes)
    events, more = page(rows, by="at", limit=limit, cursor=cursor)
    named = {one.object_id for one in events if one.object_kind == "memory" and one.object_id}
    texts = _texts(principal, named)
    lines = [
        Line(
            event=one,
            opened=texts.get(one.object_id) if one.object_id else None,
            erased=one.object_id in named and one.object_id not in texts,
        )
        for one in events
    ]
    return lines, more


def _texts(
    principal: Principal, ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, access.OpenedMemory]:
    with acting(principal):
        rows = Memory.objects.visible_to(principal).filter(id__in=ids)
        rows = rows.exclude(state__in=GONE)
        found = access.open_current(open_vault(principal), rows) if ids else []
    return {one.memory.id: one for one in found}
