"""What somebody has before a backup, and everything that is taken away, or given back, after it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import (
    connections,
    grants,
    keys,
    links,
    looks,
    person_keys,
    preferences,
    setup,
    subjects,
)
from accounts.acting import acting
from accounts.choices import HoldReason, Learning, MemoryMode
from accounts.models import Agent, Look, User
from accounts.principal import Principal
from memory.admin import inviting, making, quotas, services, webhooks
from memory.admin import looks as admin_looks
from memory.forget import fence
from memory.forget.suppressions import lift
from memory.models import WebhookTarget
from memory.recall.person import suppressions
from memory.reviews import forgetting
from tests.cast import (
    Api,
    Cast,
    agent_key,
    make_agent,
    make_grant,
    principal_of,
    remember,
)
from tests.cast import operator as operator_of
from tests.dashboard.conftest import PASSWORD, sign_in
from tests.memory.wire import tell

STAMPS, OBOE = "I collect stamps 邮票", "I play the oboe 双簧管"
WHY = "security OPS-17"
NEW = "another battery staple horse"


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Who acts, and what they have before the backup."""

    house: Cast
    alice: Principal
    bob: Principal
    charlie: Principal
    operator: Principal
    abroad: Principal
    browsers: dict[str, Client]
    lifted: uuid.UUID
    look: uuid.UUID
    links: dict[str, uuid.UUID]
    secret: str
    target: uuid.UUID
    keys: dict[str, str]
    late: Agent


def make_world(house: Cast) -> World:
    alice, bob = (principal_of(house.keys[one], one) for one in ("alice", "bob"))
    house.charlie.refresh_from_db()
    charlie = subjects.person(house.charlie)
    operator, abroad = operator_of(house.acme), operator_of(house.globex)
    browsers = {
        "alice": sign_in(house.alice, email="alice@example.com"),
        "bob": sign_in(house.bob, email="bob@example.com"),
        "dora": sign_in(email="dora@example.com"),
        "emil": sign_in(email="emil@example.com"),
    }
    two_factors(browsers["emil"])
    for name in ("staying", "leaving"):
        User.objects.create_superuser(f"{name}@example.com", PASSWORD)
    admin_looks.allow_break_glass(operator, house.acme.id, reason=WHY)
    guests = {}
    for name in ("withdrawn", "used"):
        secret, link = invited(operator, name)
        guests[name] = link
    for text in ("My favourite tea is oolong.", "我最喜欢的颜色是青色。"):
        forgetting.forget(alice, remember(alice, text).id, never_again=True)
    target = webhooks.register_target(
        operator, house.agents["reader"].id, reason=WHY, url="https://example.com/told"
    )
    assert target
    with acting(bob):
        over = timezone.now() - timedelta(hours=1)
        Look.objects.create(
            tenant=house.acme, subject=house.bob, ground="granted", kinds=["semantic"], ends_at=over
        )
    with acting(operator):
        (row,) = WebhookTarget.objects.all()
    return World(
        house=house,
        alice=alice,
        bob=bob,
        charlie=charlie,
        operator=operator,
        abroad=abroad,
        browsers=browsers,
        lifted=suppressions(alice)[0].id,
        look=looks.let_look(
            alice, looks.Scope(clearance=20), until=timezone.now() + timedelta(days=1)
        ).id,
        links=guests,
        secret=secret,
        target=row.id,
        keys={
            name: agent_key(house.agents["colleague"]) for name in ("revoked", "replaced", "ending")
        },
        late=make_agent(house.acme, "late"),
    )


def invited(operator: Principal, name: str) -> tuple[str, uuid.UUID]:
    """Invite somebody; return the link's secret and its id."""
    address = inviting.invite_user(operator, operator.tenant_id, reason=WHY, user_id=name)
    assert address is not None
    secret = address.rstrip("/").rpartition("/")[2]
    link = links.find_link(secret)
    assert link is not None
    return secret, link.id


def again(browser: Client) -> None:
    assert (
        browser.post(reverse("account_reauthenticate"), {"password": PASSWORD}).status_code == 302
    )


