"""What differs from allauth's defaults: nobody signs up by themselves."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Logins are made by the operator or by a link the person's agent asked for."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse open registration."""
        return False
