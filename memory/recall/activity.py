"""A person's log, joined with what its lines are about as it reads now."""

import uuid
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, ActorKind, AuditCode
from accounts.models import AuditEvent
from accounts.principal import Principal
from memory import access
from memory.choices import GONE
from memory.choices.transfer import LOG
from memory.errors import Forbidden
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowed:
    """Which lines are meant: by who acted, what was done, which agent acted or was changed, and when.

    Without anything, every one; ``until`` is the first moment that is not meant any more.
    """

    who: str = ""
    codes: Collection[str] = ()
    agent_id: uuid.UUID | None = None
    since: datetime | None = None
    until: datetime | None = None

    def of(self, rows: QuerySet[AuditEvent]) -> QuerySet[AuditEvent]:
        """Keep the lines that are meant."""
        if self.who:
            rows = rows.filter(actor_kind=self.who)
        if self.codes:
            rows = rows.filter(code__in=self.codes)
        if self.agent_id is not None:
            changed = Q(object_kind="agent", object_id=self.agent_id)
            rows = rows.filter(Q(actor_kind=ActorKind.AGENT, actor_id=self.agent_id) | changed)
        if self.since is not None:
            rows = rows.filter(at__gte=self.since)
        return rows if self.until is None else rows.filter(at__lt=self.until)


def activity(
    principal: Principal, narrowed: Narrowed, *, limit: int = 50, cursor: str | None = None
) -> tuple[Sequence[Line], str | None]:
    """Return the person's log, newest first; one line stands for many memories changed at once.

    Raises:
        Forbidden: without the right to read.
        InvalidInput: for a cursor that is not ours.
    """
    access.require(principal, Action.READ)
    rows = narrowed.of(_log(principal)).exclude(decision=TOGETHER)
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


def every_line(principal: Principal, narrowed: Narrowed) -> Iterator[AuditEvent]:
    """Note that the log is taken along, then return its lines, newest first, as they were written.

    Raises:
        Forbidden: for anybody but the person; raised at the call, before the first line.
    """
    if not principal.is_person:
        raise Forbidden("Only the person takes their log along.")
    rows = narrowed.of(_log(principal))
    with acting(principal):
        count = rows.count()
        audit.record(principal, AuditCode.DATA_EXPORTED, result_count=count, reason=LOG)
    return rows.order_by("-at", "-id").iterator(chunk_size=1000)


def _log(principal: Principal) -> QuerySet[AuditEvent]:
    return AuditEvent.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)


def _texts(
    principal: Principal, ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, access.OpenedMemory]:
    with acting(principal):
        rows = Memory.objects.visible_to(principal).filter(id__in=ids)
        rows = rows.exclude(state__in=GONE)
        found = access.open_current(open_vault(principal), rows) if ids else []
    return {one.memory.id: one for one in found}
