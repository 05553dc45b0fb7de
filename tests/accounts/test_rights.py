"""What bounds a right: one way to change it, its line in the ledger, and no second way."""

from __future__ import annotations

import ast
import json
import re
from datetime import timedelta
from pathlib import Path

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts import (
    grants,
    rights,
    subjects,
)
from accounts.ledger import path as ledger_file
from accounts.models import User
from tests.architecture.source import CODE, PRODUCT, ROOT, modules, parsed
from tests.architecture.source import rows as table
from tests.cast import (
    Api,
    Cast,
)
from tests.dashboard.conftest import PASSWORD, sign_in
from tests.memory.backup.taking import NEW, again
from tests.memory.wire import problem


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
