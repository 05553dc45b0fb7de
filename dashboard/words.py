"""The words on screens for the codes of the service: one table for each vocabulary."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext_lazy, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.choices import HoldReason
from memory.choices import (
    ErasureState,
    Kind,
    LinkKind,
    Origin,
    Outcome,
    Reason,
    ReviewState,
    Role,
    Sensitivity,
    State,
)
from memory.choices.verdicts import Verdict

type Words = Promise | str


@dataclass(frozen=True, slots=True)
class Badge:
    """A word with an icon and a colour; the colour alone never says anything."""

    name: str
    icon: str
    words: Words
    says: Words = ""  # what it means for agents, as a sentence


STATES: Mapping[str, Badge] = {
    State.PENDING: Badge(
        "proposed",
        "icons/clock.svg",
        _("Not used yet"),
        _("It waits for you. No agent can use it until you keep it."),
    ),
    State.ACTIVE: Badge(
        "active", "icons/check.svg", _("In use"), _("Agents you allow can use it.")
    ),
    State.PAUSED: Badge(
        "paused", "icons/pause.svg", _("Paused"), _("It is kept. No agent can use it.")
    ),
    State.DISPUTED: Badge(
        "proposed",
        "icons/triangle-alert.svg",
        _("Disputed"),
        _("Another memory says something else. No agent uses it until you decide."),
    ),
    State.ARCHIVED: Badge(
        "paused", "icons/inbox.svg", _("Put away"), _("It is kept. No agent can use it.")
    ),
    State.FORGOTTEN: Badge(
        "erasing",
        "icons/clock.svg",
        _("Forgotten"),
        _("No agent can use it now. It will be erased unless you undo."),
    ),
    State.ERASING: Badge("erasing", "icons/loader.svg", _("Being erased")),
    State.ERASED: Badge("paused", "icons/eraser.svg", _("Erased")),
}

LEVELS: Mapping[int, Badge | None] = {
    Sensitivity.GENERAL: None,
    Sensitivity.PERSONAL: Badge("personal", "icons/user.svg", _("Personal")),
    Sensitivity.CONTACT: Badge("personal", "icons/user.svg", _("Contact or identity")),
    Sensitivity.SPECIAL: Badge("sensitive", "icons/shield.svg", _("Sensitive")),
}

LEVEL_WORDS: Mapping[int, Words] = {
    Sensitivity.GENERAL: _("Ordinary"),
    Sensitivity.PERSONAL: _("Personal"),
    Sensitivity.CONTACT: _("Contact or identity"),
    Sensitivity.SPECIAL: _("Sensitive"),
}

KINDS: Mapping[str, Words] = {
    Kind.SEMANTIC: _("Facts and preferences"),
    Kind.EPISODIC: _("Things that happened"),
    Kind.PROCEDURAL: _("How things are done"),
}

BASES: Mapping[str, Words] = {
    Origin.PERSON: _("You said this"),
    Origin.PERSON_QUOTED: _("You said this"),
    Origin.AGENT: _("An agent worked this out"),
    Origin.TOOL: _("A tool reported this"),
    Origin.WEB: _("From a web page"),
    Origin.OTHER_AGENT: _("Another agent said this"),
    Origin.IMPORT: _("Imported"),
}
CORRECTED: Words = _("You corrected this")
COUNTED: Words = _("Counted from what happened")

# The choices of the list's filter: several origins are one basis to a person.
BASIS_FILTERS: Mapping[str, tuple[Words, tuple[str, ...]]] = {
    "said": (_("You said this"), (Origin.PERSON, Origin.PERSON_QUOTED)),
    "worked_out": (_("An agent worked this out"), (Origin.AGENT,)),
    "elsewhere": (_("From elsewhere"), (Origin.TOOL, Origin.WEB, Origin.OTHER_AGENT)),
    "imported": (_("Imported"), (Origin.IMPORT,)),
}

TOPICS: Mapping[str, Words] = {
    "health": _("Sensitive memory about health"),
    "diet": _("Sensitive memory about health"),
    "finance": _("Sensitive memory about money"),
    "family": _("Sensitive memory about family"),
}
SENSITIVE: Words = _("Sensitive memory")

# What a linked memory is to the one that is shown: by the link's kind, and whether it leads there.
LINKS: Mapping[tuple[str, bool], Words] = {
    (LinkKind.ABOUT, True): _("This is about"),
    (LinkKind.ABOUT, False): _("About this"),
    (LinkKind.PART_OF, True): _("This is a part of"),
    (LinkKind.PART_OF, False): _("A part of this"),
    (LinkKind.RELATED, True): _("Belongs together with"),
    (LinkKind.RELATED, False): _("Belongs together with"),
}

# What agents said of it, so many times.
VERDICTS: Mapping[str, Words] = {
    Verdict.HELPED: ngettext_lazy(
        "it helped %(number)s time", "it helped %(number)s times", "number"
    ),
    Verdict.HURT: ngettext_lazy(
        "it made an answer worse %(number)s time",
        "it made an answer worse %(number)s times",
        "number",
    ),
    Verdict.WRONG: ngettext_lazy(
        "it was called wrong %(number)s time", "it was called wrong %(number)s times", "number"
    ),
}

SPEAKERS: Mapping[str, Words] = {
    Role.USER: pgettext_lazy("speaker", "You"),
    Role.ASSISTANT: pgettext_lazy("speaker", "The agent"),
    Role.TOOL: pgettext_lazy("speaker", "A tool"),
    Role.SYSTEM: pgettext_lazy("speaker", "System text"),
}

OUTCOMES: Mapping[str, Words] = {
    Outcome.ACCEPTED: _("It was kept"),
    Outcome.REINFORCED: _("It was said again and became surer"),
    Outcome.SUPERSEDED: _("It replaced the wording before"),
    Outcome.NEEDS_CONFIRMATION: _("It waited for you"),
    Outcome.REFUSED: _("It was refused"),
}

# What the person answered when they were asked about it.
ANSWERS: Mapping[str, Words] = {
    ReviewState.KEPT: _("It was kept"),
    ReviewState.EDITED: _("It was edited and kept"),
}
WAS_CORRECTED: Words = _("It was corrected")

REASONS: Mapping[str, Words] = {
    Reason.EXPLICIT: _("you asked to remember it"),
    Reason.STATED: _("you said it outright"),
    Reason.INFERRED: _("an agent worked it out"),
    Reason.RECOGNISED: _("it looked worth keeping"),
    Reason.DUPLICATE_EXACT: _("the same words were known"),
    Reason.DUPLICATE_NEAR: _("the same meaning was known"),
    Reason.NEW_VALUE: _("it is newer than what was known"),
    Reason.OLDER_VALUE: _("it is older than what is known"),
    Reason.LOWER_TRUST: _("something better founded says otherwise"),
    Reason.CONFLICT: _("another memory says otherwise"),
    Reason.CORRECTED: _("it was corrected by hand"),
    Reason.SENSITIVE: _("it is sensitive, so you decide"),
    Reason.BEHAVIOUR: _("it would change how agents behave, so you decide"),
    Reason.UNTRUSTED_SOURCE: _("its source is not believed by itself"),
    Reason.FRAGMENTS: _("it says in one what several memories say"),
    Reason.ASK_FIRST: _("you want to be asked first"),
    Reason.ONLY_STATED: _("you keep only what you say"),
    Reason.SECRET: _("a part looked like a password, key or card number and was not saved"),
    Reason.EMPTY: _("nothing to remember was left"),
    Reason.RESTORED: _("you brought it back from your own export"),
    Reason.TOO_LONG: _("it was too long for one memory"),
    Reason.SUPPRESSED: _("you asked not to learn this again"),
    Reason.INSTRUCTION_LIKE: _("it reads like an order to the machine"),
    Reason.TOO_MANY: _("the agent brought more than it may in an hour"),
    Reason.FULL: _("there are as many memories as may be"),
    Reason.FLOOD: _("the agent brought too many of one kind and learns nothing for a day"),
    Reason.QUESTION: _("it is a question"),
    Reason.TRANSIENT: _("it is only true for a moment"),
    Reason.NOT_USEFUL: _("it would not matter in another conversation"),
    Reason.MEMORY_OFF: _("learning was switched off"),
}
OTHER_REASON: Words = _("it did not look like something to remember")

# Why nothing of the person may be destroyed now.
HOLDS: Mapping[str, Words] = {
    HoldReason.LEGAL_CLAIM: _("it may be needed for a legal claim"),
    HoldReason.OFFICIAL_ORDER: _("a court or an authority ordered it"),
    HoldReason.DUTY_TO_KEEP: _("a law says that it must be kept"),
}

ERASURES: Mapping[str, Badge] = {
    ErasureState.REQUESTED: Badge("proposed", "icons/clock.svg", _("Starting")),
    ErasureState.CONFIRMED: Badge("proposed", "icons/clock.svg", _("Starting")),
    ErasureState.FENCED: Badge("erasing", "icons/loader.svg", _("Being erased")),
    ErasureState.RUNNING: Badge("erasing", "icons/loader.svg", _("Being erased")),
    ErasureState.VERIFYING: Badge("erasing", "icons/search.svg", _("Being checked")),
    ErasureState.ERASED: Badge("active", "icons/check.svg", _("Erased here")),
    ErasureState.AWAITING_BACKUP_EXPIRY: Badge("active", "icons/check.svg", _("Erased here")),
    ErasureState.COMPLETED: Badge("active", "icons/check.svg", _("Erased, backups too")),
    ErasureState.NEEDS_ATTENTION: Badge(
        "proposed", "icons/triangle-alert.svg", _("Partly done, trying again")
    ),
    ErasureState.ON_HOLD: Badge("proposed", "icons/pause.svg", _("On hold")),
    ErasureState.REJECTED: Badge("paused", "icons/x.svg", _("Not carried out")),
    ErasureState.CANCELLED: Badge("paused", "icons/x.svg", _("Not carried out")),
}


# Where Chinese puts nothing: after the end of a sentence, and where a tag stands between its characters.
GAP = re.compile(r"([。！？；：])\s*(<[^>]*>|)\s*|(?<=[一-鿿])\s*(<[^>]*>)\s*(?=[一-鿿])")


def sentences(*said: object) -> str:
    """Return sentences one after the other, as their language sets them."""
    return GAP.sub(r"\1\2\3", " ".join(str(one) for one in said if one))


def reasons(codes: Iterable[str]) -> str:
    """Return the reasons of a decision in words, each once."""
    said = dict.fromkeys(str(REASONS.get(code, OTHER_REASON)) for code in codes)
    return gettext("; ").join(said)


def verdicts(counted: Iterable[tuple[str, int]]) -> str:
    """Return what agents said in words, each verdict with its number; nothing where none was given."""
    numbers = Counter[str]()
    for verdict, number in counted:
        numbers[verdict] += number
    return " · ".join(
        str(said % {"number": numbers[verdict]})
        for verdict, said in VERDICTS.items()
        if numbers[verdict]
    )


def sureness(confidence: float) -> Words:
    """Return how sure a memory is, in a word."""
    if confidence >= CLEAR:
        return _("clear")
    return _("likely") if confidence >= LIKELY else _("unsure")


CLEAR, LIKELY = 0.8, 0.5


def topic(attribute: str) -> Words:
    """Return what stands in a list for a sensitive text."""
    return TOPICS.get(attribute.partition(".")[0], SENSITIVE)
