"""The recipe that a recall names: one of the service's, or one of the tenant's own."""

from dataclasses import replace
from typing import Any

from accounts.acting import acting
from accounts.principal import Principal
from memory.errors import InvalidInput
from memory.models import RecallRecipe
from memory.policy import RECALL, RecallPolicy


def recipe(principal: Principal, name: str) -> RecallPolicy:
    """Return the recipe of this name.

    Raises:
        InvalidInput: if there is none; it lists those there are.
    """
    base, numbers = recipe_named(principal, name)
    return replace(RECALL[base], name=name, **numbers)


def recipe_named(principal: Principal, name: str) -> tuple[str, dict[str, Any]]:
    """Return what the recipe of this name starts from, and the numbers that differ.

    Raises:
        InvalidInput: if there is none; it lists those there are.
    """
    if name in RECALL:
        return name, {}
    with acting(principal):
        rows = RecallRecipe.objects.filter(tenant_id=principal.tenant_id).order_by("name")
        own = {row.name: row for row in rows}
    row = own.get(name)
    if row is None:
        raise InvalidInput(f"policy must be one of {', '.join([*RECALL, *own])}.")
    return row.base, row.numbers
