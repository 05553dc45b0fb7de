"""What lets somebody into a login: its password, passkeys and second factors, and who is signed in.

None of them may stand in a file. The ledger holds when they were changed last: where a restored dump
is older, its password and passkeys let nobody in, and an operator gives the person a new password.
"""

from collections.abc import Callable, Iterable
from functools import wraps

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver
from django.utils import timezone

from accounts import rights
from accounts.models import User

type View = Callable[..., HttpResponse]


class Watch:
    """Among the password validators, because these are told of every change of a password."""

    def validate(self, password: str, user: User | None = None) -> None:
        """Object to none."""

    def get_help_text(self) -> str:
        """Ask for nothing."""
        return ""

    def password_changed(self, password: str, user: User) -> None:
        """Write down that it was, in the transaction that saves it."""
        _changed(user)


def watched(patterns: Iterable[URLPattern | URLResolver]) -> list[URLPattern | URLResolver]:
    """Return another package's addresses, whose forms add and remove passkeys and second factors."""
    found = list(patterns)
    for one in found:
        if isinstance(one, URLPattern):
            one.callback = _watch(one.callback)
        else:
            watched(one.url_patterns)
    return found


def _watch(view: View) -> View:
    @wraps(view)
    def watching(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        user = request.user
        if request.method != "POST" or not isinstance(user, User):
            return view(request, *args, **kwargs)
        with transaction.atomic():
            before = _factors(user)
            answer = view(request, *args, **kwargs)
            if _factors(user) != before:
                _changed(user)
        return answer

    return watching


def _factors(user: User) -> set[int]:
    return set(Authenticator.objects.filter(user_id=user.pk).values_list("id", flat=True))


def _changed(user: User) -> None:
    user.sign_in_at = timezone.now()
    rights.change(User.objects.filter(pk=user.pk), sign_in_at=user.sign_in_at)


def sign_everybody_out() -> None:
    """End every session there is."""
    UserSession.objects.all().delete()
    Session.objects.all().delete()
