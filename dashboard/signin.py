"""Signing in: the language a login reads in comes along to a new browser."""

from collections.abc import Callable
from typing import Any, Concatenate

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop as _

from accounts.adapter import AccountAdapter
from dashboard.people import PersonRequest

LABELS = (_("Name"),)  # of a passkey: allauth makes it from the name of the field


class SignInAdapter(AccountAdapter):
    """Sets the language cookie from the account when somebody signs in."""

    def post_login(self, request: HttpRequest, user: Any, **details: Any) -> HttpResponse:
        """Answer the sign-in, in the language the account was last used in."""
        answer: HttpResponse = super().post_login(request, user, **details)
        if user.language in dict(settings.LANGUAGES):
            keep_language(answer, user.language)
        return answer


def asked_again[**P](
    view: Callable[Concatenate[PersonRequest, P], HttpResponse],
) -> Callable[Concatenate[PersonRequest, P], HttpResponse]:
    """Ask for the password or a passkey again first, unless that was minutes ago."""
    again: Any = reauthentication_required
    guarded: Callable[Concatenate[PersonRequest, P], HttpResponse] = again(view)
    return guarded


def keep_language(answer: HttpResponse, code: str) -> None:
    """Let the browser remember a language."""
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        path=settings.LANGUAGE_COOKIE_PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
