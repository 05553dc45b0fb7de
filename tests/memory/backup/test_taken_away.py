"""What was taken away after a dump stays away in what is restored from it, and what was given back is back.

Everything that writes a right is walked, each by its service or its address, between one backup and
one restore. `test_every_writer_was_walked` fails for one that was left out.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts import (
    connections,
    grants,
    keys,
    ledger,
    links,
    looks,
    person_keys,
    preferences,
    rights,
    setup,
    subjects,
)
from accounts.acting import acting
from accounts.choices import HoldReason, Learning, MemoryMode
from accounts.ledger import path as ledger_file
from accounts.models import Agent, Look, Subject, User
from accounts.principal import Principal
from memory.admin import inviting, making, quotas, services, webhooks
from memory.admin import looks as admin_looks
from memory.forget import drive, fence
from memory.forget.leaving import leave
from memory.forget.suppressions import lift
from memory.models import ObjectKey, WebhookTarget
from memory.recall.person import suppressions
from memory.reviews import forgetting
from tests.architecture.source import CODE, PRODUCT, ROOT, modules, parsed
from tests.architecture.source import rows as table
from tests.cast import (
    Api,
    Cast,
    agent_key,
    make_agent,
    make_grant,
    person_key,
    principal_of,
    remember,
    system_of,
)
from tests.cast import operator as operator_of
from tests.conftest import as_role
from tests.dashboard.conftest import PASSWORD, sign_in
from tests.memory.backup.drill import back_up, restore
from tests.memory.backup.test_restore import house
from tests.memory.wire import problem, propose, tell

__all__ = ["house"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]
STAMPS, OBOE = "I collect stamps 邮票", "I play the oboe 双簧管"
WHY = "security OPS-17"
NEW = "another battery staple horse"
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def writers() -> set[tuple[str, str]]:
    """The functions that change what bounds a right: file and name."""
    found = set()
    for path in modules(*PRODUCT):
        tree = parsed(path) if "rights." in path.read_text() else ast.Module([], [])
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                called = {
                    ast.unparse(node.func)
                    for node in ast.walk(function)
                    if isinstance(node, ast.Call)
                }
                if called & {"rights.change", "rights.end", "rights.note"}:
                    found.add((str(path.relative_to(ROOT)), function.name))
    return found


@contextmanager
def walking(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[tuple[str, str]]]:
    """Collect which functions have a line written, while the line is written."""
    walked: set[tuple[str, str]] = set()

    def noted(lines: Any) -> None:
        frame = sys._getframe(1)
        while frame.f_back and Path(frame.f_code.co_filename).name == "rights.py":
            frame = frame.f_back
        file = Path(frame.f_code.co_filename).relative_to(ROOT)
        walked.add((str(file), frame.f_code.co_name))
        ledger.append(lines)

    with monkeypatch.context() as patch:
        patch.setattr(rights, "append", noted)
        yield walked


def standing() -> dict[tuple[str, Any], dict[str, Any]]:
    """How every right stands, as the owner sees it: by table, and id or key."""
    found = {}
    with as_role(settings.DATABASE_OWNER_URL):
        for table, model in rights.kept_models().items():
            key = (*getattr(model, "right_key", ()),)
            named = ("tenant_id", "subject_id", *key) if key else ("id",)
            rows = model._default_manager.order_by("created_at" if key else "pk")
            for row in rows.values(*named, *model.right_fields):  # type: ignore[attr-defined]
                which = tuple(row.pop(name) for name in named)
                found[table, which] = row
    return found


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


def signs_in(email: str, password: str) -> bool:
    cache.clear()
    browser = Client(SERVER_NAME="localhost")
    browser.post(reverse("account_login"), {"login": email, "password": password})
    return "_auth_user_id" in browser.session


def test_every_right_that_was_taken_stays_away(
    house: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = make_world(house)
    remember(world.bob, "I keep bees 我养蜂")
    back_up()
    dumped, own = standing(), key_id(house.keys["bob"])
    with walking(monkeypatch) as walked:
        take_away_from_learning(world)
        take_away_from_agents(world)
        take_away_keys(world)
        take_away_as_operator(world)
        take_away_ways_in(world)
        for erasure in leave(User.objects.get(email="bob@example.com").id):
            drive.run(erasure.id)
    assert writers() - walked == set(), "a writer that no restore was tried after"
    before = standing()
    printed = restore()
    after = standing()
    both = {name for name in before if name in dumped}
    both -= {("accounts_apikey", (own,))}  # revoked once more, by the erasure of whom it spoke for
    assert {name: after.get(name) for name in both} == {name: before[name] for name in both}
    assert sum(dumped[name] != before[name] for name in both) >= 20, "the dump was otherwise"
    assert set(dumped) - set(before) == set(dumped) - set(after), "and a login was closed"
    assert "taken away again" in printed
    check_keys_and_grants(world, after)
    check_ways_in(world)
    check_learning(world)
    check_erased(house.bob)
    with as_role(settings.DATABASE_OWNER_URL):
        assert rights.replay(since=timezone.now() - timedelta(hours=1)) == 0


def check_keys_and_grants(world: World, after: Mapping[tuple[str, Any], Any]) -> None:
    house = world.house
    for name in ("revoked", "replaced"):
        assert Api(world.keys[name])("GET", "memories?user_id=bob").status_code == 401
    assert keys.find(world.keys["ending"]) is not None
    assert keys.find(house.keys["reader"]) is None and keys.find(house.keys["alice"]) is None
    problem(Api(house.keys["assistant"])("GET", "memories?user_id=alice"), 403, "forbidden")
    low = principal_of(house.keys["low"], "alice")
    assert (low.actions, low.clearance, low.purposes) == (
        frozenset({"read"}),
        10,
        frozenset({"billing"}),
    )
    assert principal_of(house.keys["off"], "alice").may_learn, "given back"
    late = (house.acme.id, house.alice.id, world.late.id)
    assert after["accounts_grant", late]["actions"] == []
    assert links.find_link(world.secret) is None


def check_ways_in(world: World) -> None:
    """Nobody is signed in, nobody comes in by what was changed since; a new password lets them in."""
    for browser in world.browsers.values():
        assert browser.get("/").status_code == 302
    for email in ("alice@example.com", "bob@example.com", "emil@example.com"):
        assert not signs_in(email, PASSWORD) and not signs_in(email, NEW)
    assert signs_in("dora@example.com", PASSWORD)
    assert not Authenticator.objects.exists()
    assert not User.objects.filter(email="bob@example.com").exists()
    setup.login_for(world.house.alice, email="alice@example.com")
    user = User.objects.get(email="alice@example.com")
    user.set_password(NEW)
    user.save()
    assert signs_in("alice@example.com", NEW)


def check_erased(person: Subject) -> None:
    """Who left is gone, with every key."""
    row = Subject.objects.get(id=person.id)
    assert row.erased_at is not None and row.external_id == f"erased:{row.id}"
    with acting(system_of(person)):
        assert ObjectKey.objects.count() == 0


def check_learning(world: World) -> None:
    alice = world.alice
    refused = propose(Api(person_key(world.house.alice)), STAMPS)
    assert refused["outcome"] == "refused"
    assert remember(alice, OBOE).state == "active"
    assert world.lifted not in {one.id for one in suppressions(alice)}


def test_a_ledger_that_cannot_be_written_keeps_rights_as_they_are(
    cast: Cast, settings: Settings, tmp_path: Path
) -> None:
    alice, agent = sign_in(cast.alice, email="alice@example.com"), cast.agents["assistant"]
    again(alice)
    settings.LEDGER_FILE = str(tmp_path / "not there" / "erasures.jsonl")
    fields = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    for answer in (
        alice.post(reverse("agent-pause", args=[agent.id])),
        alice.post(reverse("account_change_password"), fields),
    ):
        assert answer.status_code == 503 and "Nothing was changed" in answer.content.decode()
    assert grants.find_agent(subjects.person(cast.alice), agent.id).standing == "allowed"
    assert User.objects.get().check_password(PASSWORD)
    mode = {"mode": "off"}
    answer = Api(cast.keys["alice"])("PUT", f"users/{cast.alice.id}/mode", mode)
    problem(answer, 503, "ledger_unavailable")
    cast.alice.refresh_from_db()
    assert cast.alice.memory_mode == "normal"


def test_what_was_rolled_back_is_corrected_later(
    cast: Cast, settings: Settings, tmp_path: Path
) -> None:
    settings.LEDGER_FILE = str(tmp_path / "erasures.jsonl")
    alice, agents = subjects.person(cast.alice), cast.agents
    grants.pause(alice, agents["reader"].id, paused=True)
    with transaction.atomic():
        grants.pause(alice, agents["assistant"].id, paused=True)
        transaction.set_rollback(True)
    hour = timedelta(hours=1)
    assert rights.settle(since=timezone.now() - hour) == 0, "it may still be committed"
    lines = [json.loads(one) for one in ledger_file().read_text().splitlines()]
    old = [one | {"at": (timezone.now() - hour).isoformat()} for one in lines]
    ledger_file().write_text("".join(json.dumps(one) + "\n" for one in old))
    assert rights.settle(since=timezone.now() - 2 * hour) == 1
    last = json.loads(ledger_file().read_text().splitlines()[-1])
    assert (last["id"], last["row"]["paused_at"]) == (lines[1]["id"], None)
    assert rights.settle(since=timezone.now() - 2 * hour) == 0
    with as_role(settings.DATABASE_OWNER_URL):
        assert rights.replay(since=timezone.now() - 2 * hour) == 0


def test_a_line_holds_codes_numbers_and_times(cast: Cast) -> None:
    """No word of anybody's: every column that is kept is a switch, a code, a number or a time."""
    kinds = {
        "BooleanField", "DateTimeField", "PositiveSmallIntegerField", "BigIntegerField", "ForeignKey",
    }  # fmt: skip
    for model in rights.kept_models().values():
        fields = {one.attname: one for one in model._meta.concrete_fields}
        names = (*getattr(model, "right_key", ()), *model.right_fields)  # type: ignore[attr-defined]
        free = {
            name
            for name in names
            if fields[name].get_internal_type() not in kinds and not fields[name].choices
        }
        assert free <= {"actions", "kinds", "purposes", "quotas"}, model


