"""Settings: memory mode, learning, undo window, time zone, interests, what must not be learnt again."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from accounts import preferences
from accounts.choices import Learning, MemoryMode
from accounts.modes import mode_of
from accounts.preferences import BadPreference
from accounts.subjects import set_mode
from dashboard.granting import MODES, UNTIL, Option, ends
from dashboard.pages import page, then
from dashboard.people import PersonRequest, person_view
from dashboard.templatetags.keepsake import moment
from dashboard.words import Words
from memory.choices import SuppressionBasis
from memory.choices.topics import Topic
from memory.forget.interests import count_interests, erase_interests
from memory.forget.suppressions import lift
from memory.recall import person
from memory.recall.experiments import takes_part

LEARNING: Mapping[str, tuple[Words, Words]] = {
    Learning.ORDINARY: (
        gettext_lazy("Keep ordinary ones"),
        gettext_lazy("Ordinary guesses are used at once. Sensitive ones wait for you."),
    ),
    Learning.ASK_FIRST: (
        gettext_lazy("Ask me first"),
        gettext_lazy("Every guess of an agent waits, unused, until you keep it."),
    ),
    Learning.ONLY_STATED: (
        gettext_lazy("Only what I say"),
        gettext_lazy("What agents work out by themselves is not kept at all."),
    ),
}
UNDO: Mapping[int, Words] = {
    0: gettext_lazy("None: it is erased at once"),
    10: gettext_lazy("10 minutes"),
    60: gettext_lazy("1 hour"),
    24 * 60: gettext_lazy("1 day"),
    7 * 24 * 60: gettext_lazy("7 days"),
}
HIDING: Mapping[str, tuple[Words, Words]] = {
    "hide": (
        gettext_lazy("Only what they are about"),
        gettext_lazy("Such as “Sensitive memory about health”, with a button that shows it."),
    ),
    "show": (gettext_lazy("In full"), gettext_lazy("Whoever looks at your screen reads them.")),
}
BASES: Mapping[str, Words] = {
    SuppressionBasis.ATTRIBUTE: gettext_lazy("any value for one thing"),
    SuppressionBasis.EVENT: gettext_lazy("what one message said"),
    SuppressionBasis.WORDING: gettext_lazy("the same words"),
    SuppressionBasis.DERIVED: gettext_lazy("a pattern, or a merge"),
}

TOPICS: Mapping[str, Words] = {
    Topic.HOME: gettext_lazy("Home"),
    Topic.WORK: gettext_lazy("Work"),
    Topic.LEARNING: gettext_lazy("Learning"),
    Topic.FAMILY: gettext_lazy("Family and people"),
    Topic.ANIMALS: gettext_lazy("Animals"),
    Topic.FOOD: gettext_lazy("Food and drink"),
    Topic.LEISURE: gettext_lazy("Leisure"),
    Topic.THINGS: gettext_lazy("Things and devices"),
    Topic.SOFTWARE: gettext_lazy("Software"),
    Topic.TRAVEL: gettext_lazy("Places and travel"),
}


@require_GET
@person_view
def show(request: PersonRequest) -> HttpResponse:
    """Show the person's settings, each with what it does."""
    return _show(request)


def _show(request: PersonRequest, error: str = "", field: str = "") -> HttpResponse:
    subject = request.person.subject
    mode, mode_until = mode_of(subject)
    context: dict[str, Any] = {
        "modes": _options(MODES, mode),
        "mode_until": mode_until,
        "untils": UNTIL.items(),
        "learning": _options(LEARNING, subject.learning),
        "undo": [
            Option(value=str(number), words=said, chosen=number == subject.undo_minutes)
            for number, said in UNDO.items()
        ],
        "other_undo": "" if subject.undo_minutes in UNDO else subject.undo_minutes,
        "suppressions": [(one, BASES[one.basis]) for one in person.suppressions(request.principal)],
        "interests": [(one, TOPICS[one.topic]) for one in person.interests(request.principal)],
        "counted": subject.interests,
        "experiment": takes_part(request.principal),
        "hiding": _options(HIDING, "hide" if subject.hide_sensitive else "show"),
        "error": error,
        "field": field,
    }
    return page(request, "settings.html", context, status=422 if error else 200)


def _options(words: Mapping[str, tuple[Words, Words]], chosen: str) -> list[Option]:
    return [
        Option(value=value, words=said, hint=hint, chosen=value == chosen)
        for value, (said, hint) in words.items()
    ]


@require_POST
@person_view
def mode(request: PersonRequest) -> HttpResponse:
    """Switch memory for all agents."""
    chosen, until = request.POST.get("mode", ""), request.POST.get("until", "")
    if chosen not in MODES or until not in UNTIL:
        return _show(request, _("Choose one of the options shown."), "mode")
    end = None if chosen == MemoryMode.NORMAL else ends(until)
    set_mode(request.principal, request.principal.person_id, mode=MemoryMode(chosen), until=end)
    say = _("Saved. From now on: %(effect)s") % {"effect": MODES[chosen][1]}
    if end:
        say += " " + _("This ends %(time)s.") % {"time": moment(end)}
    return then(request, say, "settings")


@require_POST
@person_view
def learning(request: PersonRequest) -> HttpResponse:
    """Choose what happens to what agents work out."""
    chosen = request.POST.get("learning", "")
    try:
        preferences.set_learning(request.principal, chosen)
    except BadPreference:
        return _show(request, _("Choose one of the options shown."), "learning")
    say = _("Saved. From now on: %(effect)s") % {"effect": LEARNING[chosen][1]}
    return then(request, say, "settings")


@require_POST
@person_view
def undo(request: PersonRequest) -> HttpResponse:
    """Choose how long a forgetting can be taken back."""
    minutes = request.POST.get("minutes", "")
    try:
        # A number no window has stands for what is no number.
        number = int(minutes) if minutes.isdecimal() and len(minutes) < 6 else -1  # noqa: PLR2004
        preferences.set_undo_minutes(request.principal, number)
    except BadPreference:
        return _show(request, _("Choose one of the options shown."), "undo")
    say = _("Saved. It holds for what you forget from now on; agents lose it at once in any case.")
    return then(request, say, "settings")


@require_POST
@person_view
def lists(request: PersonRequest) -> HttpResponse:
    """Choose whether lists withhold sensitive texts."""
    chosen = request.POST.get("sensitive", "")
    if chosen not in HIDING:
        return _show(request, _("Choose one of the options shown."), "lists")
    preferences.set_hide_sensitive(request.principal, on=chosen == "hide")
    return then(request, _("Saved. It holds for your lists from now on."), "settings")


@require_POST
@person_view
def interests(request: PersonRequest) -> HttpResponse:
    """Erase what the person's questions were counted as, or switch the counting."""
    what = request.POST.get("do", "")
    if what == "erase":
        erase_interests(request.principal)
        say = _("Erased. Counting starts anew.")
    elif what in ("on", "off"):
        count_interests(request.principal, on=what == "on")
        say = (
            _("Saved. Topics of your questions are counted from now on.")
            if what == "on"
            else _("Saved. Nothing is counted any more, and what was counted is erased.")
        )
    else:
        return _show(request, _("Choose one of the options shown."), "interests")
    return then(request, say, "settings")


@require_POST
@person_view
def learn_again(request: PersonRequest, suppression_id: uuid.UUID) -> HttpResponse:
    """Let something be learnt again."""
    lift(request.principal, suppression_id)
    return then(request, _("Saved. Agents may learn it again."), "settings")
