"""A person's settings: what happens to guesses, the undo window, the zone, topics, saved views."""

import zoneinfo

from django.core.exceptions import PermissionDenied

from accounts import audit, rights
from accounts.acting import acting
from accounts.choices import AuditCode, Learning
from accounts.models import Subject
from accounts.principal import Principal

MAX_UNDO = 7 * 24 * 60
LONGEST = 300  # characters of a combination of filters


class BadPreference(ValueError):
    """A value no setting can hold."""


def set_learning(principal: Principal, learning: str) -> None:
    """Choose what happens to what agents work out.

    Raises:
        PermissionDenied, BadPreference: not the person; an unknown choice.
    """
    if learning not in Learning.values:
        raise BadPreference("learning")
    _set(principal, "learning", learning)


def set_undo_minutes(principal: Principal, minutes: int) -> None:
    """Choose how long a forgetting can be taken back: 0 minutes to 7 days.

    Raises:
        PermissionDenied, BadPreference: not the person; outside the range.
    """
    if not 0 <= minutes <= MAX_UNDO:
        raise BadPreference("undo_minutes")
    _set(principal, "undo_minutes", minutes)


def set_time_zone(principal: Principal, name: str) -> None:
    """Choose the zone times are shown in and days begin in; ``UTC`` leaves it to the browser.

    Raises:
        PermissionDenied, BadPreference: not the person; no such zone.
    """
    if name not in time_zones():
        raise BadPreference("time_zone")
    _set(principal, "time_zone", name)


def set_interests(principal: Principal, *, on: bool) -> None:
    """Choose whether the topics of the person's questions are counted.

    Raises:
        PermissionDenied: not the person.
    """
    _set(principal, "interests", on)


def set_hide_sensitive(principal: Principal, *, on: bool) -> None:
    """Choose whether the person's own lists withhold sensitive texts until they ask.

    Raises:
        PermissionDenied: not the person.
    """
    _set(principal, "hide_sensitive", on)


def save_view(principal: Principal, query: str, *, most: int) -> None:
    """Keep a combination of filters, given as codes; the oldest of more than ``most`` goes.

    Raises:
        PermissionDenied, BadPreference: not the person; no filter, or too long.
    """
    if not 0 < len(query) <= LONGEST:
        raise BadPreference("list_views")
    kept = [one for one in _views(principal) if one != query]
    _set(principal, "list_views", [*kept, query][-most:])


def drop_view(principal: Principal, query: str) -> None:
    """Keep a combination of filters no longer.

    Raises:
        PermissionDenied: not the person.
    """
    _set(principal, "list_views", [one for one in _views(principal) if one != query])


def _views(principal: Principal) -> list[str]:
    rows = Subject.objects.of_tenant(principal.tenant_id).filter(id=principal.person_id)
    return list(rows.values_list("list_views", flat=True).get())


def time_zones() -> list[str]:
    """Return the names of the time zones."""
    return sorted(zone for zone in zoneinfo.available_timezones() if "/" in zone or zone == "UTC")


def _set(principal: Principal, field: str, value: str | int | list[str]) -> None:
    if not principal.is_person:
        raise PermissionDenied("Only the person changes their settings.")
    with acting(principal):
        rows = Subject.objects.of_tenant(principal.tenant_id).filter(id=principal.person_id)
        if rights.change(rows.exclude(**{field: value}), **{field: value}):
            audit.record(
                principal,
                AuditCode.PREFERENCES_CHANGED,
                object_kind="subject",
                object_id=principal.person_id,
                fields=[field],
            )
