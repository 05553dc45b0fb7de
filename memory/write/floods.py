"""The cap on what a grant may bring in an hour, and the quarantine of one that floods.

Only what somebody other than the person brings is counted. An agent that floods goes on serving the
person but learns nothing for a day, unless the person switches its memory on again.
"""

from django.utils import timezone
from pgvector.django import MaxInnerProduct

from accounts import grants
from accounts.principal import Principal
from memory.choices import Origin, Reason
from memory.choices.slots import ENDINGS
from memory.index.scale import scale_of
from memory.models import Memory, Vector
from memory.models.memory import MemoryQuerySet
from memory.policy import TRUST
from memory.providers.embedding import get_embedder
from memory.write.case import Case

STATED = (Origin.PERSON, Origin.PERSON_QUOTED)


def overflow(case: Case) -> Reason | None:
    """Return why the agent has brought too much of late, or None; a flood quarantines its grant.

    Call it under the subject's lock.
    """
    proposal = case.draft.proposal
    if case.principal.agent_id is None or proposal.source.origin in STATED:
        return None
    if proposal.attribute in ENDINGS:  # they may be alike, and the service writes them
        return None
    recent = _recent(case.principal)
    if _is_flood(case, recent):
        grants.quarantine(case.principal, until=timezone.now() + TRUST.quarantine)
        return Reason.FLOOD
    return Reason.TOO_MANY if recent.count() >= TRUST.most else None


def _recent(principal: Principal) -> MemoryQuerySet:
    return (
        Memory.objects.filter(
            tenant_id=principal.tenant_id,
            subject_id=principal.person_id,
            agent_id=principal.agent_id,
            created_at__gte=timezone.now() - TRUST.window,
        )
        .exclude(origin__in=STATED)
        .exclude(attribute__in=ENDINGS)
    )


def _is_flood(case: Case, recent: MemoryQuerySet) -> bool:
    """Whether the agent brought so many of this kind already, by calibrated cosine."""
    if case.meaning is None:
        return False
    embedder = get_embedder()
    scale = scale_of(embedder)
    if scale is None:
        return False
    rows = Vector.objects.filter(memory__in=recent, current=True, model=embedder.id)
    # pgvector counts distances: the negative inner product, which of unit vectors is the cosine.
    near = rows.annotate(distance=MaxInnerProduct("embedding", case.meaning.own))
    return near.filter(distance__lte=-scale.own(TRUST.alike)).count() >= TRUST.flood
