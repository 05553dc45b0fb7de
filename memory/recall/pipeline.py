"""Recall, step by step: scope → candidates → relevance gate → score → resolve → budget."""

from collections import Counter
from dataclasses import replace

from django.utils import timezone

from accounts.acting import acting
from accounts.choices import Action
from accounts.principal import Principal
from memory import access
from memory.choices import RecallStatus
from memory.errors import InvalidInput
from memory.measuring import Step, step
from memory.policy import RecallPolicy
from memory.recall import experiments, log
from memory.recall.fates import Fate
from memory.recall.recipes import recipe
from memory.recall.values import RecallAnswer, RecallQuery
from memory.recall.weigh import Weighed, weigh
from memory.vault import open_vault

MAX_QUERY = 8000


def recall(principal: Principal, query: RecallQuery) -> RecallAnswer:
    """Return the memories about ``query`` that ``principal`` may see, and why each is there.

    Raises:
        Forbidden: without a grant to read, or while the person has switched memory off.
        InvalidInput: for an unknown policy, filter or limit.
    """
    with step(Step.RECALL) as timing:
        answer = _recall(principal, query)
        timing.outcome = answer.status
    return answer


def _recall(principal: Principal, query: RecallQuery) -> RecallAnswer:
    policy = check(principal, query)
    access.require(principal, Action.READ)
    principal = principal.using(purpose=query.purpose)
    now = timezone.now()
    with acting(principal, patience=policy.patience):
        part = experiments.assigned(principal, query)
        if part is not None and part.recipe:
            query = replace(query, policy=part.recipe)
            policy = recipe(principal, part.recipe)
        weighed = weigh(principal, open_vault(principal), query, policy=policy, now=now)
        if part is not None and part.without:
            weighed = experiments.withheld(weighed)
        return log.answer(
            principal,
            query,
            items=weighed.taken,
            profile=weighed.profile,
            degraded=weighed.degraded,
            status=status_of(weighed),
            held_back=held_back(weighed),
            part=part,
        )


def check(principal: Principal, query: RecallQuery) -> RecallPolicy:
    """Return the named policy of a well-formed query.

    Raises:
        InvalidInput: says which field is wrong.
    """
    policy = recipe(principal, query.policy)
    if not query.text.strip() or len(query.text) > MAX_QUERY:
        raise InvalidInput(f"query must be 1 to {MAX_QUERY} characters.")
    if query.top_k is not None and not 1 <= query.top_k <= policy.max_top_k:
        raise InvalidInput(f"top_k must be 1 to {policy.max_top_k}.")
    return policy


def status_of(weighed: Weighed) -> RecallStatus:
    """Return which of the three answers it is."""
    if weighed.degraded:
        return RecallStatus.DEGRADED
    return RecallStatus.FOUND if weighed.taken else RecallStatus.NOTHING_RELEVANT


def held_back(weighed: Weighed) -> dict[str, int]:
    """Return how many were held back for each reason; only of what the principal may see."""
    counted = Counter(str(why) for _, why in weighed.held)
    counted[Fate.BELOW_GATE] += len(weighed.below)
    return {str(why): count for why, count in counted.items() if count}
