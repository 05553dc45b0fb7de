"""Out and in again, over the API: every column of every row is as it was, or says why not."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import models
from django.utils import timezone

from accounts import subjects
from accounts.acting import acting
from accounts.models import Subject, Tenant, User
from accounts.principal import Principal
from memory import access
from memory.aggregation.derivation import derive
from memory.choices import Kind, LinkKind, ReviewState, Sensitivity, State, Subtype, Visibility
from memory.choices.transfer import ImportGroup
from memory.forget.fence import erase
from memory.jobs import run_job
from memory.lifecycle import transition
from memory.models import (
    Conflict,
    Decision,
    Derivation,
    Evidence,
    Memory,
    MemoryLink,
    ReviewItem,
    Version,
)
from memory.models.base import PersonalRow
from memory.recall.history import open_quotes
from memory.transfer.export import SIGNATURE, export
from memory.transfer.importing import accept, offer
from memory.transfer.signature import sign
from memory.transfer.whole import new_id
from memory.vault import open_vault
from memory.write.links import link
from tests.cast import Api, Cast, person_key, principal_of, remember
from tests.memory.wire import body_of, propose, tell

pytestmark = pytest.mark.django_db

# By which columns a row is known again.
KNOWN_BY: dict[type[models.Model], tuple[str, ...]] = {
    Memory: ("id",),
    Version: ("memory_id", "number"),
    Evidence: ("memory_id", "version_number", "created_at"),
    Decision: ("memory_id", "created_at"),
    ReviewItem: ("memory_id", "created_at"),
    Conflict: ("current_id", "challenger_id"),
    MemoryLink: ("source_id", "target_id", "kind"),
    Derivation: ("memory_id", "parent_id"),
}
WHOSE = {"tenant_id", "subject_id"}  # what changes
ANEW = "another row has another id"
KEYED = "a digest under the person's key; what it is made of is compared opened"
SEALED = "sealed under the person's key; compared opened"
# Which columns are not the same elsewhere, each with its reason.
OTHERWISE: dict[type[models.Model], dict[str, str]] = {
    Memory: {
        "session_id": "sessions do not come in; it is kept where the session still is",
        "slot": KEYED,
        "wording": KEYED,
        "value": KEYED,
        "tags": KEYED,
        "metadata": KEYED,
        "index_state": "vectors are made anew",
        "previous_state": "only of what is forgotten, which does not come in",
        "undo_until": "only of what is forgotten, which does not come in",
        "erased_at": "what is erased is in no export",
    },
    Version: {"id": ANEW, "text": SEALED, "details": SEALED},
    Evidence: {
        "id": ANEW,
        "quote": SEALED,
        "event_id": "messages do not come in; it is kept where the message still is",
    },
    Decision: {"id": ANEW},
    ReviewItem: {
        "id": ANEW,
        "before": "what was answered elsewhere cannot be taken back here",
        "undo_until": "what was answered elsewhere cannot be taken back here",
        "snoozed_until": "only of what waits, which asks anew",
    },
    Conflict: {"id": ANEW},
    MemoryLink: {"id": ANEW},
    Derivation: {"id": ANEW, "created_at": "the file says of a derivation only which it is"},
}
# Tables of a person of which nothing comes in, each with its reason.
NOT_BACK = {
    "Event": "said to agents there; what was learnt from it comes with its quotes",
    "Message": "an event's place in a session there",
    "Session": "a conversation with an agent there",
    "Summary": "of a conversation there",
    "TaskBoard": "an agent's state, which the agent has",
    "RecallLog": "what was asked there",
    "RecalledMemory": "what was handed over there",
    "Feedback": "what agents said of what they were handed there",
    "Interest": "counts of what was asked there",
    "Suppression": "digests under the person's key; no file holds what must not be learnt",
    "Import": "a file on its way in",
    "Vector": "made anew",
    "Term": "made anew, under the person's key",
} | dict.fromkeys(("SubjectKey", "ObjectKey"), "no key leaves")

MONTHS = timedelta(days=90)


@pytest.fixture
def me(cast: Cast) -> Principal:
    return principal_of(cast.keys["alice"], "alice")


@pytest.fixture
def fresh(cast: Cast) -> Subject:
    """Alice in another tenant of the same service, by the same login, of whom nothing is known."""
    tenant = Tenant.objects.create(name="Fresh 新的")
    Subject.objects.update(login=(login := User.objects.create_user("alice@example.org")))
    return Subject.objects.create(tenant=tenant, external_id="alice", login=login)


def lived(cast: Cast, me: Principal) -> None:
    """A life in both languages: every kind and state that comes in, and all that hangs on a memory."""
    agent, person = principal_of(cast.keys["assistant"], "alice"), Api(cast.keys["alice"])
    tell(Api(cast.keys["assistant"]), "我住在杭州。", "I am allergic to peanuts.", "我搬到苏州了。")
    now = timezone.now()
    said: dict[str, dict[str, Any]] = {
        "I like oat porridge for breakfast": {
            "tags": ("food", "早餐"), "metadata": {"from": "菜单"}, "importance": 0.93,
        },
        "My sister's parrot is called Rio": {"about": "my sister", "explicit": True},
        "工作日我六点起床": {"condition": "工作日", "confidence": 0.61},
        "My locker at the gym is 114": {
            "sensitivity": Sensitivity.CONTACT, "valid_from": now, "valid_to": now + MONTHS,
        },
        "The thesis defence went well": {
            "subtype": Subtype.WORK_PROGRESS, "kind": Kind.EPISODIC, "outcome": "通过", "cause": "练",
        },
        "上周三我和王芳去了西湖": {"kind": Kind.EPISODIC, "subtype": Subtype.EVENT, "occurred": now},
        "手冲咖啡": {
            "kind": Kind.PROCEDURAL, "subtype": Subtype.PROCEDURE, "steps": ("磨豆", "Pour water"),
        },
        "I prefer short answers in reviews": {
            "visibility": Visibility.AGENT, "circle": str(agent.agent_id),
        },
    }  # fmt: skip
    made = [remember(agent, text, **more) for text, more in said.items()]
    sister, early, progress = made[1], made[2], made[4]
    again = {"text": "My sister's parrot is called Kiwi"}
    body_of(person("PATCH", f"memories/{sister.id}", again, If_Match='"1"'))
    body_of(person("POST", f"memories/{early.id}/pause"))
    body_of(person("POST", f"memories/{made[5].id}/confirm"))
    with acting(me.unlimited()):
        transition(progress, State.ARCHIVED, erase_at=now + MONTHS)
        Memory.objects.filter(id=sister.id).update(
            recall_count=3, last_recalled_at=now, expires_at=now + MONTHS, project="greenhouse"
        )
        derive(made[0], [sister.id, early.id])
    for kind in LinkKind:
        link(me, sister.id, early.id, kind=kind)
    asked(Api(cast.keys["assistant"]), person)


def asked(api: Api, person: Api) -> None:
    """Of what waits, one is kept, one is refused, one disagrees, one still waits."""
    for text in ("Prefers window seats on trains", "坐飞机喜欢靠窗", "周末常去爬山"):
        propose(api, text, origin="tool")
    propose(api, "Lives in Lyon", attribute="home.city", value="Lyon", origin="web")
    waiting = body_of(person("GET", "reviews?user_id=alice"))["reviews"]
    for one, answer in zip(waiting[:2], ("keep", "reject"), strict=True):
        body_of(person("POST", f"reviews/{one['id']}/{answer}"))


type Name = Callable[[uuid.UUID], uuid.UUID]
MEMORIES = {"memory_id", "parent_id", "source_id", "target_id", "current_id", "challenger_id"}


def comes_in() -> set[uuid.UUID]:
    """Return the memories of which everything is compared."""
    return set(Memory.objects.exclude(state=State.FORGOTTEN).values_list("id", flat=True))


def rows(principal: Principal, model: type[models.Model], name: Name) -> dict[Any, Any]:
    """Return the columns that must be equal, by what a row is known by; memories by one name."""
    by, left_out = KNOWN_BY[model], WHOSE | OTHERWISE[model].keys()
    named = MEMORIES | ({"id"} if model is Memory else set())
    with acting(principal):
        known = comes_in()
        found = [one for one in model._default_manager.values() if _counts(one, named, known)]
    for one in found:
        one.update({column: name(one[column]) for column in named & one.keys()})
        if model is ReviewItem and one["state"] == ReviewState.OPEN:  # it asks anew
            one["created_at"] = one["lapses_at"] = None
        if one.get("kind") == LinkKind.RELATED:  # the same from either end
            one["source_id"], one["target_id"] = sorted((one["source_id"], one["target_id"]))
    return {
        tuple(one[column] for column in by): {k: v for k, v in one.items() if k not in left_out}
        for one in found
    }


def _counts(row: dict[str, Any], named: set[str], known: set[uuid.UUID]) -> bool:
    came_back = row.get("reasons") == ["restored"]  # one decision more
    return not came_back and all(row[column] in known for column in named & row.keys())


def words(principal: Principal, name: Name) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Return every wording with its details, and every quote, opened."""
    with acting(principal):
        known, vault = comes_in(), open_vault(principal)
        memories = Memory.objects.filter(id__in=known)
        opened = access.open_versions(vault, memories, Version.objects.filter(memory__in=known))
        quotes = open_quotes(vault, Evidence.objects.filter(memory__in=known))
    return (
        {(name(o.memory.id), o.version.number): (o.text, o.details) for o in opened},
        {(name(q.evidence.memory_id), q.evidence.created_at): q.text for q in quotes},
    )


