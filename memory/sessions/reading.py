"""Reading a session: its messages by the time they were said."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import models
from django.db.models import Exists, OuterRef, Q

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import access
from memory.errors import InvalidInput
from memory.models import Message, Session
from memory.recall.pages import make_cursor, read_cursor
from memory.sessions.life import require_reading
from memory.sessions.originals import open_texts, speaker
from memory.vault import SubjectVault, open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedMessage:
    """A message with its words. ``late``: it came in after a message that was said later."""

    message: Message
    text: str
    name: str
    late: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePage:
    """One page of messages and the cursor of the next one."""

    items: Sequence[OpenedMessage]
    next: str | None


def list_messages(
    principal: Principal, *, session_id: uuid.UUID, limit: int, cursor: str | None
) -> MessagePage:
    """Return a page of a session's messages, oldest first by when they were said.

    What was said at the same moment stands in the order it came in.

    Raises:
        Forbidden: without a grant to read.
        NotFound: for another person's or agent's session.
        InvalidInput: for a cursor that is not ours.
    """
    require_reading(principal)
    with acting(principal):
        session = access.access_session(principal, session_id)
        rows = in_order(session)
        if cursor:
            at, sequence = read_cursor(cursor)
            if not isinstance(sequence, int):
                raise InvalidInput("cursor is not one that this list returned.")
            rows = rows.filter(Q(at__gt=at) | Q(at=at, sequence__gt=sequence))
        found = list(_with_lateness(rows).select_related("event")[: limit + 1])
        items = open_messages(open_vault(principal), found[:limit])
        audit.record(
            principal,
            AuditCode.SESSION_READ,
            object_kind="session",
            object_id=session.id,
            result_count=len(items),
        )
    more = len(found) > limit
    last = found[limit - 1] if more else None
    return MessagePage(items=items, next=make_cursor(last.at, last.sequence) if last else None)


def in_order(session: Session) -> models.QuerySet[Message]:
    """Return a session's messages by the time they were said, then by their coming in."""
    return Message.objects.filter(
        tenant_id=session.tenant_id, subject_id=session.subject_id, session=session
    ).order_by("at", "sequence")


def _with_lateness(rows: models.QuerySet[Message]) -> models.QuerySet[Message]:
    overtaken = Message.objects.filter(
        session=OuterRef("session"), sequence__lt=OuterRef("sequence"), at__gt=OuterRef("at")
    )
    return rows.annotate(late=Exists(overtaken))


def open_messages(vault: SubjectVault, messages: Sequence[Message]) -> list[OpenedMessage]:
    """Open messages, in their order, without those that an erasure has reached."""
    texts = open_texts(vault, [message.event for message in messages])
    return [
        OpenedMessage(
            message=message,
            text=texts[message.event_id],
            name=speaker(vault, message.event),
            late=getattr(message, "late", False),
        )
        for message in messages
        if message.event_id in texts
    ]
