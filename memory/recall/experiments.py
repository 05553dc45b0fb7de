"""Which arm of a running experiment a session is in, and what that makes of its recalls.

A session stays in its arm: a digest of the experiment's and the session's ids decides, so nothing is
stored and nobody can steer it. Without memory the answer holds what must be known for the person's
safety and nothing else; what would have been handed over is counted as held back.
"""

import hashlib
import uuid
from dataclasses import dataclass, replace

from accounts.acting import acting
from accounts.principal import Principal
from memory.choices.experiments import Arm, ExperimentKind
from memory.models import Experiment
from memory.recall.fates import Fate
from memory.recall.values import RecallQuery
from memory.recall.weigh import Weighed

UNTOUCHED = "profile_only"  # nothing was asked about, so nothing can be compared


@dataclass(frozen=True, slots=True, kw_only=True)
class Assigned:
    """One session's part in an experiment. ``recipe``: the one that is used; empty: the one asked for."""

    experiment_id: uuid.UUID
    arm: Arm
    recipe: str
    without: bool


def arm_of(experiment_id: uuid.UUID, session_id: uuid.UUID) -> Arm:
    """Return the arm of a session, half of them each. Pure."""
    drawn = hashlib.sha256(experiment_id.bytes + session_id.bytes).digest()[0]
    return Arm.B if drawn % 2 else Arm.A


def assigned(principal: Principal, query: RecallQuery) -> Assigned | None:
    """Return the part in the tenant's running experiment, inside ``acting``; None if it has none.

    Only an agent's recalls in a session take part.
    """
    if principal.agent_id is None or query.session_id is None or query.policy == UNTOUCHED:
        return None
    rows = Experiment.objects.filter(tenant_id=principal.tenant_id, ended_at__isnull=True)
    if (running := rows.first()) is None:
        return None
    arm = arm_of(running.id, query.session_id)
    return Assigned(
        experiment_id=running.id,
        arm=arm,
        recipe=running.recipe_b if arm == Arm.B else running.recipe_a,
        without=running.kind == ExperimentKind.MEMORY and arm == Arm.B,
    )


def withheld(weighed: Weighed) -> Weighed:
    """Return what is left without memory: pinned facts of the profile."""
    pinned = [one for one in [*weighed.taken, *weighed.profile] if one.opened.memory.pinned]
    others = [one for one in [*weighed.taken, *weighed.profile] if not one.opened.memory.pinned]
    return replace(
        weighed,
        taken=[],
        profile=pinned,
        held=[*weighed.held, *((one, Fate.EXPERIMENT) for one in others)],
    )


def takes_part(principal: Principal) -> bool:
    """Return whether an experiment runs in the person's tenant."""
    with acting(principal):
        rows = Experiment.objects.filter(tenant_id=principal.tenant_id, ended_at__isnull=True)
        return rows.exists()
