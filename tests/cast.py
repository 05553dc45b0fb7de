"""The cast: two tenants, three people, their agents and keys.

Alice and Bob are colleagues at Acme. Charlie is a stranger at Globex, whom his own agent also calls
``alice``: whoever mixes up tenants mixes up the two. Nothing here imports a model at the top, because
the plugin is loaded before Django reads its settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

    from accounts.models import Agent, Subject, Tenant
    from accounts.principal import Principal
    from memory.models import Memory

ALICE, BOB, CHARLIE = "alice", "bob", "alice"  # what their agents call them


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """Everybody. Keys are the full texts an agent presents, by what is special about each."""

    acme: Tenant
    globex: Tenant
    alice: Subject
    bob: Subject
    charlie: Subject
    agents: dict[str, Agent]
    keys: dict[str, str]


# --- making them ---------------------------------------------------------------------------------


def operator(tenant: Tenant) -> Principal:
    """Return whoever sets a tenant up."""
    from accounts.choices import ActorKind
    from accounts.principal import Principal

    return Principal(kind=ActorKind.OPERATOR, tenant_id=tenant.id, actor_id=None, label="set-up")


def system_of(subject: Subject) -> Principal:
    """Return the service itself, at work for one person."""
    from accounts.subjects import system

    return system(subject.tenant_id, subject.id, label="test").unlimited()


def make_agent(tenant: Tenant, name: str, *, may_link: bool = False) -> Agent:
    """Return a new agent."""
    from accounts.acting import acting
    from accounts.models import Agent

    with acting(operator(tenant)):
        return Agent.objects.create(tenant=tenant, name=name, may_link=may_link)


def make_grant(agent: Agent, subject: Subject, **rights: Any) -> Any:
    """Return what ``agent`` may do for ``subject``: everything up to level 20, less what is given."""
    from accounts.acting import acting
    from accounts.models import Grant

    with acting(system_of(subject)):
        return Grant.objects.create(**_everything(agent, subject) | rights)


def _everything(agent: Agent, subject: Subject) -> dict[str, Any]:
    from accounts.choices import Action
    from accounts.principal import ALL_KINDS

    return {
        "tenant_id": subject.tenant_id,
        "subject": subject,
        "agent": agent,
        "actions": list(Action.values),
        "kinds": sorted(ALL_KINDS),
        "clearance": 20,
    }


def agent_key(agent: Agent, **options: Any) -> str:
    """Return a new key of the agent, as it is shown once."""
    from accounts import keys
    from accounts.choices import KeyKind

    owner = operator(agent.tenant)
    return keys.issue(owner, kind=KeyKind.AGENT, agent=agent, **options)[1]


def person_key(subject: Subject) -> str:
    """Return a new key of the person."""
    from accounts import keys
    from accounts.choices import KeyKind

    return keys.issue(operator(subject.tenant), kind=KeyKind.PERSON, subject=subject)[1]


def pipeline_key(tenant: Tenant) -> str:
    """Return a new key that writes knowledge only."""
    from accounts import keys
    from accounts.choices import KeyKind

    return keys.issue(operator(tenant), kind=KeyKind.PIPELINE, label="docs")[1]


def build_cast() -> Cast:
    """Make everybody. Agents get a grant only where one is made here."""
    from accounts.models import Subject, Tenant

    acme = Tenant.objects.create(name="Acme", grants_on_first_use=False)
    globex = Tenant.objects.create(name="Globex 环球")
    alice = Subject.objects.create(tenant=acme, external_id=ALICE)
    bob = Subject.objects.create(tenant=acme, external_id=BOB)
    charlie = Subject.objects.create(tenant=globex, external_id=CHARLIE)
    agents = _agents(acme, globex)
    _grant_all(agents, alice, bob, charlie)
    return Cast(
        acme=acme,
        globex=globex,
        alice=alice,
        bob=bob,
        charlie=charlie,
        agents=agents,
        keys=_keys(agents, acme, alice, bob),
    )


def _agents(acme: Tenant, globex: Tenant) -> dict[str, Agent]:
    from accounts.acting import acting
    from accounts.models import Agent

    names = ("assistant", "colleague", "reader", "low", "no_episodes", "paused", "lapsed", "off")
    made = [Agent(tenant=acme, name=name, may_link=name == "assistant") for name in names]
    with acting(operator(acme)):
        Agent.objects.bulk_create(made)
    return dict(zip(names, made, strict=True)) | {"stranger": make_agent(globex, "assistant")}


def _grant_all(agents: dict[str, Agent], alice: Subject, bob: Subject, charlie: Subject) -> None:
    from django.utils import timezone

    from accounts.acting import acting
    from accounts.choices import Action, MemoryMode
    from accounts.models import Grant

    past = timezone.now() - timedelta(minutes=1)
    make_grant(agents["colleague"], bob)
    make_grant(agents["stranger"], charlie)
    rights: dict[str, dict[str, Any]] = {
        "assistant": {},
        "reader": {"actions": [Action.READ]},
        "low": {"clearance": 10},
        "no_episodes": {"kinds": ["procedural", "semantic"]},
        "paused": {"paused_at": past},
        "lapsed": {"expires_at": past},
        "off": {"memory_mode": MemoryMode.OFF},
    }
    with acting(system_of(alice)):
        Grant.objects.bulk_create(
            Grant(**_everything(agents[name], alice) | less) for name, less in rights.items()
        )


def _keys(agents: dict[str, Agent], acme: Tenant, alice: Subject, bob: Subject) -> dict[str, str]:
    from django.utils import timezone

    from accounts import keys
    from accounts.acting import acting

    past = timezone.now() - timedelta(minutes=1)
    made = {"stranger": agent_key(agents["stranger"])}
    with acting(operator(acme)):
        made |= {name: agent_key(one) for name, one in agents.items() if name != "stranger"}
        made["revoked"] = agent_key(agents["assistant"])
        revoked = keys.find(made["revoked"])
        assert revoked is not None
        keys.revoke(operator(acme), key_id=revoked.key_id)
        made["expired"] = agent_key(agents["assistant"], expires_at=past)
        made["alice"], made["bob"] = person_key(alice), person_key(bob)
        made["pipeline"] = pipeline_key(acme)
    return made


def principal_of(key: str, user_id: str) -> Principal:
    """Return who presents ``key`` about ``user_id``, as the API finds out."""
    from accounts import keys
    from accounts.subjects import caller
    from memory import access

    owner = keys.find(key)
    assert owner is not None, "this key lets nobody in"
    return access.for_user(caller(owner), user_id)


def remember(principal: Principal, text: str, **proposed: Any) -> Memory:
    """Put ``text`` through the gate as the person's own words and return the memory it made."""
    from django.utils import timezone

    from memory.choices import Origin
    from memory.write.pipeline import decide
    from memory.write.proposal import Proposal, Source

    origin = proposed.pop("origin", Origin.PERSON)
    source = Source(origin=origin, said_at=timezone.now())
    decided = decide(principal, Proposal(text=text, source=source, **proposed))
    assert decided.memory is not None, decided.reasons
    return decided.memory


