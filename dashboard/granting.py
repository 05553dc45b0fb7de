"""The words and the form of what an agent may do."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.choices import Action, MemoryMode
from accounts.grants import MOST_PURPOSES, PURPOSE, AgentRights, Rights
from accounts.modes import mode_of
from dashboard.templatetags.keepsake import moment
from dashboard.words import KINDS, LEVEL_WORDS, Badge, Words

STANDINGS: Mapping[str, Badge] = {
    "allowed": Badge("active", "icons/check.svg", _("Allowed")),
    "paused": Badge(
        "paused",
        "icons/pause.svg",
        _("Paused"),
        _("It can neither read nor write until you let it."),
    ),
    "expired": Badge(
        "proposed",
        "icons/clock.svg",
        _("Expired"),
        _("Its time is over. Set another day to renew."),
    ),
    "off": Badge(
        "paused",
        "icons/lock.svg",
        _("Memory is off for it"),
        _("It can neither read nor write until you let it."),
    ),
    "disconnected": Badge(
        "paused",
        "icons/x.svg",
        _("Disconnected"),
        _("It has no rights. Let it do something below to connect it again."),
    ),
    "stopped": Badge(
        "paused",
        "icons/lock.svg",
        _("Stopped by the operator"),
        _("The operator of this server has stopped it for everybody."),
    ),
}
ACTIONS: Mapping[str, tuple[Words, Words]] = {
    Action.READ: (_("Read"), _("Find and use memories, up to the level below.")),
    Action.WRITE: (_("Remember"), _("Suggest new memories. Sensitive guesses wait for you.")),
    Action.CORRECT: (_("Correct"), _("Change the wording of a memory; you keep the old one.")),
    Action.FORGET: (_("Forget"), _("Forget or erase memories when you tell it to.")),
}
MODES: Mapping[str, tuple[Words, Words]] = {
    MemoryMode.NORMAL: (_("Normal"), _("Agents use what is remembered and learn new things.")),
    MemoryMode.USE_ONLY: (
        _("Use but don't learn"),
        _("Agents use what is remembered, but nothing new is kept."),
    ),
    MemoryMode.OFF: (_("Off"), _("No agent can read or write anything. What is kept stays.")),
}


UNTIL: Mapping[str, Words] = {
    "": _("until I change it"),
    "hour": _("for one hour"),
    "tomorrow": _("until tomorrow morning"),
}
MORNING = 6


def ends(until: str) -> datetime | None:
    """Return when a mode ends that was chosen for a time; None: when somebody changes it."""
    now = timezone.localtime()
    if until == "hour":
        return now + timedelta(hours=1)
    if until == "tomorrow":
        tomorrow = now + timedelta(days=1)
        return tomorrow.replace(hour=MORNING, minute=0, second=0, microsecond=0)
    return None


class BadRights(ValueError):
    """A form that says nothing a grant can hold; ``field`` is the one to look at."""

    def __init__(self, field: str, why: Words) -> None:
        super().__init__(field)
        self.field, self.why = field, why


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One choice of a form: what it sends, what it says, what it means, whether it is chosen."""

    value: str
    words: Words
    hint: Words = ""
    chosen: bool = False


def card(found: AgentRights) -> dict[str, Any]:
    """Return an agent as the list shows it."""
    grant = found.grant
    mode, mode_until = mode_of(grant)
    return {
        "id": found.agent.id,
        "agent": found.agent.name,
        "standing": STANDINGS[found.standing],
        "paused": bool(grant.paused_at),
        "may_pause": found.standing not in {"stopped", "disconnected"},  # else it has no effect
        "may": [ACTIONS[action][0] for action in Action.values if action in grant.actions],
        "level": LEVEL_WORDS[grant.clearance],
        "mode": MODES[mode][0] if mode != MemoryMode.NORMAL else "",
        "mode_until": mode_until,
        "expires_at": grant.expires_at,
        "last_seen": found.last_seen,
        "keys": [*found.keys, *found.expired],
        "week": found.week,
        "refused": found.refused,
        "now": timezone.now(),
        "since": grant.created_at,
    }


