"""The words of the report: for each group of stores what it is, why it is held, and until when."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from dashboard.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Stores that a person reads of as one thing."""

    what: Words
    why: Words
    until: Words
    stores: tuple[str, ...]


GROUPS: Mapping[str, Group] = {
    "wordings": Group(
        what=_("Memories: their wordings, and how they hang together"),
        why=_(
            "So that the agents you allow know what you want them to know. You said it, kept it, "
            "or let agents keep ordinary guesses."
        ),
        until=_("Until you erase it. What nobody needs for long is put away, then erased."),
        stores=("versions", "links", "derivations"),
    ),
    "quotes": Group(
        what=_("Quotes of what was said"),
        why=_("So that you can see why something is remembered."),
        until=_("As long as the memory that rests on them"),
        stores=("evidence",),
    ),
    "talk": Group(
        what=_("Conversations, their messages and summaries, agents' notes on tasks"),
        why=_("So that an agent can go on where it was, and memories can be learnt from them."),
        until=_("30 days; a message that a memory rests on stays with the memory"),
        stores=("sessions", "messages", "events", "summaries", "boards"),
    ),
    "index": Group(
        what=_("Search index"),
        why=_("So that what is asked for is found."),
        until=_("As long as the memory"),
        stores=("vectors", "terms"),
    ),
    "decisions": Group(
        what=_("What was decided about suggestions, and what waits for you"),
        why=_("So that you can see how something came in, or why it did not."),
        until=_("As long as the memory; for what was refused, until you erase everything"),
        stores=("decisions", "reviews", "conflicts"),
    ),
    "uses": Group(
        what=_("Which memories were handed to which agent, and whether they helped"),
        why=_("So that you can see who was told what."),
        until=_("As long as the memory"),
        stores=("recalls", "recall log", "feedback"),
    ),
    "rules": Group(
        what=_("What you ruled: permissions of agents, what must not be learnt again, your counts"),
        why=_("So that your choices hold."),
        until=_("Until you change them or erase everything"),
        stores=("grants", "looks", "suppressions", "interests"),
    ),
    "works": Group(
        what=_("Keys, files that wait to be let in, and marks of requests"),
        why=_("So that all of it stays sealed, and nothing is done twice."),
        until=_("Keys: as long as what they open. The others: a few days"),
        stores=("keys", "person key", "imports", "requests"),
    ),
}
LOGIN = Group(
    what=_("Your login: e-mail, where you are signed in, passkeys and second factors"),
    why=_("So that only you come in here."),
    until=_("Until you delete the account; a sign-in until you sign out there"),
    stores=(),
)
FACTORS: Mapping[str, Words] = {
    "webauthn": _("Passkey"),
    "totp": _("Authenticator app"),
    "recovery_codes": _("Recovery codes"),
}
LOG = Group(
    what=_("The record of who did what, and of your erasures. No text."),
    why=_("So that you can check what happened here."),
    until=_("By the operator's rule for the record; it outlives an erasure"),
    stores=(),
)
