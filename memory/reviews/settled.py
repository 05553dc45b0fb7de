"""What ended with an answer of the person: noted without a word of it, and taken back with the answer."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from accounts.principal import Principal
from memory.models import Memory, Version
from memory.write.correct import restore
from memory.write.stale import Settled


def noted(settled: Settled) -> dict[str, Any]:
    """Return the note by which ``reopen`` finds the wording that was ended."""
    until = settled.valid_to
    return {
        "memory": str(settled.former.memory_id),
        "version": settled.former.number,
        "valid_to": until.isoformat() if until else None,
    }


def reopen(principal: Principal, notes: Sequence[dict[str, Any]]) -> None:
    """Let what ended hold again, as long as it held before; what has changed since stays as it is."""
    for note in notes:
        former = (
            Version.objects.filter(memory_id=note["memory"], number=note["version"])
            .select_related("memory")
            .first()
        )
        if former is None:
            continue
        if former.memory.version == former.number:
            until = note["valid_to"] and datetime.fromisoformat(note["valid_to"])
            Version.objects.filter(id=former.id).update(valid_to=until)
            Memory.objects.filter(id=former.memory_id).update(updated_at=timezone.now())
        elif former.memory.version == former.number + 1:
            restore(principal, former)
