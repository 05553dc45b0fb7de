"""Signing in: the language a login reads in comes along to a new browser."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop as _

from accounts.adapter import AccountAdapter

LABELS = (_("Name"),)  # of a passkey: allauth makes it from the name of the field


class SignInAdapter(AccountAdapter):
    """Sets the language cookie from the account when somebody signs in."""

    def post_login(self, request: HttpRequest, user: Any, **details: Any) -> HttpResponse:
        """Answer the sign-in, in the language the account was last used in."""
        answer: HttpResponse = super().post_login(request, user, **details)
        if user.language in dict(settings.LANGUAGES):
            keep_language(answer, user.language)
        return answer


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