def test_every_column_comes_back_or_says_why_not(cast: Cast, me: Principal, fresh: Subject) -> None:
    lived(cast, me)
    there = subjects.person(fresh)
    file = carry(cast.keys["alice"], me.person_id, person_key(fresh), fresh.id)
    for model in KNOWN_BY:
        before = rows(me, model, lambda id_: new_id(file, str(id_)))
        after = rows(there, model, lambda id_: id_)
        assert before, f"nothing of {model.__name__} is compared"
        assert after == before, model.__name__
    assert words(there, lambda id_: id_) == words(me, lambda id_: new_id(file, str(id_)))


def carry(key: str, person: uuid.UUID, key_there: str, there: uuid.UUID) -> uuid.UUID:
    """Take an export over the API from one person to another; return the import's id."""
    document = Api(key)("GET", f"users/{person}/export").content.decode()
    api = Api(key_there)
    looked = body_of(api("POST", f"users/{there}/imports", {"text": document}), 201)
    address = f"users/{there}/imports/{looked['id']}/take?wait=true"
    done = body_of(api("POST", address, {"groups": ["new", "changed"]}), 202)
    assert looked["own"] and done["job"]["state"] == "succeeded"
    return uuid.UUID(looked["id"])


@pytest.mark.parametrize("model", KNOWN_BY, ids=lambda model: model.__name__)
def test_what_is_not_compared_is_a_column(model: type[models.Model]) -> None:
    columns = {field.attname for field in model._meta.concrete_fields}
    assert OTHERWISE[model].keys() <= columns


