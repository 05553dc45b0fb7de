"""What was taken away after a dump stays away in what is restored from it, and what was given back is back.

Everything that writes a right is walked, each by its service or its address, between one backup and
one restore; a writer that was left out fails the test.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import (
    keys,
    ledger,
    links,
    rights,
    setup,
)
from accounts.acting import acting
from accounts.models import Subject, User
from memory.forget import drive
from memory.forget.leaving import leave
from memory.models import ObjectKey
from memory.recall.person import suppressions
from tests.architecture.source import PRODUCT, ROOT, modules, parsed
from tests.cast import (
    Api,
    Cast,
    person_key,
    principal_of,
    remember,
    system_of,
)
from tests.conftest import as_role
from tests.dashboard.conftest import PASSWORD
from tests.memory.backup.drill import back_up, restore
from tests.memory.backup.taking import (
    NEW,
    OBOE,
    STAMPS,
    World,
    key_id,
    make_world,
    take_away_as_operator,
    take_away_from_agents,
    take_away_from_learning,
    take_away_keys,
    take_away_ways_in,
)
from tests.memory.backup.test_restore import house
from tests.memory.wire import problem, propose

__all__ = ["house"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]


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
    for email in ("dora@example.com", "leaving@example.com"):
        assert signs_in(email, PASSWORD)
    assert [one.email for one in User.objects.filter(is_staff=True)] == ["staying@example.com"]
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
