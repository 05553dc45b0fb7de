"""A restored backup brings back what was there, and nothing that was erased since."""

import subprocess
import uuid
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError
from django.test import Client
from pytest_django import Settings

from accounts.acting import acting
from accounts.closing import is_closed
from accounts.fields import SealedField
from accounts.ledger import path as ledger_file
from accounts.models import AuditEvent
from config.embedded.binaries import client_programs
from memory import ledger
from memory.backup import restore as restoring
from memory.backup.files import KEYED, KEYS, LEDGER, MAIN, newest, prune
from memory.choices import ErasureState
from memory.forget import fence as fencing
from memory.models import (
    Document,
    Erasure,
    EvaluationSet,
    Evidence,
    LedgerEntry,
    Memory,
    ObjectKey,
    Passage,
    SubjectKey,
    Suppression,
    Term,
    Vector,
    Version,
)
from memory.rotation import check_sentinel
from tests.cast import Api, Cast, build_cast, principal_of, remember, system_of
from tests.memory.api.desk import read, send
from tests.memory.backup.drill import back_up, restore, scratch_database
from tests.memory.knowledge.shelf import look, put
from tests.memory.wire import body_of, listed, open_session, problem, recall, tell, texts

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]

SAID = "I play the oboe on Fridays."


@pytest.fixture
def house(transactional_db: None, hash_embedder: None, tmp_path: Path) -> Iterator[Cast]:
    """Everybody, in a database that may be replaced."""
    with scratch_database(tmp_path):
        yield build_cast()


def wordings(number: int) -> list[str]:
    """Return texts that say different things, in both languages."""
    letters = str.maketrans("0123456789", "ghijklmnop")  # digits could look like a phone's
    names = [uuid.uuid5(uuid.NAMESPACE_OID, str(n)).hex.translate(letters) for n in range(number)]
    return [
        f"我收藏了{one[:8]}邮票，图案是{one[8:16]}"
        if n % 2
        else f"Owns the teapot {one[:8]} with {one[8:16]} on it"
        for n, one in enumerate(names)
    ]


def drill(house: Cast, *, kept: int, erased: int) -> None:
    """Back up, erase, restore: none of the erased is back, the rest is whole."""
    agent = principal_of(house.keys["assistant"], "alice")
    made = [remember(agent, text) for text in wordings(kept + erased)]
    api = Api(house.keys["assistant"])
    with acting(system_of(house.alice)):
        before = Vector.objects.count(), Term.objects.count()
        size = Term.objects.filter(memory_id__in=[one.id for one in made[:erased]]).count()
    back_up()
    gone = made[:erased]
    for one in gone:
        fencing.erase(agent, one.id)
    numbers = {e.object_id: e.number for e in LedgerEntry.objects.all()}
    printed = restore()
    assert f"erased again {erased}  " in printed and "The service is open." in printed
    back = [one for one in gone if api("GET", f"memories/{one.id}").status_code != 410]
    assert back == []
    left = dict(zip((one.id for one in made), wordings(kept + erased), strict=True))
    with acting(system_of(house.alice)):
        assert (Vector.objects.count(), Term.objects.count()) == (
            before[0] - erased,
            before[1] - size,
        )
        assert not ObjectKey.objects.filter(object_id__in=[one.id for one in gone]).exists()
    for one in made[erased : erased + 20]:
        assert body_of(api("GET", f"memories/{one.id}"))["text"] == left[one.id]
        assert recall(api, left[one.id])["memories"][0]["id"] == str(one.id)
    for one in gone[:20]:
        assert left[one.id] not in texts(recall(api, left[one.id])["memories"])
    assert {e.object_id: e.number for e in LedgerEntry.objects.all()} == numbers
    states = set(Erasure.objects.values_list("state", flat=True))
    assert states == {ErasureState.AWAITING_BACKUP_EXPIRY}


def test_none_of_the_erased_is_back_and_the_rest_is_whole(house: Cast) -> None:
    drill(house, kept=20, erased=10)


