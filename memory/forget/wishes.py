"""Doing what a person asked an agent to have forgotten, as far as the agent's grant reaches.

What was named without doubt is erased now; what is most likely meant is forgotten and can be taken
back. Where the grant does not let the agent forget, or see, the person is asked. Either way the slot
that was named is not learnt again.
"""

from collections.abc import Sequence
from typing import Protocol

from django.utils import timezone

from accounts.choices import Action
from accounts.principal import Principal
from memory import access
from memory.choices import Reason, ReviewKind, ReviewState, SuppressionBasis
from memory.forget.fence import fence
from memory.forget.moves import LIVING, Move, hide_all
from memory.forget.suppressions import suppress
from memory.lifecycle import lock_subject
from memory.models import Memory, ReviewItem
from memory.policy import WRITE
from memory.vault import SubjectVault, open_vault


class Wish(Protocol):
    """What somebody wants forgotten, as the words were read."""

    @property
    def slots(self) -> frozenset[str]:
        """The attributes that are not to be learnt again."""
        ...

    def names(self, text: str, attribute: str, about: str) -> bool:
        """Whether a memory was named without doubt."""
        ...

    def may_mean(self, text: str, attribute: str, value: str) -> bool:
        """Whether a memory is most likely meant."""
        ...


def obey(principal: Principal, wish: Wish) -> tuple[Reason, ...]:
    """Do what a wish of the person's asks, inside ``acting(principal.unlimited())``.

    Return what the agent may know of it: that something it may see was forgotten, or waits for the
    person. What its grant does not show is not hinted at.
    """
    lock_subject(principal)
    vault = open_vault(principal)
    _suppress(vault, wish)
    named, meant = _found(principal, vault, wish)
    ids = [one.id for one in (*named, *meant)]
    visible = Memory.objects.visible_to(principal).filter(id__in=ids)
    seen = set(visible.values_list("id", flat=True))
    done = principal.may(Action.FORGET)
    if done:
        _erase(principal, [one for one in named if one.id in seen])
        hide_all(principal, [one for one in meant if one.id in seen], reason=Move.FORGET)
    left = [one for one in (*named, *meant) if not (done and one.id in seen)]
    _ask(left[: WRITE.wish_proposals])
    if not any(one.id in seen for one in (*named, *meant)):
        return ()
    return (Reason.FORGOTTEN,) if done else (Reason.FORGET_ASKED,)


def _found(
    principal: Principal, vault: SubjectVault, wish: Wish
) -> tuple[list[Memory], list[Memory]]:
    """Return the memories that were named, and those that are most likely meant."""
    mine = Memory.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
    living = mine.filter(state__in=LIVING).select_for_update().order_by("created_at")
    named, meant = [], []
    for one in access.open_current(vault, living):
        attribute, details = one.memory.attribute, one.details
        if wish.names(one.text, attribute, str(details.get("about", ""))):
            named.append(one.memory)
        elif wish.may_mean(one.text, attribute, str(details.get("value", ""))):
            meant.append(one.memory)
    return named, meant


def _suppress(vault: SubjectVault, wish: Wish) -> None:
    for attribute in sorted(wish.slots):
        digest = vault.digest("suppress attribute", attribute)
        suppress(vault, SuppressionBasis.ATTRIBUTE, digest)


def _erase(principal: Principal, memories: Sequence[Memory]) -> None:
    if memories:
        fence(principal, memories)


def _ask(memories: Sequence[Memory]) -> None:
    """Put the question before the person; one that is open about the memory already is enough."""
    lapses_at = timezone.now() + WRITE.review_lapse
    for memory in memories:
        ReviewItem.objects.get_or_create(
            tenant_id=memory.tenant_id,
            subject_id=memory.subject_id,
            memory=memory,
            state=ReviewState.OPEN,
            defaults={"kind": ReviewKind.FORGET, "lapses_at": lapses_at},
        )
