"""Signed-in browsers for the cast, without a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from django.test import Client

    from accounts.models import Subject
    from accounts.principal import Principal
    from memory.models import Memory
    from tests.cast import Cast

PASSWORD = "correct horse battery staple"
PART = {"HX-Request": "true", "HX-Request-Type": "partial"}


def sign_in(*subjects: Subject, email: str, lang: str = "en") -> Client:
    """Return a client signed in with a login of its own, linked to ``subjects``."""
    from django.test import Client

    from accounts.models import User

    user = User.objects.create_user(email, PASSWORD)
    for subject in subjects:
        subject.login = user
        subject.save(update_fields=["login"])
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    client.cookies["django_language"] = lang
    return client


@pytest.fixture
def alice(cast: Cast) -> Client:
    """Alice's browser, in English."""
    return sign_in(cast.alice, email="alice@example.com")


@pytest.fixture
def bob(cast: Cast) -> Client:
    """Bob's browser, in English."""
    return sign_in(cast.bob, email="bob@example.com")


@pytest.fixture
def agent(cast: Cast) -> Principal:
    """Alice's assistant, as it writes about her."""
    from tests.cast import ALICE, principal_of

    return principal_of(cast.keys["assistant"], ALICE)


@pytest.fixture
def put(agent: Principal) -> Callable[..., Memory]:
    """Return the function by which Alice's assistant remembers what she said."""
    from tests.cast import remember

    def put_one(text: str, **proposed: Any) -> Memory:
        return remember(agent, text, **proposed)

    return put_one


def recalled(agent: Principal, question: str) -> list[str]:
    """Return the texts the agent is handed for a question, the profile among them."""
    from memory.recall.pipeline import recall
    from memory.recall.values import RecallQuery

    answer = recall(agent, RecallQuery(text=question))
    return [item.opened.text for item in (*answer.items, *answer.profile)]
