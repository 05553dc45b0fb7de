"""An operator at the console, and a database full of words that must not be seen there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from django.test import Client

    from tests.cast import Cast

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def signed_in(email: str, *, staff: bool) -> Client:
    """Return a browser signed in with a new login."""
    from django.test import Client

    from accounts.models import User

    user = User.objects.create_user(email, "correct horse battery staple", is_staff=staff)
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend=BACKEND)
    return client


@pytest.fixture
def operator(cast: Cast) -> Client:
    """An operator's browser."""
    return signed_in("operator@example.com", staff=True)


CANARIES = (
    "quokkaberry",  # a memory and its quote
    "金丝雀巷",  # the same in Chinese
    "wombatine",  # a correction
    "numbatty",  # a message of the assistant
    "bilbyfact",  # a guess that waits for the person
    "dingoboard",  # a board
    "possumtask",  # a task's name
    "wallabychat",  # a session's name
    "koalatag",  # a tag
    "emumeta",  # metadata
    "diet.allergy",  # an attribute says something by itself
    "lorikeetgone",  # what was erased
    "platypusfile",  # the name of a document
    "echidnatitle",  # its title
    "袋鼠页",  # its text
)


def of_the_tenant(cast: Cast) -> None:
    """Give the assistant an address for notices, hand a document in, and invite Bob."""
    from accounts.choices import ActorKind
    from memory.admin.inviting import invite_person
    from memory.admin.webhooks import register_target
    from tests.cast import operator as operator_of
    from tests.memory.knowledge.shelf import put

    owner = operator_of(cast.acme).using(kind=ActorKind.OPERATOR)
    agent, url = cast.agents["assistant"].id, "https://example.com/erased"
    assert register_target(owner, agent, reason="drill OPS-1", url=url)
    assert invite_person(owner, cast.bob.id, reason="drill OPS-1")
    put(cast.acme, "platypusfile.md", "# echidnatitle\n\nIt says 袋鼠页 in the middle.")


def looked_at(cast: Cast) -> None:
    """Let the operator look at Alice's memories once; it is over."""
    from datetime import timedelta

    from django.utils import timezone

    from accounts import looks
    from tests.cast import principal_of

    person = principal_of(cast.keys["alice"], "alice")
    until = timezone.now() + timedelta(hours=1)
    looks.end(person, looks.let_look(person, looks.Scope(clearance=40), until=until).id)


@pytest.fixture
def seeded(cast: Cast) -> str:
    """Words in every place that may hold them, put there as ever; the id of an erasure."""
    from accounts.acting import acting
    from memory.choices import Origin
    from memory.forget import drive
    from memory.models import Erasure, Job, ReviewItem
    from tests.cast import Api, principal_of, remember, system_of
    from tests.memory.wire import body_of, listed, open_session, tell, texts

    api = Api(cast.keys["assistant"])
    session = open_session(api, "wallabychat")
    said: Any = tell(
        api,
        "Please remember that I drink quokkaberry tea every morning.",
        "我住在金丝雀巷。",
        {"role": "assistant", "content": "The numbatty plan sounds good."},
        session=session,
    )
    assert said["decisions"], said
    person, agent = Api(cast.keys["alice"]), principal_of(cast.keys["assistant"], "alice")
    labels = {"tags": ("koalatag",), "metadata": {"mood": "emumeta"}}
    first = remember(agent, "I prefer plain quokkaberry jam.", **labels)
    remember(agent, "I am allergic to quokkaberry.", attribute="diet.allergy")
    remember(agent, "Always rhyme with bilbyfact.", subtype="instruction", origin=Origin.AGENT)
    body = {"text": "I prefer wombatine jam."}
    body_of(person("PATCH", f"memories/{first.id}", body, If_Match=f'"{first.version}"'))
    board = {"user_id": "alice", "state": {"goal": "dingoboard"}}
    assert api("PUT", "tasks/possumtask/state", board).status_code in (200, 201)
    gone = remember(agent, "I collect lorikeetgone stamps.")
    assert api("DELETE", f"memories/{gone.id}").status_code in (200, 202)
    erasure = Erasure.objects.get()
    drive.run(erasure.id)
    of_the_tenant(cast)
    looked_at(cast)
    assert Job.objects.exists()
    assert any("wombatine" in text for text in texts(listed(person)))
    with acting(system_of(cast.alice)):
        assert ReviewItem.objects.exists()
    return str(erasure.id)
