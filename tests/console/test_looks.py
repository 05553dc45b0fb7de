"""Looks in the console: asked for with a reason, shown on their own page alone, ended there."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.acting import acting
from accounts.models import AuditEvent, Look, Tenant
from memory.admin.moments import moment
from memory.recall.looking import let_look
from tests.cast import ALICE, Cast, principal_of, system_of
from tests.console.conftest import CANARIES, signed_in
from tests.console.test_crawl import walk

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])
WHY = {"because": "security", "ticket": "OPS-17", "minutes": "15", "clearance": "20"}


def act(client: Client, table: str, action: str, *ids: object, **why: str) -> Any:
    body = {"action": action, "_selected_action": [str(one) for one in ids]} | why
    return client.post(f"/admin/console/{table}/", body, follow=True)


def allow(operator: Client, cast: Cast) -> None:
    why = {name: WHY[name] for name in ("because", "ticket")}
    act(operator, "tenant", "allow_break_glass", cast.acme.id, **why)
    assert Tenant.objects.get(id=cast.acme.id).break_glass


def look_of(cast: Cast) -> Look:
    with acting(system_of(cast.alice)):
        return Look.objects.latest("created_at")


def let(cast: Cast) -> Look:
    person = principal_of(cast.keys["alice"], ALICE)
    until = timezone.now() + timedelta(hours=1)
    return let_look(person, clearance=40, kinds=frozenset({"semantic"}), until=until)


def test_not_before_the_tenant_allows_it(operator: Client, cast: Cast) -> None:
    answer = act(operator, "person", "break_glass", cast.alice.id, **WHY)
    assert b"lets nobody look" in answer.content
    with acting(system_of(cast.alice)):
        assert not Look.objects.exists()


def test_the_glass_is_broken_for_one_person_with_a_reason(
    operator: Client, cast: Cast, seeded: str
) -> None:
    allow(operator, cast)
    both = (cast.alice.id, cast.bob.id)
    assert b"Choose one person" in act(operator, "person", "break_glass", *both, **WHY).content
    asked = act(operator, "person", "break_glass", cast.alice.id)
    assert b'name="ticket"' in asked.content and b"The person is told" in asked.content
    begun = act(operator, "person", "break_glass", cast.alice.id, **WHY)
    look = look_of(cast)
    assert f'href="/admin/look/{look.id}/"' in begun.content.decode(), "the way in is shown at once"
    page = operator.get(f"/admin/look/{look.id}/")
    text = page.content.decode()
    assert "wombatine" in text and "numbatty" not in text and "lorikeetgone" not in text
    assert "End now" in text and "Read only, until" in text and "security OPS-17" in text
    other = signed_in("second@example.com", staff=True)
    assert other.get(f"/admin/look/{look.id}/").status_code == 404
    assert operator.post(f"/admin/look/{look.id}/end/").status_code == 302
    assert operator.get(f"/admin/look/{look.id}/").status_code == 404
    codes = [one.code for one in AuditEvent.objects.filter(object_id=look.id).order_by("id")]
    assert codes == ["look.opened", "operator.looked", "look.ended"]


def test_outside_its_page_the_console_shows_no_word(
    operator: Client, cast: Cast, seeded: str
) -> None:
    look = let(cast)
    own = f"/admin/look/{look.id}/"
    seen = {}
    for address, text in walk(operator):
        seen[address] = text
        if not address.startswith(own):
            assert [word for word in CANARIES if word.lower() in text.lower()] == [], address
    assert own in seen and "wombatine" in seen[own]


def test_it_ends_by_itself(operator: Client, cast: Cast, seeded: str) -> None:
    look = let(cast)
    with acting(system_of(cast.alice)):
        Look.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert operator.get(f"/admin/look/{look.id}/").status_code == 404
    listed = operator.get("/admin/console/look/").content.decode()
    assert str(look.id) in listed and f"/admin/look/{look.id}/" not in listed


def test_its_times_are_the_operators_and_its_words_english(operator: Client, cast: Cast) -> None:
    # A local time was once called UTC, and half of the words were the browser's.
    look = let(cast)
    operator.cookies["tz"] = "Asia/Shanghai"
    answer = operator.get(f"/admin/look/{look.id}/", headers={"accept-language": "zh-CN"})
    with timezone.override("Asia/Shanghai"):
        until = moment(look.ends_at)
    page = answer.content.decode()
    assert f"Read only, until {until}." in page and until.endswith(" UTC)")
    assert '<html lang="en"' in page and "Welcome," in page
    assert answer["Content-Language"] == "en"


def test_a_look_never_becomes_the_person(operator: Client, cast: Cast, seeded: str) -> None:
    operator.get(f"/admin/look/{let(cast).id}/")
    answer = operator.get("/memories/")
    assert b"wombatine" not in answer.content
    assert b"No memories are linked to this login" in answer.content


def test_nobody_else_comes_in(cast: Cast) -> None:
    path = f"/admin/look/{let(cast).id}/"
    assert signed_in("alice@example.com", staff=False).get(path, follow=True).status_code == 403
    stranger = Client(SERVER_NAME="localhost")
    assert re.match(r"/accounts/login/", stranger.get(path, follow=True).redirect_chain[-1][0])


def test_a_look_that_is_not_there(operator: Client, cast: Cast) -> None:
    assert operator.get(f"/admin/look/{uuid.uuid4()}/").status_code == 404
    assert operator.get(f"/admin/look/{let(cast).id}/end/").status_code == 405
