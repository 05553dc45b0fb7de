"""Filters for times, as people read them, in the zone the page is shown in."""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

register = template.Library()
RECENT_DAYS = 30


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