def form(found: AgentRights, sent: QueryDict | None = None) -> dict[str, Any]:
    """Return the form of an agent's rights, filled with what holds or with what was sent."""
    grant = found.grant
    actions: Sequence[str] = sent.getlist("action") if sent else grant.actions
    kinds: Sequence[str] = sent.getlist("kind") if sent else grant.kinds
    level = sent.get("level", "") if sent else str(grant.clearance)
    kept, kept_until = mode_of(grant)
    mode = sent.get("mode", "") if sent else kept.value
    as_it_is = AS_IT_IS if kept_until else ""
    mode_until = sent.get("mode_until", "") if sent else as_it_is
    until = grant.expires_at
    # The last day it holds: the moment of expiry is the midnight after it.
    last = timezone.localtime(until - timedelta(seconds=1)).date().isoformat() if until else ""
    return {
        "actions": [
            Option(value=value, words=said, hint=hint, chosen=value in actions)
            for value, (said, hint) in ACTIONS.items()
        ],
        "kinds": [
            Option(value=value, words=said, chosen=value in kinds) for value, said in KINDS.items()
        ],
        "levels": [
            Option(value=str(number), words=said, chosen=str(number) == level)
            for number, said in LEVEL_WORDS.items()
        ],
        "modes": [
            Option(value=value, words=said, hint=hint, chosen=value == mode)
            for value, (said, hint) in MODES.items()
        ],
        "mode_untils": [
            Option(value=value, words=said, chosen=value == mode_until)
            for value, said in {**_as_it_is(kept_until), **UNTIL}.items()
        ],
        "purposes": sent.get("purposes", "") if sent else ", ".join(grant.purposes),
        "until": sent.get("until", "") if sent else last,
    }


AS_IT_IS = "same"


def _as_it_is(until: datetime | None) -> dict[str, Words]:
    """Return the choice of leaving a mode's end where it is, first, if it has one."""
    return {AS_IT_IS: _("until %(time)s, as it is") % {"time": moment(until)}} if until else {}


def _mode_until(found: AgentRights, sent: QueryDict) -> datetime | None:
    chosen = sent.get("mode_until", "")
    if chosen == AS_IT_IS:
        mode, until = mode_of(found.grant)
        return until if mode == sent.get("mode") else None
    if chosen not in UNTIL:
        raise BadRights("mode", _("Choose one of the options shown."))
    return ends(chosen)


def read(found: AgentRights, sent: QueryDict) -> Rights:
    """Return the rights a form asks for; ``found`` is what the agent has now.

    Raises:
        BadRights: for a day that is none or is over, a purpose that is no code, or a value no form
            of ours sends.
    """
    level = sent.get("level", "")
    try:
        return Rights(
            actions=sent.getlist("action"),
            kinds=sent.getlist("kind"),
            clearance=int(level) if level.isdecimal() and len(level) == len("10") else 0,
            memory_mode=sent.get("mode", ""),
            mode_until=_mode_until(found, sent),
            purposes=_purposes(sent.get("purposes", "")),
            expires_at=_end_of(sent.get("until", "")),
        )
    except BadRights:
        raise
    except ValueError:
        raise BadRights("level", _("Choose one of the options shown.")) from None


def _purposes(typed: str) -> list[str]:
    """Return the purposes typed with commas (of either language) or spaces between."""
    found = re.split(r"[\s,，、;；]+", typed.strip().lower()) if typed.strip() else []
    if len(found) > MOST_PURPOSES or not all(map(PURPOSE.fullmatch, found)):
        why = _(
            "Write each purpose as one word of a to z, as the agent says it: delivery, booking."
        )
        raise BadRights("purposes", why)
    return found


def _end_of(day: str) -> datetime | None:
    """Return the midnight after a day, in the zone the page is shown in."""
    if not day:
        return None
    try:
        chosen = date.fromisoformat(day)
    except ValueError:
        raise BadRights("until", _("Write the day as year-month-day.")) from None
    if chosen < timezone.localdate() or chosen.year > timezone.localdate().year + 100:
        raise BadRights("until", _("Choose a day from today on, or leave it empty."))
    return timezone.make_aware(datetime.combine(chosen + timedelta(days=1), time.min))