def test_the_manual_says_what_the_ledger_holds() -> None:
    said = {
        cells[0].strip("`"): set(CODE.findall(cells[1]))
        for cells in table("docs/privacy.md", "What the ledger holds")
    }
    assert said == {
        name: {*getattr(model, "right_key", ()), *model.right_fields}  # type: ignore[attr-defined]
        for name, model in rights.kept_models().items()
    }


# --- no second way -------------------------------------------------------------------------------

# What else writes one of these columns, and why it leaves no line.
ELSEWHERE = {
    "accounts/rights.py _again": "a restore, by the lines there are",
    "accounts/grants.py _set": "the row in memory, after the one way",
    "accounts/ways_in.py _changed": "the row in memory, before the one way",
    "accounts/keys.py _stamp": "when a key was presented last",
    "memory/forget/requests.py depart": "the line of the erasure does it again",
    "memory/forget/fence.py _suppress": "noted by the fence; a restore erases again and suppresses itself",
    "memory/forget/suppressions.py suppress": "noted where one was made",
}


def test_nothing_else_writes_what_bounds_a_right() -> None:
    kept = {one.__name__: one.right_fields for one in rights.kept_models().values()}  # type: ignore[attr-defined]
    named = re.compile(rf"\b({'|'.join(kept)})\b")
    columns = {name for fields in kept.values() for name in fields}
    found = set()
    for path in modules(*PRODUCT):
        tree = parsed(path) if named.search(path.read_text()) else ast.Module([], [])
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef) and named.search(ast.unparse(function)):
                found |= {
                    f"{path.relative_to(ROOT)} {function.name}"
                    for node in ast.walk(function)
                    if writes(node, columns)
                }
    assert found == set(ELSEWHERE)


def writes(node: ast.AST, columns: set[str]) -> bool:
    """Whether one of the columns is set here, or any column is set by a name that is not seen."""
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        if called.startswith("Suppression.objects.") and "create" in called:
            return True
        given = {keyword.arg for keyword in node.keywords}
        updates = called.endswith((".update", ".update_or_create")) and given & {None, *columns}
        return called == "setattr" or bool(updates) or called.endswith(".bulk_update")
    targets = node.targets if isinstance(node, ast.Assign) else []
    inner = (part for target in targets for part in ast.walk(target))
    return any(isinstance(one, ast.Attribute) and one.attr in columns for one in inner)
