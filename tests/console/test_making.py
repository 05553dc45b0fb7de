"""What an operator makes: tenants, agents, keys and invitations; each secret is shown once."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import keys
from accounts.acting import acting
from accounts.models import Agent, ApiKey, AuditEvent, Grant, PersonLink, Subject, Tenant
from memory.admin import inviting, making
from memory.errors import Forbidden
from tests.cast import Api, Cast, person_key, principal_of, system_of
from tests.cast import operator as operator_of
from tests.console.test_acting import WHY, act, key_of, lines

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])
KEY = re.compile(r"ks_live_\w{8}_[\w-]{43}")
LINK = re.compile(r"/link/[\w-]{43}/")


def secret(page: Any, looks: re.Pattern[str]) -> str:
    found: str
    (found,) = set(looks.findall(html.unescape(page.content.decode())))
    assert page.headers["Cache-Control"] == "no-store"
    return found


def test_a_tenant_an_agent_and_its_key_are_made(operator: Client, cast: Cast) -> None:
    asked = operator.get("/admin/console/tenant/new/").content.decode()
    assert "Ticket" in asked and "/admin/console/tenant/new/" in (
        operator.get("/admin/console/tenant/").content.decode()
    )
    body = WHY | {"name": "Initech 中国", "grants_on_first_use": "on"}
    assert operator.post("/admin/console/tenant/new/", {"name": "Initech"}).status_code == 200
    assert operator.post("/admin/console/tenant/new/", body).status_code == 302
    again = operator.post("/admin/console/tenant/new/", body)
    assert b"There is a tenant of this name" in again.content
    tenant = Tenant.objects.exclude(id__in=(cast.acme.id, cast.globex.id)).get()
    assert tenant.name == "Initech 中国"
    page = act(operator, "tenant", "add_agent", tenant.id, **WHY, name="助手")
    key = secret(page, KEY)
    assert Api(key)("POST", "sessions", {"user_id": "王五"}).status_code == 201
    refused = act(operator, "tenant", "add_agent", tenant.id, **WHY, name="助手")
    assert b"has an agent of this name" in refused.content
    assert key not in operator.get("/admin/console/key/").content.decode()
    assert [line[:2] for line in lines()] == [("add_tenant", "tenant"), ("add_agent", "agent")]
    assert {line.tenant_id for line in AuditEvent.objects.filter(code="console.acted")} == {
        tenant.id
    }


def test_what_new_people_begin_with(operator: Client, cast: Cast) -> None:
    given = {"grants_on_first_use": "yes", "default_clearance": "10", "default_learning": ""}
    for _ in range(2):  # the second time nothing is left to change
        act(operator, "tenant", "set_defaults", cast.acme.id, **WHY, **given)
    act(operator, "tenant", "set_defaults", cast.acme.id, **WHY, default_learning="ask_first")
    assert [line[:2] for line in lines()] == [("set_defaults", "tenant")] * 2
    refused = act(operator, "tenant", "set_defaults", cast.acme.id, **WHY, default_clearance="50")
    assert b"errorlist" in refused.content
    api = Api(cast.keys["assistant"])
    body = {"user_id": "新来的", "text": "I prefer tea over coffee in the morning."}
    assert api("POST", "memories", body).status_code == 201
    person = Subject.objects.get(external_id="新来的")
    assert person.learning == "ask_first"
    with acting(system_of(person)):
        assert Grant.objects.get(subject=person).clearance == 10


def test_an_agent_gets_another_key_and_a_pipeline_one(operator: Client, cast: Cast) -> None:
    agent = cast.agents["assistant"]
    key = secret(act(operator, "agent", "add_key", agent.id, **WHY, label="laptop"), KEY)
    found = keys.find(key)
    assert found is not None and found.agent_id == agent.id
    page = act(operator, "tenant", "add_pipeline_key", cast.acme.id, **WHY, label="文档")
    pipeline = keys.find(secret(page, KEY))
    assert pipeline is not None and pipeline.kind == "pipeline"
    assert keys.find(cast.keys["assistant"]) is not None, "the one before goes on"


@pytest.mark.parametrize("hours", ["0", "24"])
def test_a_rotated_key_ends_when_it_was_said(operator: Client, cast: Cast, hours: str) -> None:
    key = key_of(cast)
    new = secret(act(operator, "key", "rotate_key", key, **WHY, overlap=hours), KEY)
    old, found = keys.find(cast.keys["assistant"]), keys.find(new)
    assert found is not None and found.agent_id == cast.agents["assistant"].id
    assert (old is None) == (hours == "0")
    with acting(operator_of(cast.acme)):
        end = ApiKey.objects.get(id=key).expires_at
    assert (end is None) == (hours == "0")
    if end:
        assert timedelta(hours=23) < end - timezone.now() <= timedelta(hours=24)


def test_no_operator_gets_a_key_of_a_person(operator: Client, cast: Cast) -> None:
    owner = keys.find(person_key(cast.alice))
    assert owner is not None
    page = act(operator, "key", "rotate_key", owner.key_id, **WHY, overlap="0")
    assert page.status_code == 302 and lines() == []
    with acting(operator_of(cast.acme)):
        assert ApiKey.objects.get(id=owner.key_id).revoked_at is None


def test_a_refused_row_leaves_the_others_as_they_were(operator: Client, cast: Cast) -> None:
    with acting(operator_of(cast.globex)):
        Agent.objects.create(tenant=cast.globex, name="new one")
    both = (cast.acme.id, cast.globex.id)
    page = act(operator, "tenant", "add_agent", *both, **WHY, name="new one")
    assert b"has an agent of this name" in page.content and not KEY.search(page.content.decode())
    with acting(operator_of(cast.acme)):
        assert not Agent.objects.filter(name="new one", tenant=cast.acme).exists()
    assert lines() == []


class TestInvitations:
    def test_somebody_new_is_invited_and_takes_charge(self, operator: Client, cast: Cast) -> None:
        page = act(operator, "tenant", "invite_user", cast.acme.id, **WHY, user_id="钱七 dora")
        address = secret(page, LINK)
        listed = operator.get("/admin/console/invitation/?open=yes")
        assert listed.context["cl"].result_count == 1
        assert address not in listed.content.decode()
        person = Client(SERVER_NAME="localhost")
        asked = person.get(address).content.decode()
        assert "Acme" in asked and "the organisation itself gave it to you" in asked
        login = {"email": "dora@example.com", "password": "correct horse battery staple"}
        assert person.post(address, login).status_code == 302
        subject = Subject.objects.get(external_id="钱七 dora")
        assert subject.login is not None and subject.login.email == "dora@example.com"
        assert person.get("/memories/").status_code == 200
        assert person.get("/admin/").status_code in (302, 403)
        assert lines()[0][:3] == ("invite", "link", "security OPS-17")
        assert AuditEvent.objects.filter(code="link.issued", subject_id=subject.id).exists()

    def test_nobody_is_invited_to_what_has_a_keeper(self, operator: Client, cast: Cast) -> None:
        address = secret(act(operator, "person", "invite_person", cast.alice.id, **WHY), LINK)
        person = Client(SERVER_NAME="localhost")
        login = {"email": "alice@example.com", "password": "correct horse battery staple"}
        person.post(address, login)
        assert act(operator, "person", "invite_person", cast.alice.id, **WHY).status_code == 302
        again = act(operator, "tenant", "invite_user", cast.acme.id, **WHY, user_id="alice")
        assert again.status_code == 302
        assert PersonLink.objects.count() == 1 and len(lines()) == 1

    def test_a_withdrawn_one_opens_nothing(self, operator: Client, cast: Cast) -> None:
        address = secret(act(operator, "person", "invite_person", cast.bob.id, **WHY), LINK)
        link = PersonLink.objects.get()
        assert timedelta(days=2) < link.expires_at - timezone.now() <= timedelta(days=3)
        act(operator, "invitation", "withdraw_invitation", link.id, **WHY)
        assert Client(SERVER_NAME="localhost").get(address).status_code == 404
        act(operator, "invitation", "withdraw_invitation", link.id, **WHY)
        assert [line[0] for line in lines()] == ["invite", "withdraw_invitation"]
        assert operator.get("/admin/console/invitation/?open=yes").context["cl"].result_count == 0


@pytest.mark.parametrize("kind", ["agent", "system"])
def test_only_an_operator_makes_anything(cast: Cast, kind: str) -> None:
    agent = principal_of(cast.keys["assistant"], "alice")
    who, acme = agent if kind == "agent" else system_of(cast.alice), cast.acme.id
    for refused in (
        partial(making.add_tenant, who, acme, name="x", grants_on_first_use=True),
        partial(making.set_defaults, who, acme, default_clearance=10),
        partial(making.add_agent, who, acme, name="x", may_link=True),
        partial(making.add_key, who, cast.agents["reader"].id, label="x"),
        partial(making.add_pipeline_key, who, acme, label="x"),
        partial(making.rotate_key, who, key_of(cast)),
        partial(inviting.invite_user, who, acme, user_id="x"),
        partial(inviting.invite_person, who, cast.alice.id),
        partial(inviting.withdraw_invitation, who, acme),
    ):
        with pytest.raises(Forbidden):
            refused(reason="drill OPS-1")
