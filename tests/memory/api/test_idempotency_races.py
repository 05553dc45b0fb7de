"""``Idempotency-Key`` when requests meet, or the process dies between effect and record."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from pytest_django import Settings

from accounts.acting import acting
from accounts.models import AuditEvent
from memory import idempotency
from memory.errors import IdempotencyInFlight
from memory.models import Decision
from tests.cast import Api, Cast, build_cast, system_of
from tests.memory.api.test_idempotency import FACT, memories
from tests.memory.wire import problem


def test_a_crash_after_the_effect_undoes_the_effect(
    api: Api, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object, **__: object) -> None:
        raise RuntimeError("the process dies between effect and record")

    api.client.raise_request_exception = False
    with monkeypatch.context() as patch:
        patch.setattr(idempotency, "keep", crash)
        problem(api("POST", "memories", FACT, Idempotency_Key="same"), 500, "internal")
    assert memories(cast) == 0
    assert api("POST", "memories", FACT, Idempotency_Key="same").status_code == 201
    assert memories(cast) == 1


def in_parallel(count: int, work: Callable[[], None]) -> None:
    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.django_db(transaction=True)
def test_fifty_at_once_are_one_effect(hash_embedder: None) -> None:
    cast = build_cast()
    answers: list[Any] = []
    in_parallel(
        50,
        lambda: answers.append(
            Api(cast.keys["assistant"])("POST", "memories", FACT, Idempotency_Key="same")
        ),
    )
    statuses = Counter(answer.status_code for answer in answers)
    assert set(statuses) <= {201, 409} and statuses.total() == 50
    fresh = [one for one in answers if "Idempotency-Replayed" not in one.headers]
    assert Counter(one.status_code for one in fresh)[201] == 1
    made = {one.json()["id"] for one in answers if one.status_code == 201}
    assert len(made) == 1
    assert memories(cast) == 1
    with acting(system_of(cast.alice)):
        assert Decision.objects.count() == 1
        assert AuditEvent.objects.filter(code="memory.decided").count() == 1
    problems = {one.json()["code"] for one in answers if one.status_code == 409}
    assert problems <= {"idempotency_in_flight"}


@pytest.mark.deep
@pytest.mark.django_db(transaction=True)
def test_a_thousand_retries_are_one_effect(hash_embedder: None, settings: Settings) -> None:
    settings.RATE_LIMIT_PER_KEY = "0"
    cast = build_cast()
    answers: list[Any] = []

    def retry() -> None:
        own = Api(cast.keys["assistant"])
        answers.extend(own("POST", "memories", FACT, Idempotency_Key="same") for _ in range(100))

    in_parallel(10, retry)
    statuses = Counter(answer.status_code for answer in answers)
    assert set(statuses) <= {201, 409} and statuses.total() == 1000
    assert len({one.json()["id"] for one in answers if one.status_code == 201}) == 1
    assert memories(cast) == 1
    with acting(system_of(cast.alice)):
        assert Decision.objects.count() == 1
        assert AuditEvent.objects.filter(code="memory.decided").count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_second_does_not_wait_for_the_first() -> None:
    cast = build_cast()
    claim = idempotency.make_claim(
        tenant_id=cast.acme.id, key_id=cast.acme.id, name="n", request=b"r"
    )
    refused: list[bool] = []

    def second() -> None:
        with transaction.atomic(), pytest.raises(IdempotencyInFlight):
            idempotency.find(claim)
        refused.append(True)

    with transaction.atomic():
        assert idempotency.find(claim) is None
        in_parallel(1, second)
    assert refused == [True]
    with transaction.atomic():
        assert idempotency.find(claim) is None, "the lock ends with the transaction"
