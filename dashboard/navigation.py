"""What stands around every page: the places to go, and whose memories are shown."""

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from dashboard.people import Person, current
from dashboard.words import Words
from memory.reviews.listing import count_open


@dataclass(frozen=True, slots=True)
class Place:
    """One entry: the view's name, its words, icon, and the letter after ``g`` that goes there.

    The entry is marked on every page whose path begins with its own, or with ``within``.
    """

    view: str
    words: Words
    icon: str
    key: str
    within: str = ""


PLACES: Sequence[Place] = (
    Place("overview", _("Overview"), "icons/house.svg", "o"),
    Place("memories", _("Memories"), "icons/list.svg", "m"),
    Place("sessions", _("Conversations"), "icons/messages-square.svg", "c"),
    Place("reviews", _("Waiting for you"), "icons/inbox.svg", "r"),
    Place("forgotten", _("Recently forgotten"), "icons/undo-2.svg", "f"),
    Place("erasures", _("Erasures"), "icons/eraser.svg", "e"),
    Place("activity", _("Activity"), "icons/activity.svg", "a"),
    Place("agents", _("Agents"), "icons/bot.svg", "p"),
    Place("export", _("Export"), "icons/download.svg", "x", within="/data/"),
    Place("settings", _("Settings"), "icons/settings.svg", "s"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A place with its address, and whether the page is there."""

    place: Place
    address: str
    here: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """What surrounds a page of a signed-in person.

    ``waiting`` counts the questions to them; ``persons`` are the ids and names of all persons of
    the login, the one shown first.
    """

    person: Person | None
    entries: Sequence[Entry] = ()
    persons: Sequence[tuple[uuid.UUID, str]] = ()
    waiting: int = 0


def shell(request: HttpRequest) -> dict[str, Any]:
    """Give templates ``shell``; nothing is asked of the database until a template uses it."""
    return {"shell": SimpleLazyObject(lambda: _shell(request))}


def _shell(request: HttpRequest) -> Shell:
    person = current(request) if hasattr(request, "user") else None
    if person is None:
        return Shell(person=None)
    return Shell(
        person=person,
        entries=_entries(request.path),
        persons=names_of([person.subject, *person.others]),
        waiting=count_open(person.principal),
    )


def names_of(subjects: Sequence[Any]) -> list[tuple[uuid.UUID, str]]:
    """Name each person by who keeps their memories; two of one keeper by their id there too."""
    keepers = Counter(one.tenant_id for one in subjects)
    return [
        (one.id, one.tenant.name + (f" · {one.external_id}" if keepers[one.tenant_id] > 1 else ""))
        for one in subjects
    ]


def _entries(path: str) -> list[Entry]:
    found = []
    for place in PLACES:
        address = reverse(place.view)
        within = place.within or address
        here = path == address or (within != "/" and path.startswith(within))
        found.append(Entry(place=place, address=address, here=here))
    return found
