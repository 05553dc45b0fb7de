"""Where a login is signed in, and being signed out there."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.auth import login
from django.http import HttpRequest

from accounts.models import User

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"

# The first that stands in what a browser says of itself; later ones imitate earlier ones.
BROWSERS = (
    ("Edge", re.compile(r"\bEdgA?/")),
    ("Opera", re.compile(r"\bOPR/")),
    ("Firefox", re.compile(r"\b(?:Firefox|FxiOS)/")),
    ("Chrome", re.compile(r"\b(?:Chrome|CriOS)/")),
    ("Safari", re.compile(r"\bSafari/")),
)
SYSTEMS = (
    ("Android", re.compile(r"\bAndroid\b")),
    ("iOS", re.compile(r"\b(?:iPhone|iPad)\b")),
    ("Windows", re.compile(r"\bWindows\b")),
    ("macOS", re.compile(r"\bMac OS X\b")),
    ("Linux", re.compile(r"\bLinux\b")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """One place where a login is signed in: what it is, from which network, since when."""

    browser: str
    system: str
    network: str
    since: datetime
    here: bool


def sign_in(request: HttpRequest, user: User) -> None:
    """Sign this browser in, so that it stands among the places where the login is signed in."""
    login(request, user, backend=BACKEND)
    UserSession.objects.create_from_request(request)


def devices(request: HttpRequest) -> Sequence[Device]:
    """Return where the login of ``request`` is signed in, this browser first, the newest next."""
    rows: list[Any] = UserSession.objects.purge_and_list(request.user)
    if all(row.session_key != request.session.session_key for row in rows):
        UserSession.objects.create_from_request(request)
        rows = UserSession.objects.purge_and_list(request.user)
    found = [_device(row, request) for row in rows]
    return sorted(found, key=lambda one: (not one.here, -one.since.timestamp()))


def sign_out_elsewhere(request: HttpRequest) -> int:
    """End every other session of the login at once; return how many there were."""
    rows = UserSession.objects.filter(user_id=request.user.pk)
    others = list(rows.exclude(session_key=request.session.session_key))
    for row in others:
        row.end()
    return len(others)


def called(said: str) -> tuple[str, str]:
    """Return the browser and the system that ``said`` this of itself; each empty where it is unknown."""
    return _first(BROWSERS, said), _first(SYSTEMS, said)


def _device(row: Any, request: HttpRequest) -> Device:
    browser, system = called(row.user_agent)
    return Device(
        browser=browser,
        system=system,
        network=row.ip,  # the database keeps no more of it
        since=row.created_at,
        here=row.session_key == request.session.session_key,
    )


def _first(table: Sequence[tuple[str, "re.Pattern[str]"]], said: str) -> str:
    return next((name for name, pattern in table if pattern.search(said)), "")
