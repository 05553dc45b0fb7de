"""An operator makes and removes a tenant's own recall recipes."""

import re
import uuid
from collections.abc import Mapping

from django.db.models import Q
from django.utils import timezone

from accounts.acting import acting
from accounts.principal import Principal
from memory.admin.services import note, require_operator
from memory.errors import InvalidInput
from memory.models import Experiment, RecallRecipe
from memory.policy import RECALL, RecallPolicy
from memory.policy.adjusting import RECIPES, adjusted

NAME = re.compile(r"[a-z][a-z0-9_-]{0,29}")


def check(name: str, base: str, numbers: Mapping[str, float]) -> RecallPolicy:
    """Return the recipe that is meant.

    Raises:
        InvalidInput: for a name that is taken by the service or no name, or numbers out of range.
    """
    if not NAME.fullmatch(name) or name in RECALL:
        raise InvalidInput(
            f"A name is up to 30 of a-z, 0-9, _ and -, a letter first, and none of {', '.join(RECALL)}."
        )
    return adjusted(base, name, numbers)


def set_recipe(
    operator: Principal,
    tenant_id: uuid.UUID,
    *,
    reason: str,
    name: str,
    base: str,
    numbers: Mapping[str, float],
) -> bool:
    """Make a recipe, or give the one of this name other numbers; return whether anything changed.

    Raises:
        InvalidInput: for a name that is not free or no name, numbers out of their ranges, or one
            recipe too many.
    """
    require_operator(operator)
    made = check(name, base, numbers)
    kept = {one: getattr(made, one) for one in sorted(numbers)}
    with acting(operator):
        rows = RecallRecipe.objects.select_for_update().filter(tenant_id=tenant_id)
        own = {row.name: row for row in rows}
        if name not in own and len(own) >= RECIPES:
            raise InvalidInput(f"A tenant has at most {RECIPES} recipes; remove one first.")
        row = own.get(name) or RecallRecipe(tenant_id=tenant_id, name=name)
        if (row.base, row.numbers) == (base, kept):
            return False
        row.base, row.numbers, row.updated_at = base, kept, timezone.now()
        row.save()
        note(operator, "set_recipe", "recipe", row.id, reason)
    return True


def remove_recipe(operator: Principal, recipe_id: uuid.UUID, *, reason: str) -> bool:
    """Remove a recipe; a recall that still names it is refused. Return whether it was there.

    Raises:
        InvalidInput: while an experiment names it.
    """
    require_operator(operator)
    with acting(operator):
        rows = RecallRecipe.objects.filter(tenant_id=operator.tenant_id, id=recipe_id)
        names = rows.values("name")
        running = Experiment.objects.filter(tenant_id=operator.tenant_id, ended_at__isnull=True)
        if running.filter(Q(recipe_a__in=names) | Q(recipe_b__in=names)).exists():
            raise InvalidInput("An experiment that runs names it; end that first.")
        gone = bool(rows.delete()[0])
        if gone:
            note(operator, "remove_recipe", "recipe", recipe_id, reason)
    return gone
