"""The words of an operator's look: by whose leave, how far, why, until when, how often."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.templatetags.keepsake import moment
from dashboard.words import KINDS, LEVEL_WORDS, Words

# Why an operator looks without being let: the codes of the console.
REASONS: Mapping[str, Words] = {
    "fault_fixed": _("a fault was mended"),
    "security": _("a security incident"),
    "asked_by_tenant": _("who runs this for you asked for it"),
    "asked_by_person": _("you asked for it"),
    "mistake": _("something was set up wrongly"),
    "drill": _("a drill"),
}
EVERY_KIND = len(KINDS)


def shown(look: Any) -> dict[str, Any]:
    """Return a look as the person's pages show it."""
    code, _space, ticket = look.reason.partition(" ")
    return {
        "id": look.id,
        "open": look.is_open,
        "leave": look.operator_id is None,
        "why": REASONS.get(code, ""),
        "ticket": ticket,
        "one": look.memory_id is not None,
        "kinds": [KINDS[kind] for kind in look.kinds] if len(look.kinds) < EVERY_KIND else [],
        "level": LEVEL_WORDS[look.clearance],
        "begun": look.created_at,
        "ends_at": look.ends_at,
        "until": moment(look.ends_at),
        "ended": look.ended_at or look.ends_at,
        "views": look.views,
        "looked_at": look.looked_at,
    }
