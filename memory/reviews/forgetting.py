"""The person forgets: with or without learning it again, and taken back with all that it did."""

import uuid
from datetime import datetime

from accounts.acting import acting
from accounts.principal import Principal
from memory import access
from memory.choices import SuppressionBasis
from memory.forget.fence import erase
from memory.forget.moves import Move, move, standing
from memory.forget.suppressions import lift_digests, suppress
from memory.lifecycle import lock_subject
from memory.models import Erasure, Event, Evidence, Memory
from memory.reviews.listing import require_person
from memory.text.normalise import fold
from memory.vault import SubjectVault, open_vault


def forget(principal: Principal, memory_id: uuid.UUID, *, never_again: bool = False) -> Memory:
    """Hide a memory from every agent until its undo window ends; then it is erased.

    ``never_again`` also keeps its wording, its source messages and, where the attribute holds one
    value (a home town), the attribute from being learnt again; only keyed digests stay.

    Raises:
        Forbidden, NotFound, Gone, StaleState: not the person; as for any move.
    """
    require_person(principal)
    with acting(principal.unlimited()):
        memory = move(principal, memory_id, Move.FORGET)
        if never_again:
            _suppress(open_vault(principal), memory, at=memory.updated_at)
        return memory


def erase_now(principal: Principal, memory_id: uuid.UUID, *, never_again: bool = False) -> Erasure:
    """Erase a memory now, without a way back; ``never_again`` as for ``forget``.

    Raises:
        Forbidden, NotFound, Gone: not the person; as for any access.
    """
    require_person(principal)
    with acting(principal.unlimited()):
        if never_again:
            memory = access.access_memory(principal, memory_id)
            _suppress(open_vault(principal), memory)
        return erase(principal, memory_id)


def take_back(principal: Principal, memory_id: uuid.UUID) -> Memory:
    """Take a forgetting back: the memory stands where it stood, and may be learnt again.

    Raises:
        Forbidden, NotFound, Gone, StaleState: not the person; too late; as for any move.
    """
    require_person(principal)
    with acting(principal.unlimited()):
        lock_subject(principal)
        forgotten_at = standing(principal, memory_id).updated_at
        memory = move(principal, memory_id, Move.UNDO)
        refused = refused_by(open_vault(principal), memory)
        lift_digests(principal, [digest for _, digest in refused], made_at=[forgotten_at])
        return memory


def _suppress(vault: SubjectVault, memory: Memory, *, at: datetime | None = None) -> None:
    for basis, digest in refused_by(vault, memory):
        suppress(vault, basis, digest, at=at)


def refused_by(vault: SubjectVault, memory: Memory) -> list[tuple[SuppressionBasis, int]]:
    """Return what must not be learnt again of a memory, each with what it matches by."""
    text = access.open_current(vault, [memory])[0].text
    found = [(SuppressionBasis.WORDING, vault.digest("suppress wording", fold(text)))]
    if memory.single and memory.attribute:
        digest = vault.digest("suppress attribute", memory.attribute)
        found.append((SuppressionBasis.ATTRIBUTE, digest))
    cited = Evidence.objects.filter(memory=memory, event_id__isnull=False)
    events = Event.objects.filter(
        tenant_id=memory.tenant_id,
        subject_id=memory.subject_id,
        id__in=cited.values_list("event_id", flat=True),
    )
    digests = events.order_by("id").values_list("digest", flat=True)
    return found + [(SuppressionBasis.EVENT, digest) for digest in digests]