@pytest.mark.deep
@pytest.mark.timeout(3000)
def test_five_hundred_erasures_stay_erased(house: Cast) -> None:
    drill(house, kept=200, erased=500)


def test_messages_boards_and_documents_come_back_or_stay_away(house: Cast) -> None:
    api = Api(house.keys["assistant"])
    gone = tell(api, "我住在苏州。", session=open_session(api, "one"))
    kept = tell(api, SAID, session=open_session(api, "two"))
    board = {"goal": "订一张去南京的票 book a train"}
    body_of(send(api, "PUT", board), 201)
    put(house.acme, "handbook.md", "# 手册\n\n报销要在三十天内提交。Claims within thirty days.")
    back_up()
    receipt = body_of(api("DELETE", f"memories/{gone['decisions'][0]['id']}"))
    feed = body_of(api("GET", "deletions?user_id=alice"))
    restore()
    assert [one["id"] for one in listed(api)] == [kept["decisions"][0]["id"]]
    assert api("GET", f"events/{gone['events'][0]}").status_code == 410
    assert body_of(api("GET", f"events/{kept['events'][0]}"))["content"] == SAID
    assert body_of(read(api))["state"] == board
    for question in ("三十天内报销", "claims within thirty days"):
        assert look(house.acme, question).passages
    again = body_of(api("GET", f"erasures/{receipt['id']}"))
    assert (again["ledger"], again["memories"]) == (receipt["ledger"], receipt["memories"])
    assert body_of(api("GET", "deletions?user_id=alice")) == feed
    said_again = tell(api, "我住在苏州。", session=open_session(api, "three"))
    assert body_of(api("GET", "deletions?user_id=alice"))["deletions"][0] == feed["deletions"][0]
    assert said_again["decisions"]
    with acting(system_of(house.alice)):
        assert Suppression.objects.filter(basis="event").count() == 1
    lines = AuditEvent.objects.filter(code="database.restored", tenant_id=house.acme.id)
    about = set(lines.values_list("subject_id", flat=True))
    assert about == {None, house.alice.id, house.bob.id} and lines.count() == len(about)


def test_without_any_ledger_the_missing_key_decides(house: Cast, settings: Settings) -> None:
    agent = principal_of(house.keys["assistant"], "alice")
    gone, kept = remember(agent, "I like tea 茶"), remember(agent, "我爱喝咖啡 coffee")
    back_up()
    main = newest(Path(settings.BACKUP_DIR) / MAIN)
    fencing.erase(agent, gone.id)
    (Path(settings.BACKUP_DIR) / MAIN / "kept").mkdir()
    main = main.rename(main.parent / "kept" / main.name)
    back_up()
    ledger_file().unlink()
    keys = without_ledger(newest(Path(settings.BACKUP_DIR) / KEYS))
    printed = restore(str(main), keys=keys)
    assert "erased again 0" in printed and "without a key 1" in printed
    api = Api(house.keys["assistant"])
    assert api("GET", f"memories/{gone.id}").status_code == 410
    assert [one["id"] for one in listed(api)] == [str(kept.id)]
    assert len(ledger.read()) == 1, "it is in the ledger now"


def without_ledger(keys: Path) -> Path:
    bare = keys.with_name("bare.zip")
    with zipfile.ZipFile(keys) as source, zipfile.ZipFile(bare, "w") as target:
        for name in source.namelist():
            if name != LEDGER:
                target.writestr(name, source.read(name))
    return bare


