"""The report as Markdown: everything held about a person, each number by its name."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard import words
from dashboard.templatetags.keepsake import moment

type Items = Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]


def as_markdown(held: Mapping[str, Any], items: Items) -> Iterator[str]:
    """Return it in pieces; ``items`` are the memories, each with the agents it was told."""
    yield f"# {_('Everything held about you')}\n\n{moment(timezone.now())}\n"
    if held["on_hold"]:
        yield f"\n{_named(_('On hold'), held['on_hold'])}\n"
    for one in held["held"]:
        yield f"\n## {one['what']}\n\n"
        yield _line(_named(_("Entries"), one["count"]))
        yield _line(_named(_("Why"), one["why"]))
        yield _line(_named(_("Until when"), one["until"]))
    if held["login"]:
        yield from _login(held["login"])
    if held["looks"]:
        yield f"\n## {_('The operator of this server and your memories')}\n\n"
        yield from map(_look, held["looks"])
    yield f"\n## {_('Who read it')}\n\n"
    for one in held["readers"]:
        between = _("first %(first)s, last %(last)s")
        between %= {"first": moment(one["first"]), "last": moment(one["last"])}
        yield _line(_named(f"{one['who']} {one['what']}", _times(one["times"])), between)
    yield f"\n## {_('Memories, and whom they were told')}\n\n"
    for item, told_to in items:
        text = str(item["versions"][-1]["text"]).strip().replace("\n", "\n  ")
        yield _line(f"{text} ({words.BASES[item['origin']]}, {moment(item['created_at'])})")
        for one in told_to:
            who = one["agent"] or _("An agent")
            yield "  " + _line(_named(who, _times(one["times"])), _last(one["last"]))


def _login(login: Mapping[str, Any]) -> Iterator[str]:
    yield f"\n## {_('Your login')}\n\n"
    yield _line(_named(_("E-mail"), login["email"]), _since(login["date_joined"]))
    if login["last_login"]:
        yield _line(_named(_("Signed in last"), moment(login["last_login"])))
    for one in login["factors"]:
        yield _line(one["what"], one["name"], _since(one["since"]), _last(one["last"]))
    for one in login["sign_ins"]:
        network = one["network"] and f"{_('network')} {one['network']}"
        where = _named(_("Signed in"), one["where"])
        yield _line(where, network, _since(one["since"]), _last(one["last"]))


def _look(look: Mapping[str, Any]) -> str:
    ground = _("You let them.") if look["leave"] else f"{look['why']} {look['ticket']}".strip()
    views = ngettext(
        "%(number)s page was looked at", "%(number)s pages were looked at", look["views"]
    )
    when = f"{moment(look['begun'])} – {moment(look['ended'])}"
    return _line(when, ground, views % {"number": look["views"]})


def _line(*parts: object) -> str:
    return f"- {' · '.join(str(one) for one in parts if one)}\n"


def _named(name: object, value: object) -> str:
    return _("%(name)s: %(value)s") % {"name": name, "value": value}


def _times(number: int) -> str:
    return ngettext("%(number)s time", "%(number)s times", number) % {"number": number}


def _since(at: datetime) -> str:
    return _("since %(time)s") % {"time": moment(at)}


def _last(at: datetime | None) -> str:
    return _("last %(time)s") % {"time": moment(at)} if at else ""
