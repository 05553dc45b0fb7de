"""A kept merge takes the place of its fragments; taken back, they stand as they stood."""

from typing import Any

from django.utils import timezone

from accounts.principal import Principal
from memory import access
from memory.choices import State
from memory.choices.slots import MERGE_SLOT
from memory.errors import StaleState
from memory.forget.derived import outdated
from memory.forget.fence import use_again
from memory.lifecycle import transition
from memory.models import Derivation, Memory
from memory.vault import open_vault
from memory.write.case import wording_of


def take_their_place(principal: Principal, merged: Memory) -> dict[str, Any]:
    """Put the fragments away and give ``merged`` what they held; return what undoes it.

    Raises:
        StaleState: if one of them changed since it was proposed.
    """
    if merged.id in {one.id for one in outdated(principal)}:
        raise StaleState("Some of these memories changed since; nothing was merged.")
    vault = open_vault(principal)
    parents = Derivation.objects.filter(memory=merged).values("parent_id")
    fragments = list(Memory.objects.select_for_update().filter(id__in=parents).order_by("id"))
    for one in fragments:
        transition(one, State.ARCHIVED)
    first = fragments[0]
    text = access.open_current(vault, [merged])[0].text
    before = {"slot": merged.slot, "merged": [str(one.id) for one in fragments]}
    merged.attribute, merged.slot = first.attribute, first.slot
    merged.in_profile = any(one.in_profile for one in fragments)
    merged.wording = wording_of(vault, text)
    merged.updated_at = timezone.now()
    merged.save(update_fields=["attribute", "slot", "in_profile", "wording", "updated_at"])
    return before


def waiting(before: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of a merged memory as they were while it waited."""
    own = {"attribute": MERGE_SLOT, "in_profile": False, "wording": None}
    return own | {"slot": before["slot"]}


def stand_again(before: dict[str, Any]) -> None:
    """Bring the fragments back, after the merged memory gave way; one whose words another has meanwhile
    stays put away.

    Raises:
        StaleState: if one of them was moved meanwhile.
    """
    rows = Memory.objects.select_for_update().filter(id__in=before["merged"]).order_by("id")
    for one in rows:
        use_again(one)
