"""Taking an answer back while its window lasts: everything stands as it stood, and the question is open."""

import uuid
from datetime import datetime

from django.utils import timezone

from accounts.acting import acting
from accounts.principal import Principal
from memory import access
from memory.choices import ConflictState, ReviewKind, ReviewState, State
from memory.errors import StaleState
from memory.forget.moves import reveal
from memory.forget.suppressions import lift_digests
from memory.models import Conflict, Memory, ReviewItem, Version
from memory.reviews.answers import lock_item, note
from memory.reviews.listing import require_person
from memory.reviews.merging import stand_again, waiting
from memory.reviews.settled import reopen
from memory.text.normalise import fold
from memory.vault import open_vault
from memory.write.correct import restore


def undo(principal: Principal, review_id: uuid.UUID) -> Memory:
    """Take a decision back: the question is open again, and the memory as it was before.

    Raises:
        Forbidden, NotFound: not the person, not theirs.
        StaleState: if nothing was decided, the window is over, or something changed it since.
    """
    require_person(principal)
    with acting(principal.unlimited()):
        item = lock_item(principal, review_id)
        if item.state == ReviewState.OPEN or item.undo_until is None:
            raise StaleState("There is no decision to take back.")
        if item.undo_until <= timezone.now():
            raise StaleState("Too late to take back: the undo window is over.")
        if item.state == ReviewState.REJECTED:
            forgotten_at = item.memory.updated_at
            reveal(principal, item.memory)
            if item.kind != ReviewKind.MERGE:
                _lift(principal, item.memory, forgotten_at)
        else:
            _unkeep(principal, item)
            ReviewItem.objects.filter(id=item.id).update(
                state=ReviewState.OPEN, decided_at=None, undo_until=None
            )
            note(principal, item.memory, "undo", reason=item.kind)
        return item.memory


def _unkeep(principal: Principal, item: ReviewItem) -> None:
    """Put a kept memory back where it waited, and a value that it replaced back in force."""
    memory, before = item.memory, item.before
    kept = State.ARCHIVED if "version" in before else State.ACTIVE
    if "version" in before:
        _restore_current(principal, item)
    back = {
        "state": before["state"],
        "trust": before["trust"],
        "confidence": before["confidence"],
        "last_confirmed_at": datetime.fromisoformat(before["last_confirmed_at"]),
        "wording": before.get("wording", memory.wording),
        "updated_at": timezone.now(),
    }
    if "merged" in before:
        back |= waiting(before)
    if not Memory.objects.filter(id=memory.id, state=kept).update(**back):
        raise StaleState("It was moved since; nothing was taken back.")
    memory.refresh_from_db()
    if "merged" in before:
        stand_again(before)
    reopen(principal, before.get("settled", ()))


def _restore_current(principal: Principal, item: ReviewItem) -> None:
    conflict = (
        Conflict.objects.filter(challenger=item.memory, state=ConflictState.RESOLVED)
        .select_related("current")
        .first()
    )
    current, before = conflict.current if conflict else None, item.before
    changed = current is None or current.state != State.ACTIVE
    if conflict is None or current is None or changed or current.version != before["version"] + 1:
        raise StaleState("What it replaced has changed since; correct that memory instead.")
    restore(principal, Version.objects.get(memory=current, number=before["version"]))
    # The memory may have earned more trust than the wording it had then.
    Memory.objects.filter(id=current.id).update(trust=before["trust_of_current"])
    Conflict.objects.filter(id=conflict.id).update(state=ConflictState.OPEN, resolved_at=None)


def _lift(principal: Principal, memory: Memory, forgotten_at: datetime) -> None:
    vault = open_vault(principal)
    text = access.open_current(vault, [memory])[0].text
    digest = vault.digest("suppress wording", fold(text))
    lift_digests(principal, [digest], made_at=[forgotten_at])
