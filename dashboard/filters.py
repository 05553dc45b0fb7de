"""The filters of the list of memories: from a form's or an address' codes to what is meant, and to words.

Everything here is codes, ids and days. What was searched for is no filter and stands in no address.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard import words
from dashboard.templatetags.keepsake import day
from dashboard.words import Words
from memory.choices import State
from memory.policy import LOOK
from memory.recall.selecting import Order, Selection

STATES = (State.ACTIVE, State.PENDING, State.PAUSED, State.DISPUTED, State.ARCHIVED)
TABLE = "table"
NOBODY: Mapping[str, str] = {}

ORDERS: Mapping[str, Words] = {
    Order.NEWEST: gettext_lazy("Newest first"),
    Order.OLDEST: gettext_lazy("Oldest first"),
    Order.USED: gettext_lazy("Last used first"),
}
WHEN: Mapping[str, Words] = {
    "recent": gettext_lazy("Recently learnt"),
    "unused": gettext_lazy("Unused for 90 days"),
    "new": gettext_lazy("Learnt since your last visit"),
    "changed": gettext_lazy("Changed since your last visit"),
}
LABELS: Mapping[str, Words] = {
    "state": gettext_lazy("State"),
    "kind": gettext_lazy("Kind"),
    "level": gettext_lazy("Sensitivity"),
    "basis": gettext_lazy("Where from"),
    "agent": gettext_lazy("Agent"),
    "when": gettext_lazy("When"),
    "sort": gettext_lazy("Order"),
}
CHOICES: Mapping[str, Mapping[str, Words]] = {
    "state": {state: words.STATES[state].words for state in STATES},
    "kind": words.KINDS,
    "level": {str(level): said for level, said in words.LEVEL_WORDS.items()},
    "basis": {name: one[0] for name, one in words.BASIS_FILTERS.items()},
    "when": WHEN,
    "sort": ORDERS,
}
SHOWN = ("state", "level", "kind", "basis", "agent", "when", "sort")  # as choices, in this order
DAYS = ("from", "to")
YEARS = range(1900, 9000)
NARROWING = ("state", "level", "kind", "basis", "agent", "when", *DAYS)
# The views that everybody has: what each is called and narrows to.
VIEWS: Sequence[tuple[Words, str]] = (
    (gettext_lazy("All"), ""),
    (gettext_lazy("Sensitive"), "level=40"),
    (gettext_lazy("Unused for 90 days"), "when=unused"),
    (gettext_lazy("Recently learnt"), "when=recent"),
    (gettext_lazy("Paused"), "state=paused"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One choice of the form: its name, what it is called, its options and which is chosen."""

    name: str
    label: Words
    options: Sequence[tuple[str, Words]]
    chosen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What was chosen, by name; an unknown value counts as none.

    ``names`` are those of the agents from whom memories came; ``since`` is the end of the last visit.
    """

    chosen: Mapping[str, str]
    names: Mapping[str, str]
    since: datetime | None = None

    @property
    def narrows(self) -> bool:
        """Whether anything is left out."""
        return any(name in self.chosen for name in NARROWING)

    @property
    def table(self) -> bool:
        """Whether it is shown as a table."""
        return self.chosen.get("view") == TABLE

    @property
    def order(self) -> Order:
        """The order of the list."""
        return Order(self.chosen.get("sort", Order.NEWEST))

    @property
    def query(self) -> str:
        """All of it as the query of an address."""
        return urlencode(self.chosen)

    @property
    def narrowing(self) -> str:
        """What leaves something out, as the query of an address: what a saved view is."""
        return urlencode({name: self.chosen[name] for name in NARROWING if name in self.chosen})

    @property
    def chips(self) -> list[tuple[Words, str]]:
        """What was chosen, in words, each with the query of the list without it."""
        names = [name for name in (*NARROWING, "sort") if name in self.chosen]
        return [(self._words(name), self.without(name)) for name in names]

    @property
    def said(self) -> str:
        """What leaves something out, as one text."""
        return " · ".join(str(self._words(name)) for name in NARROWING if name in self.chosen)

    @property
    def other_look(self) -> str:
        """The query of the same list, as a table where it is none and as a list where it is one."""
        return self.without("view") if self.table else urlencode({**self.chosen, "view": TABLE})

    @property
    def fields(self) -> list[Field]:
        """The choices of the form."""
        agents = {"agent": self.names}
        return [
            Field(
                name=name,
                label=LABELS[name],
                options=list((agents.get(name) or CHOICES[name]).items()),
                chosen=self.chosen.get(name, ""),
            )
            for name in SHOWN
            if name != "agent" or self.names
        ]

    def without(self, name: str) -> str:
        """Return the query without one of the filters."""
        return urlencode({key: value for key, value in self.chosen.items() if key != name})

    def _words(self, name: str) -> Words:
        value = self.chosen[name]
        if name in DAYS:
            said = _("from %(day)s") if name == "from" else _("until %(day)s")
            return said % {"day": day(midnight(date.fromisoformat(value)))}
        return self.names[value] if name == "agent" else CHOICES[name][value]

    def selection(self) -> Selection:
        """Return which memories are meant."""
        now, when = timezone.now(), self.chosen.get("when")
        columns: dict[str, Any] = {
            column: self.chosen[name]
            for name, column in (
                ("state", "state"),
                ("kind", "kind"),
                ("level", "sensitivity"),
                ("agent", "agent_id"),
            )
            if name in self.chosen
        }
        if "basis" in self.chosen:
            columns["origin__in"] = words.BASIS_FILTERS[self.chosen["basis"]][1]
        begin = [midnight(one) for one in _days(self.chosen.get("from"))]
        begin += [now - LOOK.recent] if when == "recent" else []
        begin += [self.since] if when == "new" and self.since else []
        if begin:
            columns["created_at__gte"] = max(begin)
        for end in _days(self.chosen.get("to")):
            columns["created_at__lt"] = midnight(end + timedelta(days=1))
        return Selection(
            columns=columns,
            unused_since=now - LOOK.unused if when == "unused" else None,
            changed_since=self.since if when == "changed" else None,
        )


def _days(text: str | None) -> list[date]:
    return [date.fromisoformat(text)] if text else []


def midnight(when: date) -> datetime:
    """Return the moment at which a day begins for the person."""
    return datetime.combine(when, time.min, tzinfo=timezone.get_current_timezone())


def read(
    values: Mapping[str, str],
    *,
    names: Mapping[str, str] = NOBODY,
    since: datetime | None = None,
) -> Filters:
    """Return the filters in a form's or an address' values; ``names`` are the agents' by their ids."""
    known: dict[str, Callable[[str], bool]] = {
        name: options.__contains__ for name, options in CHOICES.items()
    }
    known |= {"agent": names.__contains__, "from": is_day, "to": is_day, "view": TABLE.__eq__}
    chosen = {name: values[name] for name, knows in known.items() if knows(values.get(name, ""))}
    if chosen.get("sort") == Order.NEWEST:
        del chosen["sort"]
    if since is None and chosen.get("when") in {"new", "changed"}:
        del chosen["when"]
    return Filters(chosen=chosen, names=names, since=since)


def of_query(query: str, *, names: Mapping[str, str], since: datetime | None) -> Filters:
    """Return the filters that were written down as a query."""
    return read(dict(parse_qsl(query)), names=names, since=since)


def is_day(text: str) -> bool:
    """Whether a text names a day, as ``2026-11-30``."""
    try:
        found = parse_date(text)
    except ValueError:
        return False
    return found is not None and text == found.isoformat() and found.year in YEARS
