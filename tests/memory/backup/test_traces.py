"""What was erased is in no row, no file and no message; after a rewrite not even its bytes are."""

import json
import tempfile
import uuid
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import make_conninfo

from accounts.acting import acting
from memory.backup import rewrite, traces
from memory.backup.rewrite import tables
from memory.forget import drive
from memory.forget import fence as fencing
from memory.models import Import, Memory, ObjectKey, SubjectKey, Version
from memory.policy import REWRITE
from memory.transfer import cipher
from memory.transfer.package import Form, package
from memory.transfer.report import told
from tests.cast import Api, Cast, build_cast, principal_of, remember, system_of
from tests.conftest import as_role, owner_connection
from tests.dashboard.conftest import sign_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]


@pytest.fixture
def house(transactional_db: None, hash_embedder: None) -> Cast:
    return build_cast()


@pytest.fixture
def files() -> Path:
    """The folder of the tests' own server."""
    folder = Path(settings.DATA_DIR)
    if not (folder / "postgres" / "base").exists():
        pytest.skip("the database of this run is elsewhere")
    return folder


def run(name: str, **options: Any) -> tuple[str, int]:
    """Run a command as the owner; return what it printed and how it ended."""
    printed, code = StringIO(), 0
    with as_role(settings.DATABASE_OWNER_URL):
        try:
            call_command(name, stdout=printed, **options)
        except SystemExit as ended:
            code = int(str(ended.code))
    return printed.getvalue(), code


def to_disk() -> None:
    """Let the server write what it holds in memory."""
    with owner_connection() as owner:
        owner.execute("CHECKPOINT")


def say(house: Cast, texts: Sequence[str]) -> None:
    """A third by an agent, a third in a file that comes in, a third in one that waits for a yes."""
    person, mine = Api(house.keys["alice"]), f"users/{house.alice.id}"
    for text in texts[::3]:
        remember(principal_of(house.keys["assistant"], "alice"), text)
    browser = sign_in(house.alice, email="alice@example.com")
    for number, some in enumerate((texts[1::3], texts[2::3])):
        file = SimpleUploadedFile("list.md", "\n".join(f"- {one}" for one in some).encode())
        address = browser.post(reverse("import"), {"file": file})["Location"]
        assert some[0] in browser.get(address).content.decode()
        if not number:
            taken = f"{mine}/imports/{address.rstrip('/').rpartition('/')[2]}/take?wait=true"
            done = person("POST", taken, {"groups": ["new"]})
            assert done.json()["job"]["state"] == "succeeded"


def takes_along(house: Cast) -> bytes:
    """Return the person's exports in every form, over the page, the API and the report."""
    person = principal_of(house.keys["alice"], "alice")
    made = {str(form): b"".join(package(person, form).pieces) for form in Form}
    sealed = b"".join(package(person, Form.ZIP, passphrase="明月几时有 2026").pieces)
    for content in (made.pop(Form.ZIP), cipher.unseal(sealed, "明月几时有 2026")):
        with zipfile.ZipFile(BytesIO(content)) as archive:
            made |= {f"{name} {len(made)}": archive.read(name) for name in archive.namelist()}
    over_api = Api(house.keys["alice"])("GET", f"users/{house.alice.id}/export").content
    told_to = json.dumps(list(told(person)), default=str, ensure_ascii=False).encode()
    return b"\n".join((*made.values(), over_api, told_to))


def erase_and_look(house: Cast, files: Path, count: int, spooled: Path) -> None:
    words = [f"zorvik{uuid.uuid4().hex}" for _ in range(count)]
    texts = [f"I collect {w}" if n % 2 else f"我收藏{w}魑魅豆" for n, w in enumerate(words)]
    say(house, texts)
    person = principal_of(house.keys["alice"], "alice")
    sought, brought = traces.Sought(words), len([*texts[::3], *texts[1::3]])
    assert sought.count(takes_along(house)) >= 8 * brought, "else they were never in it"
    with acting(system_of(house.alice)):
        ids = list(Memory.objects.values_list("id", flat=True))
        files_in = Import.objects.exclude(content=b"")
        sealed = [bytes(one.text) for one in Version.objects.filter(memory_id__in=ids)]
        sealed += [bytes(one.content) for one in files_in]
        opens = [*ids, *(one.id for one in files_in)]
        keys = [bytes(one.wrapped) for one in ObjectKey.objects.filter(object_id__in=opens)]
    assert len(ids) == brought and len(sealed) == len(keys) == brought + 1
    remember(principal_of(house.keys["assistant"], "alice"), "I play the oboe 双簧管")
    ciphertext = traces.Sought([*sealed, *keys])
    to_disk()
    assert sum(traces.in_files(ciphertext, files).values()) >= 2 * brought, "else it looks nowhere"
    for one in ids:
        drive.run(fencing.erase(person, one).id)
    assert sought.count(takes_along(house)) == 0
    printed, code = run("rewrite_pages")
    assert (printed, code) == (f"{len(tables())} tables written anew\n", 0)
    assert traces.in_files(ciphertext, files) == {}
    assert list(spooled.iterdir()) == [], "an upload or a download lay on the disk"
    printed, code = run("verify_erasure", canary=StringIO("\n".join(words)))
    assert (code, printed.splitlines()[-1]) == (0, "✓ nothing is left"), printed
    with acting(system_of(house.alice)):
        assert Version.objects.count() == SubjectKey.objects.count() == 1
        assert not Import.objects.exists()


