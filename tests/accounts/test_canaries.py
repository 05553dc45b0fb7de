"""Two hundred words that stand nowhere else go every way in; none is in what an operator reads."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest
import redis
from celery import current_app
from django.conf import settings

from memory.backup.traces import Sought, at_broker
from tests.accounts.test_audit import logged
from tests.cast import Api, Cast
from tests.conftest import owner_connection

__all__ = ["logged"]
pytestmark = pytest.mark.django_db(transaction=True)

COUNT = 200
# Where ids, codes and counts of people's things are kept in the clear.
OPEN_TABLES = (
    "accounts_auditevent", "memory_job", "memory_erasure", "memory_erasurestep",
    "memory_outboxmessage", "memory_ledgerentry", "memory_tombstone", "memory_decision",
    "memory_recalllog",
)  # fmt: skip


def words() -> list[str]:
    seed = random.Random(200)
    syllables = [a + b for a in "bdfgklmnprtvz" for b in "aeiou"]
    made = {"qu" + "".join(seed.sample(syllables, 5)) for _ in range(2 * COUNT)}
    return [f"{one}魑" if n % 2 else one for n, one in enumerate(sorted(made)[:COUNT])]


def say_all(cast: Cast, canaries: list[str], patch: pytest.MonkeyPatch) -> set[int]:
    """Twenty-five ways in for each eighth of them; return the statuses."""
    agent, person = Api(cast.keys["assistant"]), Api(cast.keys["alice"])
    alice, statuses = {"user_id": "alice"}, set()

    def send(api: Api, *asked: Any, **headers: str) -> Any:
        answer = api(*asked, **headers)
        statuses.add(answer.status_code)
        return answer

    session = send(agent, "POST", "sessions", alice | {"session_id": "s"}).json()["id"]
    for start in range(0, COUNT, 8):
        said, named, tag, key, value, asked, changed, broken = canaries[start : start + 8]
        message = {"role": "user", "content": f"I love {said} soup.", "name": named}
        send(agent, "POST", f"sessions/{session}/messages?wait=true", {"messages": [message]})
        fact = alice | {"text": f"我喜欢喝{value}茶", "tags": [tag], "metadata": {key: value}}
        made = send(agent, "POST", "memories", fact).json()["id"]
        send(agent, "POST", "recall", alice | {"query": asked, "purpose": "cooking"})
        send(person, "PATCH", f"memories/{made}", {"text": f"I love {changed}"}, If_Match='"1"')
        send(agent, "POST", "memories", alice | {"text": broken, broken: broken})
        if start % 3 == 0:
            send(person, "DELETE", f"memories/{made}")

    def fails(*_: Any, **__: Any) -> None:
        raise ValueError(f"cannot read {canaries}")

    patch.setattr("memory.api.memories.propose", fails)
    agent.client.raise_request_exception = False
    send(agent, "POST", "memories", alice | {"text": canaries[0]})
    return statuses


def test_no_canary_is_in_the_audit_the_logs_the_error_reports_or_the_messages(
    cast: Cast, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    canaries = words()
    assert len(set(canaries)) == COUNT
    with redis.Redis.from_url(settings.REDIS_URL.replace("redis+socket://", "unix://")) as broker:
        broker.flushall()
        statuses = say_all(cast, canaries, monkeypatch)
        assert {200, 201, 400, 500} <= statuses
        sought = Sought(canaries)
        assert broker.llen(current_app.conf.task_default_queue) > COUNT // 8
        assert at_broker(sought, settings.REDIS_URL) == 0
        broker.flushall()
    assert "ValueError" in logged.getvalue()
    assert sought.count(logged.getvalue().encode()) == 0
    with owner_connection() as owner:
        for table in OPEN_TABLES:
            found = owner.execute(f'SELECT t::text FROM "{table}" t').fetchall()
            assert sum(sought.count(row.encode()) for (row,) in found) == 0, table
            assert found or table == "memory_erasurestep", f"nothing in {table}"
