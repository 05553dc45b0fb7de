"""Support access: the person lets the operator look, sees each look, and stops it."""

from __future__ import annotations

import html
import re
import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import looks
from accounts.acting import acting
from accounts.choices import ActorKind
from accounts.models import Look, Tenant
from accounts.principal import Principal
from dashboard.support import REASONS
from memory.admin import services
from memory.models import Memory
from memory.recall.looking import look_at
from tests.cast import Cast

TEXT = "I keep my bicycle 自行车 in the red shed"
LET = {"what": "all", "level": "20", "until": "hour"}


def flat(content: bytes) -> str:
    return html.unescape(re.sub(r"\s+", " ", content.decode()))


def operator(cast: Cast) -> Principal:
    return Principal(
        kind=ActorKind.OPERATOR,
        tenant_id=cast.acme.id,
        actor_id=uuid.UUID(int=9),
        subject_id=cast.alice.id,
    )


def let(client: Client, **data: str) -> str:
    answer = client.post(reverse("support-access"), LET | data, follow=True)
    assert answer.status_code == 200
    return flat(answer.content)


def open_look(client: Client) -> uuid.UUID:
    found = re.search(r"/support-access/([0-9a-f-]{36})/stop/", flat(client.get("/").content))
    assert found is not None
    return uuid.UUID(found[1])


def test_the_person_lets_sees_and_stops(
    alice: Client, cast: Cast, put: Callable[..., Memory]
) -> None:
    put(TEXT, sensitivity=20)
    assert "This is switched off" in flat(alice.get(reverse("support-access")).content)
    assert "The operator can look until" in let(alice)
    look_id = open_look(alice)
    for page in ("overview", "activity", "support-access"):
        text = flat(alice.get(reverse(page)).content)
        assert "may look until" in text and "nothing was looked at yet" in text, page
    assert [one.text for one in look_at(operator(cast), look_id).items] == [TEXT]
    text = flat(alice.get(reverse("activity")).content)
    assert "1 page was looked at" in text and "looked at your memories" in text
    answer = alice.post(reverse("support-stop", args=[look_id]), follow=True)
    assert "The operator can look no more." in flat(answer.content)
    assert "could look until" in flat(alice.get("/").content), "what was looked at stays told"
    answer = alice.post(reverse("support-stop", args=[look_id]), follow=True)
    assert "It had ended already." in flat(answer.content)


def test_a_look_nobody_used_is_not_told_for_long(alice: Client, cast: Cast) -> None:
    let(alice)
    alice.post(reverse("support-stop", args=[open_look(alice)]))
    assert "could look until" not in flat(alice.get("/").content)


def test_what_was_looked_at_is_told_for_thirty_days(alice: Client, cast: Cast) -> None:
    let(alice)
    look_at(operator(cast), open_look(alice))
    old = timezone.now() - timedelta(days=31)
    with acting(operator(cast)):
        Look.objects.update(ends_at=old, looked_at=old + timedelta(days=2))
    assert "could look until" in flat(alice.get(reverse("activity")).content)
    with acting(operator(cast)):
        Look.objects.update(looked_at=old)
    assert "could look until" not in flat(alice.get(reverse("activity")).content)


def test_glass_that_was_broken_is_told_with_its_reason(alice: Client, cast: Cast) -> None:
    Tenant.objects.filter(id=cast.acme.id).update(break_glass=True)
    assert "the operator may look without asking you" in flat(
        alice.get(reverse("support-access")).content
    )
    looks.break_glass(
        operator(cast),
        looks.Scope(clearance=20),
        reason="security OPS-218",
        minutes=15,
        subject_id=cast.alice.id,
    )
    text = flat(alice.get("/").content)
    assert "Without asking you: a security incident." in text and "Ticket OPS-218." in text
    alice.cookies["django_language"] = "zh-hans"
    assert "未经你同意：安全事件。" in flat(alice.get("/").content)


def test_one_memory_alone(alice: Client, cast: Cast, put: Callable[..., Memory]) -> None:
    put("Another one 另一条", sensitivity=10)
    memory = put(TEXT, sensitivity=10)
    page = flat(alice.get(reverse("support-access"), {"memory": str(memory.id)}).content)
    assert TEXT in page and "Only this memory" in page
    let(alice, what="one", memory=str(memory.id))
    assert [one.text for one in look_at(operator(cast), open_look(alice)).items] == [TEXT]
    strange = {"memory": str(uuid.uuid4())}
    assert alice.get(reverse("support-access"), strange).status_code == 404
    answer = alice.post(reverse("support-access"), LET | strange | {"what": "one"})
    assert answer.status_code == 404


@pytest.mark.parametrize(
    "wrong", [{"what": "x"}, {"what": "one"}, {"level": "50"}, {"until": "ever"}], ids=str
)
def test_what_no_form_sends_lets_nobody_look(
    alice: Client, cast: Cast, wrong: dict[str, str]
) -> None:
    answer = alice.post(reverse("support-access"), LET | wrong)
    assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()
    assert "support-stop" not in alice.get("/").content.decode()


def test_another_persons_look_is_not_there(alice: Client, bob: Client, cast: Cast) -> None:
    let(alice)
    look_id = open_look(alice)
    bob.post(reverse("support-stop", args=[look_id]))
    assert open_look(alice) == look_id
    assert "may look until" not in flat(bob.get("/").content)


def test_each_reason_of_the_console_has_words() -> None:
    assert set(REASONS) == set(services.REASONS)
