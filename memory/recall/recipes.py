"""The recipe that a recall names: one of the service's, or one of the tenant's own."""

from dataclasses import replace

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
    if (ours := RECALL.get(name)) is not None:
        return ours
    with acting(principal):
        rows = RecallRecipe.objects.filter(tenant_id=principal.tenant_id).order_by("name")
        own = {row.name: row for row in rows}
    row = own.get(name)
    if row is None:
        raise InvalidInput(f"policy must be one of {', '.join([*RECALL, *own])}.")
    return replace(RECALL[row.base], name=name, **row.numbers)