@pytest.fixture
def spooled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where a file would lie that does not fit into memory."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_nothing_of_the_erased_is_in_any_file_after_a_rewrite(
    house: Cast, files: Path, spooled: Path
) -> None:
    erase_and_look(house, files, 6, spooled)


@pytest.mark.deep
@pytest.mark.timeout(3000)
def test_fifty_canaries_are_nowhere_after_a_rewrite(
    house: Cast, files: Path, spooled: Path
) -> None:
    erase_and_look(house, files, 50, spooled)


def test_a_text_is_found_wherever_it_lies(house: Cast, files: Path) -> None:
    """In a row, in a file, at the broker: else "nothing is left" says nothing."""
    word = "魑魅豆quibblesnark"
    house.acme.name = word
    house.acme.save()
    (files / "logs" / "left.log").write_text(f"x {word} y")
    with redis.Redis.from_url(settings.REDIS_URL.replace("redis+socket://", "unix://")) as broker:
        broker.lpush("left", f"a {word} b".encode())
        try:
            printed, code = run("verify_erasure", canary=StringIO(word + "\n"))
        finally:
            broker.delete("left")
            (files / "logs" / "left.log").unlink()
    assert code == 1
    assert "✗ table accounts_tenant: 1" in printed
    assert "✗ files logs/left.log: 1" in printed
    assert "✗ broker: 1" in printed


def test_an_erasure_that_is_not_whole_is_named(house: Cast) -> None:
    agent = principal_of(house.keys["assistant"], "alice")
    request = fencing.erase(agent, remember(agent, "I like tea 茶").id)
    drive.run(request.id)
    assert run("verify_erasure") == ("1 erasures: 0 not whole\n✓ nothing is left\n", 0)
    with acting(system_of(house.alice)):
        ObjectKey.objects.create(
            tenant_id=house.acme.id,
            subject_id=house.alice.id,
            object_id=request.memory_ids[0],
            wrapped=b"w",
        )
    printed, code = run("verify_erasure")
    assert code == 1 and f"✗ {request.id}: " in printed and " in keys" in printed


def test_a_table_in_use_holds_nobody_up(house: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = replace(REWRITE, attempts=2, pause=0.0, lock_seconds=1.0)
    monkeypatch.setattr(rewrite, "REWRITE", quick)
    url = make_conninfo(settings.DATABASE_OWNER_URL, dbname=str(connection.settings_dict["NAME"]))
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE memory_version IN ACCESS SHARE MODE")
        printed, code = run("rewrite_pages")
    assert code == 1 and "Not: memory_version. Run it again." in printed


def test_no_sample_of_a_key_or_a_text_is_kept_for_the_planner(house: Cast) -> None:
    agent = principal_of(house.keys["assistant"], "alice")
    for number in range(20):
        remember(agent, f"I own the teapot {uuid.uuid4().hex} 茶壶{number}")
    with owner_connection() as owner:
        owner.execute("ANALYZE")
        sampled = owner.execute(
            "SELECT tablename, attname FROM pg_stats WHERE schemaname = 'public' AND "
            "(attname IN ('wrapped', 'embedding', 'text', 'details', 'quote', 'speaker'))"
        ).fetchall()
    assert sampled == []


@given(
    parts=st.lists(st.text("ab", max_size=30), max_size=6),
    word=st.text("ab茶", min_size=1, max_size=12),
    chunk=st.integers(1, 40),
)
def test_a_text_across_two_blocks_is_counted_once(parts: list[str], word: str, chunk: int) -> None:
    marked = b"\x00\xff" + word.encode() + b"\xff\x00"
    data = marked.join(part.encode() for part in parts)
    expected = traces.Sought([marked]).count(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(traces, "CHUNK", chunk)
        assert traces.Sought([marked]).count_in(BytesIO(data)) == expected
