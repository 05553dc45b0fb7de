"""The ledger outside the database: there before the answer, whole after a crash, the same as the table."""

import json
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from config import checkup
from memory import ledger
from memory.forget import fence as fencing
from memory.models import Erasure, LedgerEntry, Tombstone
from tests.cast import Api, Cast, principal_of, remember
from tests.memory.wire import body_of, listed, problem, tell, texts


@pytest.fixture(autouse=True)
def file(cast: Cast, tmp_path: Path, settings: Settings) -> Path:
    settings.LEDGER_FILE = str(tmp_path / "erasures.jsonl")
    return tmp_path / "erasures.jsonl"


@pytest.mark.parametrize("text", ["我住在苏州。", "I live in Cork."])
def test_an_erasure_leaves_a_line_that_says_what_the_table_says(
    cast: Cast, file: Path, text: str
) -> None:
    api = Api(cast.keys["assistant"])
    told = tell(api, text)
    receipt = body_of(api("DELETE", f"memories/{told['decisions'][0]['id']}"))
    (line,) = ledger.read().values()
    row = Erasure.objects.get(id=receipt["id"])
    assert line.erasure_id == row.id
    assert {name: getattr(row, name) for name in line.columns} == line.columns
    table = LedgerEntry.objects.order_by("number")
    assert line.objects == tuple(table.values_list("number", "object_kind", "object_id"))
    assert [number for number, _, _ in line.objects] == receipt["ledger"]
    assert line.of("event") == [uuid.UUID(told["events"][0])]
    assert text not in file.read_text() and file.stat().st_mode & 0o077 == 0


def test_a_ledger_that_cannot_be_written_refuses_the_erasure(
    cast: Cast, settings: Settings, tmp_path: Path
) -> None:
    api = Api(cast.keys["assistant"])
    memory = tell(api, "我住在苏州。")["decisions"][0]["id"]
    settings.LEDGER_FILE = str(tmp_path / "not there" / "erasures.jsonl")
    problem(api("DELETE", f"memories/{memory}"), 503, "ledger_unavailable")
    assert Erasure.objects.count() == Tombstone.objects.count() == 0
    assert texts(listed(api)) == ["我住在苏州。"]
    with pytest.raises(checkup.Unwell, match="cannot be written"):
        checkup.ledger()


def test_what_a_crash_tore_off_is_passed_over_and_the_next_line_is_whole(
    cast: Cast, file: Path
) -> None:
    agent = principal_of(cast.keys["assistant"], "alice")
    first = fencing.erase(agent, remember(agent, "I like tea 茶").id)
    whole = file.read_bytes()
    file.write_bytes(whole + whole[: len(whole) // 2])
    second = fencing.erase(agent, remember(agent, "I like coffee 咖啡").id)
    assert list(ledger.read()) == [first.id, second.id]


def test_a_lost_ledger_is_noticed_and_written_anew_from_the_table(cast: Cast, file: Path) -> None:
    agent = principal_of(cast.keys["assistant"], "alice")
    made = [fencing.erase(agent, remember(agent, text).id) for text in ("Tea 茶", "Rice 米饭")]
    before = ledger.read()
    file.unlink()
    with pytest.raises(checkup.Unwell, match="2 erasures"):
        checkup.ledger()
    assert ledger.settle() == (2, 0)
    assert ledger.read() == before and list(before) == [one.id for one in made]
    assert checkup.ledger() == "holds every erasure"
    assert ledger.settle() == (0, 0)


def test_the_line_of_a_transaction_that_was_rolled_back_is_taken_back_later(
    cast: Cast, file: Path
) -> None:
    agent = principal_of(cast.keys["assistant"], "alice")
    memory = remember(agent, "I like tea 茶")
    with transaction.atomic():
        fencing.erase(agent, memory.id)
        transaction.set_rollback(True)
    assert len(ledger.read()) == 1
    assert ledger.settle() == (0, 0), "it may still be committed"
    old = json.loads(file.read_text())
    old["fenced_at"] = (timezone.now() - timedelta(hours=1)).isoformat()
    file.write_text(json.dumps(old) + "\n")
    assert ledger.settle() == (0, 1)
    assert ledger.read() == {}


def test_many_write_at_once(cast: Cast, file: Path) -> None:
    requests = [
        Erasure(
            tenant_id=cast.acme.id,
            subject_id=cast.alice.id,
            requested_by_kind="agent",
            fenced_at=timezone.now(),
            backups_until=timezone.now(),
        )
        for _ in range(200)
    ]
    entries = [
        LedgerEntry(number=n, object_kind="memory", object_id=uuid.uuid4()) for n in range(20)
    ]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda one: ledger.write(one, entries), requests))
    assert ledger.read().keys() == {one.id for one in requests}
    assert len(file.read_text().splitlines()) == 200
