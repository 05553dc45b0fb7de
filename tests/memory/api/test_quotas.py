"""Quotas of a tenant: exact when many come at once, told by one code, set by an operator with a reason."""

import threading
import uuid
from collections import Counter
from typing import Any

import pytest
from django.db import connections

from accounts.acting import acting
from accounts.models import AuditEvent, Tenant
from memory.admin.quotas import set_quotas
from memory.errors import Forbidden, InvalidInput
from memory.models import Document
from memory.policy import QUOTA
from memory.quotas import Quota, of
from tests.architecture.source import rows
from tests.cast import Api, Cast, system_of
from tests.cast import operator as operator_of
from tests.memory.wire import open_session, problem, propose, tell

pytestmark = pytest.mark.django_db
WHY = "asked_by_tenant OPS-9"


def allow(cast: Cast, **quotas: int | None) -> bool:
    return set_quotas(operator_of(cast.acme), cast.acme.id, reason=WHY, **quotas)


def messages(number: int) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": f"早上好 morning {n}"} for n in range(number)]}


def test_recalls_a_minute(cast: Cast, api: Api) -> None:
    allow(cast, recalls=2)
    question = {"user_id": "alice", "query": "我住在哪里 where"}
    for left in ("1", "0"):
        assert api("POST", "recall", question)["RateLimit-Remaining"] == left
    refused = api("POST", "memories/search", {"user_id": "alice", "text": "茶 tea"})
    body = problem(refused, 429, "quota_exceeded")
    assert "recalls" in body["detail"]
    assert 0 < int(refused["Retry-After"]) <= 61 and refused["RateLimit-Limit"] == "2"
    # All keys of the tenant share it, other tenants have their own, and what does not recall goes on.
    problem(Api(cast.keys["reader"])("POST", "recall", question), 429, "quota_exceeded")
    assert Api(cast.keys["stranger"])("POST", "recall", question).status_code == 200
    assert api("GET", "users?user_id=alice").status_code == 200


def test_messages_a_day_are_counted_one_by_one(cast: Cast, api: Api) -> None:
    allow(cast, events=5)
    path = f"sessions/{open_session(api)}/messages"
    assert api("POST", path, messages(3))["RateLimit-Remaining"] == "2"
    refused = api("POST", path, messages(3))
    problem(refused, 429, "quota_exceeded")
    assert 86_000 < int(refused["Retry-After"]) <= 86_402
    assert api("POST", path, messages(2))["RateLimit-Remaining"] == "0"
    assert api("GET", path).status_code == 200
    problem(api("POST", path, {"messages": "多"}), 429, "quota_exceeded")


def test_memories_of_a_person(cast: Cast, api: Api) -> None:
    allow(cast, memories=2)
    assert [one["outcome"] for one in tell(api, "我住在苏州。", "I play chess.")["decisions"]] == [
        "accepted",
        "accepted",
    ]
    refused = propose(api, "Works as a nurse 护士", kind="semantic")
    assert (refused["outcome"], refused["reasons"]) == ("refused", ["full"])
    # What is there already is said again or replaced.
    (moved,) = tell(api, "我搬到杭州了。")["decisions"]
    assert moved["outcome"] == "superseded"
    allow(cast, memories=0)
    assert propose(api, "Works as a nurse 护士", kind="semantic")["outcome"] == "accepted"


def test_documents_of_a_tenant(cast: Cast) -> None:
    allow(cast, documents=1)
    pipeline = Api(cast.keys["pipeline"])
    first = {"source": "手册.md", "text": "# Manual 手册"}
    assert pipeline("POST", "knowledge/documents", first).status_code in (200, 201, 202)
    problem(
        pipeline("POST", "knowledge/documents", {"source": "b.md", "text": "# More"}),
        429,
        "quota_exceeded",
    )
    changed = first | {"text": "# Manual 手册, second edition"}
    assert pipeline("POST", "knowledge/documents", changed).status_code in (200, 201, 202)


@pytest.mark.django_db(transaction=True)
def test_fifty_at_once_get_exactly_what_is_allowed(cast: Cast) -> None:
    allow(cast, recalls=20, documents=3)
    answers: Counter[tuple[str, int]] = Counter()

    def ask(number: int) -> None:
        agent, pipeline = Api(cast.keys["assistant"]), Api(cast.keys["pipeline"])
        found = agent("POST", "recall", {"user_id": "alice", "query": f"茶 tea {number}"})
        answers["recall", found.status_code] += 1
        if number < 10:
            document = {"source": f"{number}.md", "text": f"# 茶 {number}"}
            made = pipeline("POST", "knowledge/documents", document)
            answers["document", made.status_code // 100] += 1
        connections.close_all()

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {
        ("recall", 200): 20,
        ("recall", 429): 30,
        ("document", 2): 3,
        ("document", 4): 7,
    }
    with acting(operator_of(cast.acme)):
        assert Document.objects.count() == 3


# --- set by an operator --------------------------------------------------------------------------


def test_an_operator_sets_them_with_a_reason(cast: Cast) -> None:
    assert allow(cast, recalls=7, documents=None)
    assert of(cast.acme.id)[Quota.RECALLS] == 7
    assert of(cast.acme.id)[Quota.DOCUMENTS] == QUOTA.documents
    assert of(cast.globex.id)[Quota.RECALLS] == QUOTA.recalls
    assert not allow(cast, recalls=7)
    assert allow(cast) and Tenant.objects.get(id=cast.acme.id).quotas == {}
    lines = AuditEvent.objects.filter(code="console.acted", decision="set_quotas")
    assert [(line.reason, line.object_id) for line in lines] == [(WHY, cast.acme.id)] * 2


def test_nobody_else_and_nothing_else(cast: Cast) -> None:
    with pytest.raises(Forbidden):
        set_quotas(system_of(cast.alice), cast.acme.id, reason=WHY, recalls=1)
    for wrong in ({"coffees": 1}, {"recalls": -1}, {"recalls": 10**10}):
        with pytest.raises(InvalidInput):
            allow(cast, **wrong)
    assert not set_quotas(operator_of(cast.acme), uuid.uuid4(), reason=WHY, recalls=1)


def test_each_is_described_with_its_default() -> None:
    told = {cells[0].strip("`"): cells[2] for cells in rows("docs/operate.md", "Quotas")}
    assert set(told) == set(Quota)
    for one in Quota:
        default = getattr(QUOTA, one)
        assert told[one].startswith(str(default) if default else "none"), one
