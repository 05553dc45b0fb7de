"""An operator sets how much a tenant may bring."""

import uuid

from accounts import rights
from accounts.acting import acting
from accounts.models import Tenant
from accounts.principal import Principal
from memory.admin.services import note, require_operator
from memory.errors import InvalidInput
from memory.quotas import Quota

MOST = 1_000_000_000


def set_quotas(
    operator: Principal, tenant_id: uuid.UUID, *, reason: str, **quotas: int | None
) -> bool:
    """Set what of a tenant differs from the defaults: 0 is no limit, None the default.

    Return whether anything changed.

    Raises:
        InvalidInput: for a quota there is not, or a number out of its range.
    """
    require_operator(operator)
    own = {name: most for name, most in sorted(quotas.items()) if most is not None}
    if set(own) - set(Quota) or not all(0 <= most <= MOST for most in own.values()):
        raise InvalidInput(f"A quota is a number from 0 to {MOST}.")
    with acting(operator):
        rows = Tenant.objects.filter(id=tenant_id).exclude(quotas=own)
        changed = bool(rights.change(rows, quotas=own))
        if changed:
            note(operator, "set_quotas", "tenant", tenant_id, reason)
    return changed