def test_every_table_of_a_person_is_compared_or_says_why_not() -> None:
    personal = {one.__name__ for one in apps.get_models() if issubclass(one, PersonalRow)}
    compared = {one.__name__ for one in KNOWN_BY}
    assert personal == compared | NOT_BACK.keys() and not compared & NOT_BACK.keys()


def test_a_file_from_before_comes_back_where_it_was(cast: Cast, me: Principal) -> None:
    """It lacks what exports say since; what has faded long ago is kept for its whole while again."""
    tell(Api(cast.keys["assistant"]), "我的妹妹叫小雨。")
    with acting(me.unlimited()):
        memory = Memory.objects.get()
        transition(memory, State.ARCHIVED, erase_at=timezone.now() + timedelta(seconds=1))
    document = json.loads("".join(export(me)))
    (item,) = document["memories"]
    item["erase_at"] = (timezone.now() - MONTHS).isoformat()
    for row, *names in (
        (item, "conflicts"),
        (item["decisions"][0], "importance", "request_id"),
        (item["evidence"][0], "start", "end", "created_at"),
    ):
        for name in names:
            row.pop(name)
    erase(me, memory.id)
    head = json.dumps(document | {"signature": None}).rpartition(', "signature"')[0]
    content = f'{head}{SIGNATURE}"{sign(head.encode())}"\n}}\n'.encode()
    run_job(accept(me, offer(me, content), [ImportGroup.NEW]).id)
    with acting(me.unlimited()):
        back = Memory.objects.get(state=State.ARCHIVED)
        assert (back.session_id, back.agent_id) == (memory.session_id, memory.agent_id)
        assert back.erase_at is not None and back.erase_at > timezone.now() + MONTHS
        quote = Evidence.objects.get(memory=back)
        assert (quote.event_id, quote.start, quote.end) == (None, 0, len("我的妹妹叫小雨。"))


def test_what_an_agent_kept_to_itself_can_be_corrected_where_that_agent_is_not(
    cast: Cast, me: Principal, fresh: Subject
) -> None:
    agent = principal_of(cast.keys["assistant"], "alice")
    own = {"visibility": Visibility.AGENT, "circle": str(agent.agent_id)}
    remember(agent, "我喜欢简短的回答", **own)
    carry(cast.keys["alice"], me.person_id, key := person_key(fresh), fresh.id)
    api = Api(key)
    (one,) = body_of(api("GET", "memories?user_id=alice"))["memories"]
    again = {"text": "我喜欢详细的回答"}
    assert body_of(api("PATCH", f"memories/{one['id']}", again, If_Match='"1"'))["version"] == 2
