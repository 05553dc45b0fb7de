"""Telling agents what was erased: signed, to a real server, again until it is taken, acknowledged."""

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from accounts.acting import acting
from memory import queue
from memory.admin import webhooks
from memory.choices.notices import NoticeState
from memory.errors import Forbidden, InvalidInput
from memory.forget import signing, telling
from memory.forget.requests import erase_person
from memory.models import OutboxMessage, WebhookTarget
from memory.policy import WORK
from tests.cast import Api, Cast, operator, principal_of
from tests.memory.forget.listeners import (
    WHY,
    Listener,
    erased,
    listening,
    notice,
    operator_of,
    register,
)
from tests.memory.wire import body_of, propose


@pytest.fixture
def listener(settings: Settings) -> Iterator[Listener]:
    """A server of an agent, on this machine, as in development."""
    settings.DEBUG = True
    with listening() as found:
        yield found


def due(one: OutboxMessage) -> None:
    OutboxMessage.objects.filter(id=one.id).update(due_at=timezone.now())
    telling.sweep()
    one.refresh_from_db()


def test_the_signature_is_that_of_the_specification() -> None:
    """The example of the Standard Webhooks libraries."""
    secret = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    signed = signing.signature(
        secret,
        message_id="msg_p5jXN8AQM9LWM0D4loKWxJek",
        timestamp=1614265330,
        body=b'{"test": 2432232314}',
    )
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize("text", ["我住在苏州。", "I live in Suzhou."])
def test_an_agent_is_told_what_was_erased_signed_and_without_a_word(
    api: Api, cast: Cast, listener: Listener, text: str
) -> None:
    secret = register(cast, listener.url)
    erasure = erased(api, text)
    telling.sweep()
    ((headers, body),) = listener.told
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    mac = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{mac}"
    sent_at = datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)
    assert abs(timezone.now() - sent_at) < timedelta(minutes=1)
    said = json.loads(body)
    assert said["type"] == "memory.erased"
    assert said["data"]["erasure_id"] == erasure and said["data"]["more"] is False
    feed = body_of(api("GET", "deletions?user_id=alice"))["deletions"]
    shown = [{k: one[k] for k in ("number", "kind", "id")} for one in feed]
    assert said["data"]["deletions"] == shown and {one["erasure_id"] for one in feed} == {erasure}
    assert "苏州" not in body.decode() and "Suzhou" not in body.decode()
    one = notice(cast, erasure)
    assert (one.state, one.status, one.attempts) == (NoticeState.DELIVERED, 204, 1)
    telling.sweep()
    assert len(listener.told) == 1


def test_every_agent_that_had_rights_is_told_whatever_became_of_them(
    api: Api, cast: Cast, listener: Listener
) -> None:
    register(cast, listener.url, "lapsed")
    erasure = erased(api)
    telling.sweep()
    assert len(listener.told) == 1
    states = dict(OutboxMessage.objects.values_list("agent_id", "state"))
    mine = ("assistant", "reader", "low", "no_episodes", "paused", "lapsed", "off")
    assert set(states) == {cast.agents[name].id for name in mine}
    assert states.pop(cast.agents["lapsed"].id) == NoticeState.DELIVERED
    assert set(states.values()) == {NoticeState.TO_FETCH}
    assert erasure


def test_it_is_tried_again_with_a_growing_pause_under_the_same_id(
    api: Api, cast: Cast, listener: Listener
) -> None:
    register(cast, listener.url)
    listener.statuses = [500, 307, 410]
    one = notice(cast, erased(api))
    pauses = []
    for status in (500, 307, 410):
        due(one)
        assert (one.state, one.status, one.error) == (NoticeState.QUEUED, status, "status")
        pauses.append(one.due_at - timezone.now())
    assert pauses == sorted(pauses) and pauses[0] > timedelta(seconds=20)
    telling.sweep()
    assert len(listener.told) == 3, "not before its time"
    due(one)
    assert one.state == NoticeState.DELIVERED
    assert len({headers["webhook-id"] for headers, _ in listener.told}) == 1


def test_after_ten_failures_the_operator_must_look_and_may_send_it_again(
    api: Api, cast: Cast, listener: Listener
) -> None:
    register(cast, listener.url)
    listener.statuses = [503] * WORK.attempts
    one = notice(cast, erased(api))
    for _ in range(WORK.attempts):
        due(one)
    assert (one.state, one.attempts) == (NoticeState.NEEDS_ATTENTION, WORK.attempts)
    due(one)
    assert len(listener.told) == WORK.attempts
    assert webhooks.retry_notice(operator_of(cast), one.id, reason=WHY)
    due(one)
    assert one.state == NoticeState.DELIVERED
    assert not webhooks.retry_notice(operator_of(cast), one.id, reason=WHY)


