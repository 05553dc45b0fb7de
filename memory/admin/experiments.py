"""An operator compares two ways of recalling by how the agents' tasks end, and reads what came of it."""

import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Count
from django.utils import timezone

from accounts.acting import acting
from accounts.principal import Principal
from memory.admin.models import Recall, Verdict
from memory.admin.services import note, require_operator
from memory.choices.experiments import Arm, ExperimentKind
from memory.errors import InvalidInput
from memory.evaluation.proportions import Difference, Share, compared
from memory.evaluation.runs import check_name
from memory.models import Experiment
from memory.recall.experiments import UNTOUCHED
from memory.recall.recipes import recipe_named


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of an experiment: sessions of each arm, those whose end was told, and the difference."""

    sessions: Mapping[str, int]
    told: Mapping[str, Share]
    difference: Difference


def start_experiment(
    operator: Principal,
    tenant_id: uuid.UUID,
    *,
    reason: str,
    name: str,
    kind: str,
    recipe_a: str = "",
    recipe_b: str = "",
) -> bool:
    """Begin to compare, from the next recall on.

    Raises:
        InvalidInput: for a name that could be a sentence, recipes that are not there or are one, or while
            another experiment of the tenant runs.
    """
    require_operator(operator)
    check_name(name)
    recipes = (recipe_a, recipe_b) if kind == ExperimentKind.RECIPE else ("", "")
    if kind == ExperimentKind.RECIPE:
        if recipe_a == recipe_b or UNTOUCHED in recipes or not all(recipes):
            raise InvalidInput(f"Name two different recipes, neither of them {UNTOUCHED}.")
        for one in recipes:
            recipe_named(operator, one)
    try:
        with acting(operator), transaction.atomic():
            row = Experiment.objects.create(
                tenant_id=tenant_id, name=name, kind=kind, recipe_a=recipes[0], recipe_b=recipes[1]
            )
            note(operator, "start_experiment", "experiment", row.id, reason)
    except IntegrityError:
        raise InvalidInput("An experiment of this tenant runs already; end it first.") from None
    return True


def end_experiment(operator: Principal, experiment_id: uuid.UUID, *, reason: str) -> bool:
    """End an experiment: every session goes on as usual. Return whether it ran."""
    require_operator(operator)
    with acting(operator):
        rows = Experiment.objects.filter(
            tenant_id=operator.tenant_id, id=experiment_id, ended_at__isnull=True
        )
        ended = bool(rows.update(ended_at=timezone.now()))
        if ended:
            note(operator, "end_experiment", "experiment", experiment_id, reason)
    return ended


def result(experiment_id: uuid.UUID) -> Result:
    """Return what came of an experiment so far, as the console's role sees it.

    A session counts once, with what was said of its end last.
    """
    recalls = Recall.objects.filter(experiment_id=experiment_id)
    counted = recalls.order_by().values("arm").annotate(n=Count("session_id", distinct=True))
    sessions = {row["arm"]: row["n"] for row in counted}
    said = Verdict.objects.filter(recall__experiment_id=experiment_id, success__isnull=False)
    last = said.order_by("recall__session_id", "-at", "-id").distinct("recall__session_id")
    ends = Counter(last.values_list("recall__arm", "success"))
    told = {
        arm.value: Share(
            successes=ends[arm.value, True], of=ends[arm.value, True] + ends[arm.value, False]
        )
        for arm in Arm
    }
    difference = compared(told[Arm.A.value], told[Arm.B.value])
    return Result(sessions=sessions, told=told, difference=difference)