def two_factors(browser: Client) -> None:
    """Add a second factor, as the page does."""
    again(browser)
    browser.get(reverse("mfa_activate_totp"))
    secret = browser.session["mfa.totp.secret"]
    code = format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))
    assert browser.post(reverse("mfa_activate_totp"), {"code": code}).status_code == 302
    cache.clear()


def key_id(text: str) -> uuid.UUID:
    found = keys.find(text)
    assert found is not None
    return found.key_id


def take_away_from_agents(world: World) -> None:
    """What a person takes from agents, and gives back."""
    agents, alice = world.house.agents, world.alice
    grants.pause(alice, agents["assistant"].id, paused=True)
    grants.pause(alice, agents["paused"].id, paused=False)  # given back
    grants.pause(alice, agents["reader"].id, paused=True)
    grants.pause(alice, agents["reader"].id, paused=False)  # taken, and given back
    less = grants.Rights(
        actions=["read"], kinds=["semantic"], clearance=10, memory_mode="normal",
        expires_at=timezone.now() + timedelta(hours=1), purposes=["billing"],
    )  # fmt: skip
    grants.change(alice, agents["low"].id, less)
    grants.set_mode(alice, agents["no_episodes"].id, mode=MemoryMode.USE_ONLY)
    grants.set_mode(alice, agents["off"].id, mode=MemoryMode.NORMAL)  # given back
    make_grant(world.late, world.house.alice)  # unknown to the dump
    connections.disconnect(alice, world.late.id)
    with acting(principal_of(world.house.keys["colleague"], "bob")) as flooding:
        grants.quarantine(flooding, until=timezone.now() + timedelta(days=1))
    subjects.set_mode(world.charlie, world.house.charlie.id, mode=MemoryMode.OFF)
    preferences.set_learning(world.charlie, Learning.ASK_FIRST)
    preferences.set_interests(world.charlie, on=False)
    looks.end(alice, world.look)


def take_away_keys(world: World) -> None:
    keys.revoke(world.operator, key_id=key_id(world.keys["revoked"]))
    making.rotate_key(world.operator, key_id(world.keys["replaced"]), reason=WHY)
    making.rotate_key(world.operator, key_id(world.keys["ending"]), reason=WHY, overlap=24)
    person_keys.revoke_own_key(world.alice, key_id(world.house.keys["alice"]))


def take_away_as_operator(world: World) -> None:
    house, operator = world.house, world.operator
    services.pause_agent(operator, house.agents["reader"].id, reason=WHY)
    services.refuse_links(operator, house.agents["assistant"].id, reason=WHY)
    making.set_defaults(operator, house.acme.id, reason=WHY, default_clearance=10)
    admin_looks.refuse_break_glass(operator, house.acme.id, reason=WHY)
    quotas.set_quotas(operator, house.acme.id, reason=WHY, memories=7)
    webhooks.revoke_target(operator, world.target, reason=WHY)
    services.hold_person(world.abroad, house.charlie.id, reason=WHY, ground=HoldReason.values[0])
    inviting.withdraw_invitation(operator, world.links["withdrawn"], reason=WHY)
    setup.dismiss_operator("leaving@example.com")
    links.redeem(world.secret, User.objects.get(email="dora@example.com"))
    looks.let_look(world.bob, looks.Scope(clearance=20), until=timezone.now() + timedelta(days=1))


def take_away_from_learning(world: World) -> None:
    """What must not be learnt again, and what may be again."""
    alice, api = world.alice, Api(world.house.keys["assistant"])
    lift(alice, world.lifted)  # given back
    told = tell(api, "我住在苏州。")
    fence.erase(alice, uuid.UUID(told["decisions"][0]["id"]))
    forgetting.forget(alice, remember(alice, STAMPS).id, never_again=True)
    kept = remember(alice, OBOE).id
    forgetting.forget(alice, kept, never_again=True)
    forgetting.take_back(alice, kept)  # given back


def take_away_ways_in(world: World) -> None:
    alice, emil = world.browsers["alice"], world.browsers["emil"]
    again(alice)
    fields = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert alice.post(reverse("account_change_password"), fields).status_code == 302
    assert emil.post(reverse("mfa_deactivate_totp")).status_code == 302
    assert not Authenticator.objects.exists()
