"""Times as people read them, in the zone the page is shown in, and the buttons of every list."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard import words

register = template.Library()
RECENT_DAYS = 30


def _button(context: Mapping[str, Any], view: str, *args: object, **named: Any) -> dict[str, Any]:
    to, icon = reverse(view, args=args), f"icons/{named['icon']}.svg"
    return {**named, "to": to, "icon": icon, "csp_nonce": context.get("csp_nonce", "")}


@register.inclusion_tag("parts/act.html", takes_context=True)
def act(context: Mapping[str, Any], view: str, *args: object, **named: Any) -> dict[str, Any]:
    """Show a button that changes something: a form of its own, whole without JavaScript.

    ``words`` and ``icon`` are what it shows, ``key`` the letter that presses it, ``look`` its
    classes; ``at`` is the id of the element its answer replaces, ``about`` the id of the words it is
    about, ``focus`` says where to be after.
    """
    return _button(context, view, *args, **named)


@register.inclusion_tag("parts/go.html", takes_context=True)
def go(context: Mapping[str, Any], view: str, *args: object, **named: Any) -> dict[str, Any]:
    """Show a link that looks like a button; it takes what ``act`` takes."""
    return _button(context, view, *args, **named)


@register.simple_block_tag
def sentences(content: str) -> SafeString:
    """Set the sentences between as their language does: Chinese puts no space after a full stop."""
    return mark_safe(words.sentences(content))  # noqa: S308 - markup that was rendered, less spaces


@register.filter
def clock(at: datetime | None) -> str:
    """``10:14``; with the zone's name while nobody has said which zone to use."""
    if at is None:
        return ""
    local = timezone.localtime(at)
    zone = " UTC" if timezone.get_current_timezone_name() == "UTC" else ""
    return f"{local:%H:%M}{zone}"


@register.filter
def day(at: datetime | None) -> str:
    """``3 Nov`` or ``11月3日``; with the year when it is not this one."""
    if at is None:
        return ""
    local = timezone.localtime(at)
    this_year = local.year == timezone.localtime().year
    # Translators: how a day of this year is written, in Django's date format characters.
    short = _("j M")
    # Translators: how a day of another year is written, in Django's date format characters.
    return date_format(local, short if this_year else _("j M Y"))


@register.filter
def moment(at: datetime | None) -> str:
    """``3 Nov, 10:14``."""
    if at is None:
        return ""
    return _("%(day)s, %(time)s") % {"day": day(at), "time": clock(at)}


@register.filter
def time_of(at: datetime | None) -> str:
    """``10:14`` today, ``3 Nov, 10:14`` on another day."""
    today = at is not None and timezone.localtime(at).date() == timezone.localdate()
    return clock(at) if today else moment(at)


@register.filter
def ago(at: datetime | None) -> str:
    """How long ago, in days at the finest; within the day, the hour."""
    if at is None:
        return ""
    days = (timezone.localdate() - timezone.localtime(at).date()).days
    if days <= 0:
        return _("today %(time)s") % {"time": clock(at)}
    if days == 1:
        return _("yesterday")
    if days < RECENT_DAYS:
        return ngettext("%(days)s day ago", "%(days)s days ago", days) % {"days": days}
    return day(at)


@register.filter
def qr(svg: str) -> SafeString:
    """The picture of a new second factor, drawn here from a secret made here: no one else's markup."""
    begin = svg.find("<svg")
    return mark_safe(svg[begin:] if begin >= 0 else "")  # noqa: S308 - see above
