"""What happens to questions by the clock: they lapse, are settled, and are asked again after a year.

Guesses that nobody kept are erased with all that expires (`memory.forget.expire`).
"""

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from accounts.acting import acting
from accounts.models import Subject
from accounts.principal import Principal
from accounts.subjects import system
from memory.choices import ConflictState, ReviewKind, ReviewState, State, Trust
from memory.forget.fence import fence
from memory.lifecycle import lock_subject
from memory.models import Conflict, Memory, ReviewItem
from memory.policy import STALE, WORK
from memory.reviews.answers import note
from memory.rounds import go_round
from memory.write.store import ask


def sweep() -> int:
    """Go round all people; return how many questions lapsed, were settled or asked."""
    return go_round("sweep_reviews", Subject.objects.all(), _visit)


def _visit(person: Subject) -> int:
    principal = system(person.tenant_id, person.id, label="reviews")
    return lapse(principal) + settle(principal) + ask_again(principal)


def lapse(principal: Principal) -> int:
    """End the questions about what is in use whose time is over; it stays as it is. Return how many."""
    with acting(principal.unlimited()):
        due = ReviewItem.objects.select_for_update(of=("self",), skip_locked=True).filter(
            subject_id=principal.person_id,
            state=ReviewState.OPEN,
            lapses_at__lte=timezone.now(),
        )
        in_use = due.exclude(memory__state=State.PENDING).select_related("memory")
        items = list(in_use.order_by("lapses_at")[: WORK.batch])
        for item in items:
            item.state = ReviewState.LAPSED
            item.save(update_fields=["state"])
            note(principal, item.memory, ReviewState.LAPSED, reason=item.kind)
    return len(items)


def settle(principal: Principal) -> int:
    """Erase challengers that became another memory's version and cannot be taken back; return how many."""
    with acting(principal.unlimited()):
        lock_subject(principal)
        over = Q(undo_until__isnull=True) | Q(undo_until__lte=timezone.now())
        decided = ReviewItem.objects.filter(
            over, memory=OuterRef("pk"), state__in=(ReviewState.KEPT, ReviewState.EDITED)
        )
        merged = Conflict.objects.filter(challenger=OuterRef("pk"), state=ConflictState.RESOLVED)
        found = Memory.objects.select_for_update(skip_locked=True).filter(
            Exists(decided), Exists(merged), subject_id=principal.person_id, state=State.ARCHIVED
        )
        memories = list(found[: WORK.batch])
        if memories:
            fence(principal, memories, carriers=False)
    return len(memories)


def ask_again(principal: Principal) -> int:
    """Ask whether what was confirmed long ago is still true, a few at a time; return how many."""
    now = timezone.now()
    with acting(principal.unlimited()):
        asked = ReviewItem.objects.filter(memory=OuterRef("pk"))
        lately = Q(state=ReviewState.OPEN) | Q(
            kind=ReviewKind.STALE, created_at__gt=now - STALE.after
        )
        open_now = ReviewItem.objects.filter(
            subject_id=principal.person_id, kind=ReviewKind.STALE, state=ReviewState.OPEN
        ).count()
        due = Memory.objects.filter(
            ~Exists(asked.filter(lately)),
            subject_id=principal.person_id,
            state=State.ACTIVE,
            subtype__in=STALE.subtypes,
            trust__gte=Trust.STATED,
            last_confirmed_at__lte=now - STALE.after,
        ).order_by("last_confirmed_at")[: max(STALE.at_once - open_now, 0)]
        memories = list(due)
        for memory in memories:
            ask(memory, kind=ReviewKind.STALE)
    return len(memories)
