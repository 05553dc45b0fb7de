"""/memories/{id}/pause, resume, archive, restore, forget, undo: moves between states."""

import uuid
from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from memory import access
from memory.api import inputs, replays, schema
from memory.api.base import MemoryView, parse
from memory.api.idempotency import Written, idempotent
from memory.forget.moves import Move, move


class MoveView(MemoryView):
    """Make one move of one memory."""

    what: ClassVar[Move]

    @extend_schema(request=None, responses={200: schema.StateAnswer})
    @idempotent(replays.state)
    def post(self, request: Request, memory_id: uuid.UUID) -> Written:
        """Move the memory; the answer says what agents may do with it now."""
        parse(inputs.Nothing, request.data)
        principal = access.for_object(self.caller, "memory", memory_id)
        moved = move(principal, memory_id, self.what)
        return replays.moved(principal, moved)


class PauseView(MoveView):
    """Keep a memory, but unused."""

    what = Move.PAUSE


class ResumeView(MoveView):
    """Use a paused memory again."""

    what = Move.RESUME


class ArchiveView(MoveView):
    """Put a memory away."""

    what = Move.ARCHIVE


class RestoreView(MoveView):
    """Bring an archived memory back."""

    what = Move.RESTORE


class ForgetView(MoveView):
    """Hide a memory from every agent, with an undo window."""

    what = Move.FORGET


class UndoForgetView(MoveView):
    """Take a forgetting back."""

    what = Move.UNDO