def make_memory(subject: Subject, **fields: Any) -> Memory:
    """Put in a bare row, without words, for tests of the table itself."""
    from accounts.acting import acting
    from memory.models import Memory

    common: dict[str, Any] = {
        "kind": "semantic",
        "subtype": "fact",
        "state": "active",
        "sensitivity": 10,
        "origin": "person",
        "trust": 30,
    }
    with acting(system_of(subject)):
        return Memory.objects.create(
            tenant_id=subject.tenant_id, subject_id=subject.id, **(common | fields)
        )


class Api:
    """A client that presents one key (or none) and speaks JSON."""

    def __init__(self, key: str | None) -> None:
        from django.test import Client

        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.client = Client(headers=headers, SERVER_NAME="localhost")

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> Response:
        """Send one request to an address below /api/v1/, or any address that starts with a slash."""
        address = path if path.startswith("/") else f"/api/v1/{path}"
        given: dict[str, Any] = {"headers": {k.replace("_", "-"): v for k, v in headers.items()}}
        if body is not None:
            given |= {"data": body, "content_type": "application/json"}
        elif method in {"POST", "PUT", "PATCH"}:  # else the client makes up an empty form
            given |= {"data": b"", "content_type": "application/json"}
        send: Callable[..., Response] = getattr(self.client, method.lower())
        return send(address, **given)


@contextmanager
def hashed_terms(**changes: Any) -> Iterator[None]:
    """Search by hashed terms instead of a model; ``changes`` are other settings."""
    from django.test import override_settings

    from memory.providers.embedding import reset_embedder

    with override_settings(**{"EMBEDDER": "tests.hash_embedder.build"} | changes):
        reset_embedder()
        yield
    reset_embedder()


# --- fixtures ------------------------------------------------------------------------------------


@pytest.fixture
def hash_embedder(settings: Any) -> Iterator[None]:
    """Search by hashed terms, where the test does not measure meaning.

    Through the fixture of settings, so that a test that changes others takes both back, whatever it
    names first.
    """
    from memory.providers.embedding import reset_embedder

    settings.EMBEDDER = "tests.hash_embedder.build"
    reset_embedder()
    yield
    reset_embedder()


@pytest.fixture
def cast(db: None, hash_embedder: None) -> Cast:
    """Everybody, in an otherwise empty database."""
    return build_cast()


@pytest.fixture
def client_for() -> type[Api]:
    """Return the function that turns a key into an API client."""
    return Api