def test_a_dump_holds_no_key_no_vector_and_no_text(house: Cast, settings: Settings) -> None:
    agent = principal_of(house.keys["assistant"], "alice")
    remember(agent, "I love quibblesnark soup 魑魅豆")
    with acting(system_of(house.alice)):
        wrapped = [bytes(one.wrapped).hex() for one in ObjectKey.objects.all()]
    back_up()
    programs = client_programs()
    assert programs is not None
    main = newest(Path(settings.BACKUP_DIR) / MAIN)
    script = subprocess.run(
        [programs / "pg_restore", "--file=-", main / "keepsake.dump"],
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    assert "CREATE TABLE public.memory_objectkey" in script and wrapped
    for word in ("quibblesnark", "魑魅豆", *wrapped):
        assert word not in script
    for table in ("memory_objectkey", "memory_subjectkey", "memory_vector", "memory_term"):
        assert f"COPY public.{table} " not in script
    assert main.stat().st_mode & 0o077 == 0


def test_an_interrupted_restore_stays_closed_and_can_be_begun_again(
    house: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = principal_of(house.keys["assistant"], "alice")
    gone, kept = remember(agent, "I like tea 茶"), remember(agent, "我爱喝咖啡 coffee")
    back_up()
    fencing.erase(agent, gone.id)

    def killed() -> Any:
        raise OSError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(restoring, "rebuild_indexes", killed)
        with pytest.raises(CommandError, match="killed"):
            restore()
    assert is_closed()
    api = Api(house.keys["assistant"])
    for _ in range(2):
        refused = problem(
            api("POST", "recall", {"user_id": "alice", "query": "tea 茶"}), 503, "closed"
        )
        assert "restored" in refused["title"]
    browser = Client(SERVER_NAME="localhost", raise_request_exception=False)
    browser.cookies["sessionid"] = "s" * 32
    page = browser.get("/memories/", headers={"Accept-Language": "zh-hans"})
    assert page.status_code == 503 and "正在恢复备份" in page.content.decode()
    assert Client(SERVER_NAME="localhost").get("/health/ready").json()["failing"] == ["closed"]
    restore()
    assert not is_closed()
    assert [one["id"] for one in listed(api)] == [str(kept.id)]


def test_a_damaged_dump_changes_nothing(house: Cast, settings: Settings) -> None:
    agent = principal_of(house.keys["assistant"], "alice")
    remember(agent, "I like tea 茶")
    back_up()
    later = remember(agent, "我爱喝咖啡 coffee")
    dump = newest(Path(settings.BACKUP_DIR) / MAIN) / "keepsake.dump"
    whole = dump.read_bytes()
    for broken in (b"", whole[:200], whole[: len(whole) * 3 // 4], whole[:-9000]):
        dump.write_bytes(broken)
        with pytest.raises(CommandError, match=r"failed|not loaded"):
            restore()
        assert not is_closed()
        assert len(listed(Api(house.keys["assistant"]))) == 2, later


def test_a_backup_of_another_master_key_is_refused_before_anything(
    house: Cast, settings: Settings
) -> None:
    check_sentinel()
    back_up()
    settings.MASTER_KEY = "YW5vdGhlciBtYXN0ZXIga2V5IG9mIDMyIGJ5dGVzISE="
    with pytest.raises(CommandError, match=r"sealed with the master key .*, which is not here"):
        restore()
    assert not is_closed()
    settings.BACKUP_DIR = "/nonexistent"
    with pytest.raises(CommandError, match="There is no backup"):
        restore()


def test_everything_sealed_has_its_place_in_a_restore() -> None:
    """A new table that seals must be known here, or its keys would be left behind."""
    sealed = {
        model
        for model in apps.get_models()
        if any(isinstance(field, SealedField) for field in model._meta.local_fields)
    }
    # What the key of a person or a tenant seals of its own comes with the key.
    known = {*KEYED, Version, Evidence, Document, Passage, SubjectKey, EvaluationSet}
    assert sealed == known - {Memory}


def test_old_backups_end_but_never_the_newest(tmp_path: Path) -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    for name in ("20260101T000000Z", "20260226T000000Z", "20260228T120000Z", "other"):
        (tmp_path / name).mkdir()
    assert prune(tmp_path, older_than=timedelta(days=2), now=now) == 2
    assert {one.name for one in tmp_path.iterdir()} == {"20260228T120000Z", "other"}
    assert prune(tmp_path, older_than=timedelta(days=2), now=now + timedelta(days=90)) == 0
