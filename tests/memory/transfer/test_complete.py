"""The export is complete: every column of every table about a person is in it, or says why not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import models

from accounts.acting import acting
from accounts.models import Subject, User
from accounts.person_keys import make_key
from memory.api import schema_transfers
from memory.forget.fence import erase
from memory.models import (
    Conflict,
    Decision,
    Event,
    Evidence,
    Memory,
    MemoryLink,
    ReviewItem,
    Version,
)
from memory.transfer import export as exporting
from memory.transfer.export import export
from memory.transfer.held import MEMBERS
from tests.architecture.source import CODE, rows
from tests.architecture.test_stores import PERSONAL, label
from tests.cast import Api, Cast, principal_of
from tests.memory.api.desk import send
from tests.memory.wire import body_of, open_session, tell

pytestmark = pytest.mark.django_db

EVERYWHERE = {"tenant_id", "subject_id"}  # whose it is: said once, of the person
IN_ITS_MEMORY = "stands in the memory it hangs on"
DIGEST = "a digest under the person's key; what it is made of is there"
HERE = "how the work stood here; it is for nobody else"
# Columns that are not in the export, each with its reason.
LEFT_OUT: dict[type[models.Model], dict[str, str]] = {
    Memory: {
        "slot": DIGEST, "wording": DIGEST, "value": DIGEST, "tags": DIGEST, "metadata": DIGEST,
        "index_state": HERE, "previous_state": HERE, "erased_at": "what was erased is not there",
    },
    Version: {"id": HERE, "memory_id": IN_ITS_MEMORY, "term_count": "made anew with the index"},
    Evidence: {"id": HERE, "memory_id": IN_ITS_MEMORY},
    ReviewItem: {
        "memory_id": IN_ITS_MEMORY, "snoozed_until": HERE, "undo_until": HERE, "before": HERE,
    },
    Conflict: {"id": HERE, "challenger_id": IN_ITS_MEMORY},
    MemoryLink: {"id": HERE, "source_id": IN_ITS_MEMORY},
    Subject: {
        "tenant_id": HERE, "login_id": "the login stands beside it", "external_id": "as user_id",
        "is_anonymous": HERE, "merged_into_id": HERE, "erased_at": "what was erased is not there",
    },
}  # fmt: skip
BESIDE: dict[str, dict[str, str]] = {
    "decisions": {"memory_id": "these are about none"},
    "sessions": {"next_sequence": HERE},
    "messages": {"digest": DIGEST},
    "suppressions": {"digest": "a digest under the person's key; its words are kept nowhere"},
    "feedback": {"id": HERE},
    "interests": {"id": HERE},
    "keys": {
        "kind": "all are the person's own", "agent_id": "all are the person's own",
        "digest": "good for nothing but letting somebody in",
    },
    "imports": {"content": "a file that the person has; it ends in a day"},
    "notices": {
        "object_ids": "the erasure names them", "attempts": HERE, "leased_until": HERE, "due_at": HERE,
        "status": HERE, "error": HERE,
    },
}  # fmt: skip
# Tables that are not in the export, each with its reason.
NOT_IN_IT = {
    "accounts.AuditEvent": "the log is a file of its own: in the zip, and under Activity",
    "accounts.PersonLink": "a digest of a secret that worked once",
    "memory.Message": "an event's place in its session; the times give the order",
    "memory.RecallLog": "which agent was handed what stands in each memory; each recall in the log",
    "memory.RecalledMemory": "which agent was handed what stands in each memory",
    "memory.Derivation": "stands in the memory as derived_from",
    "memory.Vector": "numbers made of the wordings; made anew anywhere",
    "memory.Term": "digests of the words; made anew anywhere",
    "memory.SubjectKey": "no key leaves",
    "memory.ObjectKey": "no key leaves",
    "memory.IdempotencyRecord": "digests of requests, for three days",
    "memory.Job": "ids and codes of work",
    "memory.ErasureStep": "counts; they stand in the receipt",
    "memory.Tombstone": "ids of what was erased stand in the erasures",
    "memory.LedgerEntry": "ids of what was erased stand in the erasures",
}
PARTS: dict[type[models.Model], tuple[str, ...]] = {
    Memory: exporting.MEMORY,
    Version: (*exporting.VERSION, "text", "details"),
    Evidence: (*exporting.EVIDENCE, "quote"),
    ReviewItem: exporting.REVIEW,
    Conflict: exporting.CONFLICT,
    MemoryLink: exporting.LINK,
    Subject: exporting.SUBJECT,
}


def attnames(model: type[models.Model]) -> set[str]:
    return {field.attname for field in model._meta.concrete_fields} - EVERYWHERE


@pytest.mark.parametrize("model", PARTS, ids=lambda model: model.__name__)
def test_every_column_of_a_memory_is_in_it_or_says_why_not(model: type[models.Model]) -> None:
    left_out = LEFT_OUT[model].keys() - EVERYWHERE
    assert attnames(model) == set(PARTS[model]) | left_out
    assert not left_out & set(PARTS[model])


@pytest.mark.parametrize("member", MEMBERS, ids=lambda member: member.name)
def test_every_column_beside_the_memories_is_in_it_or_says_why_not(member: Any) -> None:
    left_out, given = BESIDE.get(member.name, {}).keys(), {*member.columns, *member.texts}
    assert attnames(member.model) == given | left_out and not left_out & given


def test_every_table_about_a_person_is_in_it_or_says_why_not() -> None:
    given = {label(one) for one in [*PARTS, *(one.model for one in MEMBERS)]} - {"accounts.Subject"}
    assert {label(one) for one in PERSONAL} == given | NOT_IN_IT.keys()
    assert not given & NOT_IN_IT.keys()
    assert {Decision} <= {one.model for one in MEMBERS}


def test_every_member_is_described_and_in_the_schema(cast: Cast) -> None:
    told = {name for cells in rows("docs/privacy.md", "Export") for name in CODE.findall(cells[0])}
    assert set(exported(cast)) == told == set(schema_transfers.Export().fields)


def exported(cast: Cast) -> dict[str, Any]:
    body: dict[str, Any] = json.loads("".join(export(principal_of(cast.keys["alice"], "alice"))))
    return body


def test_what_was_said_and_noted_is_in_it_until_it_is_erased(cast: Cast) -> None:
    api = Api(cast.keys["assistant"])
    session = open_session(api)
    said = {"role": "user", "content": "我住在杭州，喜欢喝龙井。", "name": "小王"}
    tell(api, said, session=session)
    body_of(send(api, "PUT", {"goal": "订票 book the train"}), 201)
    found = exported(cast)
    (message,) = found["messages"]
    assert (message["text"], message["speaker"]) == ("我住在杭州，喜欢喝龙井。", "小王")
    assert (message["session_id"], found["sessions"][0]["id"]) == (session, session)
    assert [one["state"]["goal"] for one in found["boards"]] == ["订票 book the train"]
    assert {one["agent_id"] for one in found["grants"]} >= {str(cast.agents["assistant"].id)}
    for memory in found["memories"]:
        erase(principal_of(cast.keys["alice"], "alice"), memory["id"])
    after = json.dumps(exported(cast), ensure_ascii=False)
    with acting(principal_of(cast.keys["alice"], "alice")):
        assert Event.objects.exists()  # its step has not run yet
    assert "龙井" not in after and "小王" not in after


def test_of_keys_and_the_login_there_is_nothing_that_lets_anybody_in(cast: Cast) -> None:
    person = principal_of(cast.keys["alice"], "alice")
    key = make_key(person, label="Laptop 笔记本", days=30)
    user = User.objects.create_user("alice@example.com", "correct horse battery", theme="dark")
    Subject.objects.filter(id=cast.alice.id).update(login=user, hide_sensitive=False)
    UserSession.objects.create(user=user, session_key="k" * 32, ip="203.0.113.77", user_agent="X")
    Authenticator.objects.create(user=user, type="totp", data={"secret": "JBSWY3DPEHPK3PXP"})
    found = exported(cast)
    assert found["person"]["hide_sensitive"] is False
    login = found["login"]
    assert (login["email"], login["theme"]) == ("alice@example.com", "dark")
    assert [one["ip"] for one in login["sign_ins"]] == ["203.0.113.0"]
    assert [one["type"] for one in login["second_factors"]] == ["totp"]
    assert "Laptop 笔记本" in [one["label"] for one in found["keys"]]
    secrets = (key, key.rpartition("_")[2], "k" * 32, "JBSWY3DPEHPK3PXP", user.password)
    assert all(one not in json.dumps(found) for one in secrets)