@pytest.mark.parametrize(
    ("url", "error"), [("https://127.0.0.1:1/", "refused"), ("https://localhost:1/", "refused")]
)
def test_an_address_that_leads_inside_is_refused_when_it_is_sent_to(
    api: Api, cast: Cast, settings: Settings, url: str, error: str
) -> None:
    settings.DEBUG = True
    register(cast, url)
    settings.DEBUG = False
    one = notice(cast, erased(api))
    due(one)
    assert (one.state, one.error) == (NoticeState.QUEUED, error)


def test_a_worker_that_dies_leaves_a_lease_that_runs_out(
    api: Api, cast: Cast, listener: Listener
) -> None:
    register(cast, listener.url)
    one = notice(cast, erased(api))
    later = timezone.now() + timedelta(seconds=WORK.lease_seconds)
    OutboxMessage.objects.filter(id=one.id).update(leased_until=later)
    due(one)
    assert listener.told == []
    OutboxMessage.objects.filter(id=one.id).update(leased_until=timezone.now())
    due(one)
    assert len(listener.told) == 1


def test_a_notice_from_before_the_clock_was_set_back_is_sent(
    api: Api, cast: Cast, listener: Listener
) -> None:
    register(cast, listener.url)
    one = notice(cast, erased(api))
    tomorrow = timezone.now() + timedelta(days=1)
    OutboxMessage.objects.filter(id=one.id).update(leased_until=tomorrow, due_at=tomorrow)
    telling.sweep()
    assert len(listener.told) == 1


def test_a_sweep_that_has_no_time_left_leaves_the_rest_to_the_next(
    api: Api, cast: Cast, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A regression: agents that answer slowly held one sweep until its task's limit cut it off."""
    monkeypatch.setattr(queue, "WORK", replace(WORK, sweep_seconds=0.0))
    register(cast, listener.url)
    for text in ("我住在苏州。", "I play the cello."):
        erased(api, text)
    for sent in (1, 2):
        telling.sweep()
        assert len(listener.told) == sent


def test_who_is_registered_later_is_told_what_it_has_not_said_to_be_gone(
    api: Api, cast: Cast, listener: Listener
) -> None:
    first, second = erased(api), erased(api, "I live in Lisbon.")
    body_of(api("POST", f"deletions/{first}/ack"))
    register(cast, listener.url)
    telling.sweep()
    assert [json.loads(body)["data"]["erasure_id"] for _, body in listener.told] == [second]


def test_another_address_takes_the_place_and_has_another_secret(
    api: Api, cast: Cast, listener: Listener
) -> None:
    with listening() as other:
        secrets = {register(cast, other.url), register(cast, listener.url)}
        assert len(secrets) == 2
        erased(api)
        telling.sweep()
        assert (len(other.told), len(listener.told)) == (0, 1)
    with acting(operator(cast.acme)):
        target = WebhookTarget.objects.get(revoked_at__isnull=True)
    assert webhooks.revoke_target(operator_of(cast), target.id, reason=WHY)
    one = notice(cast, erased(api, "I live in Lisbon."))
    due(one)
    assert (one.state, len(listener.told)) == (NoticeState.TO_FETCH, 1)


def test_a_secret_is_stored_nowhere(cast: Cast, listener: Listener) -> None:
    secret = register(cast, listener.url).removeprefix("whsec_")
    raw = base64.b64decode(secret)
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT t::text FROM "{table}" t')
            rows = "".join(text for (text,) in cursor.fetchall())
            assert secret not in rows and raw.hex() not in rows, table


def test_only_an_operator_registers_and_only_what_can_be_posted_to(cast: Cast) -> None:
    agent = cast.agents["assistant"].id
    person = principal_of(cast.keys["alice"], "alice")
    with pytest.raises(Forbidden):
        webhooks.register_target(person, agent, reason=WHY, url="https://example.com")
    for url in ("http://example.com", "https://10.0.0.1/", "nowhere", "https://169.254.169.254/"):
        with pytest.raises(InvalidInput):
            webhooks.register_target(operator_of(cast), agent, reason=WHY, url=url)
    stranger = cast.agents["stranger"].id
    found = webhooks.register_target(
        operator_of(cast), stranger, reason=WHY, url="https://example.com"
    )
    assert found is None
    with acting(operator(cast.acme)):
        assert not WebhookTarget.objects.exists()


def test_the_erasure_of_a_whole_person_is_told_and_acknowledged(
    api: Api, cast: Cast, listener: Listener
) -> None:
    register(cast, listener.url)
    propose(api, "Owns a kayak 皮划艇")
    person = principal_of(cast.keys["alice"], "alice")
    erasure = erase_person(person, confirm="alice")
    telling.sweep()
    said = json.loads(listener.told[0][1])["data"]
    assert (said["scope"], said["person_id"]) == ("person", str(cast.alice.id))
    assert body_of(api("POST", f"deletions/{erasure.id}/ack"))["acknowledged_at"]
