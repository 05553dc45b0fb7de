"""The words of what waits for the person: by what it asks, its two answers, and what each answer did."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from dashboard.words import Badge, Words
from memory.choices import ReviewKind, ReviewState

KEEP, KEPT, UNTRUE = _("Keep"), _("Kept"), _("Not true")
REFUSED = _("It is not learnt again, no agent can use it, and it will be erased.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One kind of question: its heading, its answers, how they read once given, and what no does."""

    about: Words
    yes: Words = KEEP
    no: Words = UNTRUE
    kept: Words = KEPT
    rejected: Words = UNTRUE
    refused: Words = REFUSED


QUESTIONS: Mapping[str, Question] = {
    ReviewKind.NEW: Question(about=_("New guesses")),
    ReviewKind.CHANGE: Question(about=_("Changes")),
    ReviewKind.CONFLICT: Question(about=_("Two memories disagree")),
    ReviewKind.SENSITIVE: Question(about=_("Sensitive")),
    ReviewKind.STALE: Question(
        about=_("Still true?"),
        yes=_("Still true"),
        no=_("Not any more"),
        kept=_("Still true"),
        rejected=_("Not any more"),
    ),
    ReviewKind.FORGET: Question(
        about=_("You asked an agent to forget it"),
        yes=_("Keep it"),
        no=_("Forget it"),
        rejected=_("Forgotten"),
    ),
    ReviewKind.MERGE: Question(
        about=_("These could be one"),
        yes=_("Make it one"),
        no=_("Leave them apart"),
        kept=_("Made one"),
        rejected=_("Left apart"),
        refused=_("They stay apart, each as it was."),
    ),
    ReviewKind.WRONG: Question(
        about=_("An agent says this is wrong"), yes=_("It is right"), kept=_("It is right")
    ),
}


def decided(kind: str, state: str) -> Badge | None:
    """Return how the person's answer to a question reads; None where they have given none."""
    asked = QUESTIONS[kind]
    badges = {
        ReviewState.KEPT: Badge("active", "icons/check.svg", asked.kept),
        ReviewState.EDITED: Badge("active", "icons/pencil.svg", _("Edited and kept")),
        ReviewState.REJECTED: Badge("erasing", "icons/x.svg", asked.rejected),
    }
    return badges.get(ReviewState(state))
