"""The service the browser looks at: a real server, a real worker, people with a real story."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from memory.management.player import Player
from tests.browser.agent import Agent

if TYPE_CHECKING:
    from django.test import Client

    from accounts.models import Agent as Program
    from accounts.models import Subject, User

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
PASSWORD = "correct horse battery staple"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resident:
    """A person with a login, and an agent that talks about them."""

    subject: Subject
    user: User
    email: str
    agent: Agent


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The service, and how people move in."""

    url: str
    program: Program

    def settle(self, user_id: str, *, story: bool = True) -> Resident:
        """Let a person move in, with the weeks of the demo behind them or with nothing yet."""
        from accounts.models import User
        from accounts.setup import operator
        from accounts.subjects import get_or_create_subject

        player = self._player(user_id)
        if story:
            list(player.play(now=timezone.now()))
            list(player.guess())
        subject, _ = get_or_create_subject(operator(self.program.tenant_id), user_id)
        email = f"{user_id}@example.com"
        user = User.objects.create_user(email, PASSWORD)
        type(subject)._default_manager.filter(id=subject.id).update(login=user)
        agent = Agent(url=self.url, key=player.key, user_id=user_id)
        return Resident(subject=subject, user=user, email=email, agent=agent)

    def invite(self, user_id: str) -> str:
        """Return the path of a link by which somebody takes charge of a new person."""
        player = self._player(user_id)
        person = player.call("POST", "users", {"user_id": user_id})["id"]
        url: str = player.call("POST", f"users/{person}/link")["url"]
        return url[url.index("/link/") :]

    def _player(self, user_id: str) -> Player:
        """Return the agent at work for somebody, with a key of its own."""
        from accounts.setup import new_agent_key

        key = new_agent_key(self.program, label="demo", environment="demo")
        player = Player(url=self.url, key=key, user_id=user_id)
        player.call("POST", "users", {"user_id": user_id})
        return player

    def stranger(self, email: str, *, staff: bool = False) -> User:
        """Return a new login without a person, an operator's if ``staff``."""
        from accounts.models import User

        return User.objects.create_user(email, PASSWORD, is_staff=staff)


def signed_in(resident: Resident) -> Client:
    """Return a client that is signed in as somebody."""
    from django.test import Client

    client = Client(SERVER_NAME="localhost")
    client.force_login(resident.user, backend=BACKEND)
    return client


def cookies(user: User, url: str) -> list[Any]:
    """Return the cookies of a browser in which ``user`` has just signed in."""
    from django.test import Client

    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend=BACKEND)
    return [{"name": name, "value": one.value, "url": url} for name, one in client.cookies.items()]


@contextmanager
def opened(*, meaning: bool) -> Iterator[House]:
    """Serve the test database; search by a real model if ``meaning``, else by hashed terms."""
    from django.core.cache import cache
    from pytest_django.live_server_helper import LiveServer

    from accounts.setup import get_or_create_agent, get_or_create_tenant
    from tests.cast import hashed_terms

    with ExitStack() as stack:
        stack.callback(_hang_up)  # last of all
        if not meaning:
            stack.enter_context(hashed_terms())
        server = LiveServer("localhost")
        stack.callback(server.stop)
        stack.enter_context(working())
        cache.clear()  # sign-ins are counted
        tenant = get_or_create_tenant("Demo")
        program = get_or_create_agent(tenant, "Demo assistant", may_link=True)
        yield House(url=server.url, program=program)


def _hang_up() -> None:
    """End the connections that the server's and the worker's threads have left open."""
    from django.db import connections

    for connection in connections.all():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                " AND usename = current_user AND datname = current_database()"
            )
        connection.close()


@contextmanager
def working() -> Iterator[None]:
    """Run a Celery worker beside the tests, without what earlier tests have left in its queue."""
    from celery.contrib.testing.worker import start_worker

    from config.celery import app

    app.control.purge()
    with start_worker(app, perform_ping_check=False, shutdown_timeout=30):
        yield
