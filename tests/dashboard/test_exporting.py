"""Export: complete, one person's alone, after the password, and written down."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEvent
from accounts.principal import Principal
from memory.errors import Forbidden, InvalidInput
from memory.models import Memory
from memory.transfer import cipher, held
from memory.transfer import export as exporting
from memory.transfer.signature import is_ours
from tests.cast import BOB, Cast, principal_of, remember
from tests.dashboard.conftest import PASSWORD

TEXT, ERASED = "I keep my bicycle in the red shed", "I rent a garage by the harbour"


def download(client: Client) -> dict[str, Any]:
    answer = client.post(reverse("export"), {"password": PASSWORD})
    assert answer.status_code == 200 and answer["Cache-Control"] == "no-store"
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"].startswith('attachment; filename="keepsake-')
    body: dict[str, Any] = json.loads(b"".join(answer))
    return body


def test_it_is_complete(alice: Client, put: Callable[..., Memory], cast: Cast) -> None:
    memory, gone = put(TEXT), put(ERASED)
    remember(principal_of(cast.keys["colleague"], BOB), "I collect stamps from Lisbon")
    address = reverse("memory-edit", args=[memory.id])
    alice.post(address, {"text": "I keep my bicycle in the blue shed", "version": "1"})
    alice.post(reverse("memory-erase", args=[gone.id]))
    body = download(alice)
    assert (body["format"], body["format_version"]) == ("keepsake.export", 1)
    assert body["person"]["user_id"] == "alice"
    (one,) = body["memories"]
    assert one["id"] == str(memory.id) and one["state"] == "active"
    assert [version["text"] for version in one["versions"]] == [
        TEXT,
        "I keep my bicycle in the blue shed",
    ]
    assert one["decisions"][0]["outcome"] == "accepted"
    assert {"sessions", "decisions", "suppressions"} < set(body)
    assert "harbour" not in json.dumps(body) and "stamps" not in json.dumps(body)
    line = AuditEvent.objects.get(code="data.exported")
    assert (line.subject_id, line.result_count) == (cast.alice.id, 1)


def test_nothing_is_lost_between_batches(
    alice: Client, put: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held, "BATCH", 2)
    places = ("Oslo", "Lima", "Quito", "Accra", "Hanoi")
    ids = {str(put(f"I once spent a winter in {place}").id) for place in places}
    assert {one["id"] for one in download(alice)["memories"]} == ids


def test_a_wrong_password_gets_nothing(alice: Client, put: Callable[..., Memory]) -> None:
    put(TEXT)
    answer = alice.post(reverse("export"), {"password": "wrong"})
    assert answer.status_code == 422 and "This is not your password." in answer.content.decode()
    assert not AuditEvent.objects.filter(code="data.exported").exists()


def taken(client: Client, **asked: str) -> bytes:
    answer = client.post(reverse("export"), {"password": PASSWORD, **asked})
    assert answer.status_code == 200, answer.content[:300]
    return b"".join(answer)


def test_the_json_is_signed_over_all_that_stands_before(
    alice: Client, put: Callable[..., Memory]
) -> None:
    put("我喜欢喝龙井")
    content = taken(alice, format="json")
    head, _, mark = content.rpartition(exporting.SIGNATURE.encode())
    mark = mark.strip(b'"}\n')
    assert is_ours(head, mark.decode())
    assert not is_ours(head.replace("龙井".encode(), "咖啡".encode()), mark.decode())


def test_markdown_and_csv_hold_what_is_in_force(alice: Client, put: Callable[..., Memory]) -> None:
    put("=HYPERLINK is a formula I often use")
    memory = put("I keep my bicycle in the red shed")
    address = reverse("memory-edit", args=[memory.id])
    alice.post(address, {"text": "我的自行车放在蓝色棚子里", "version": "1"})
    read = taken(alice, format="markdown").decode()
    assert "- 我的自行车放在蓝色棚子里" in read and "red shed" not in read
    rows = list(csv.DictReader(io.StringIO(taken(alice, format="csv").decode("utf-8-sig"))))
    texts = {row["text"] for row in rows}
    assert texts == {"'=HYPERLINK is a formula I often use", "我的自行车放在蓝色棚子里"}


def test_the_zip_says_what_is_in_it(alice: Client, put: Callable[..., Memory]) -> None:
    put(TEXT)
    with zipfile.ZipFile(io.BytesIO(taken(alice, format="zip"))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(files.pop("manifest.json"))
    assert set(files) == set(manifest["files"])
    for name, content in files.items():
        said = manifest["files"][name]
        assert said == {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        # Of the log, too, nothing is missing, and there is no word in it.
        assert (TEXT.encode() in content) is (name != "activity.json")
    assert json.loads(files["activity.json"])
    mark = manifest.pop("signature")
    assert is_ours(json.dumps(manifest, sort_keys=True).encode(), mark)


@pytest.mark.parametrize("form", ["json", "zip"])
def test_a_sealed_file_opens_with_its_passphrase_alone(
    alice: Client, put: Callable[..., Memory], form: str
) -> None:
    put(TEXT)
    passphrase = "明月几时有 2026"
    content = taken(alice, format=form, passphrase=passphrase, again=passphrase)
    assert cipher.is_sealed(content) and b"bicycle" not in content
    plain = cipher.unseal(content, passphrase)
    assert plain.startswith(b"{" if form == "json" else b"PK")
    with pytest.raises(InvalidInput, match="does not open"):
        cipher.unseal(content, "明月几时有 2025")
    with pytest.raises(InvalidInput, match="damaged"):
        cipher.unseal(content[:-1], passphrase)
    documented = Path("docs/privacy.md").read_text().split("```python\n")[1].split("```")[0]
    names: dict[str, Any] = {}
    exec(documented, names)  # noqa: S102 - what the page tells people to run
    assert names["open_sealed"](content, passphrase) == plain


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"passphrase": "short", "again": "short"}, "Too short: at least 8 characters."),
        ({"passphrase": "long enough", "again": "long enuogh"}, "The two passphrases differ."),
        ({"format": "docx"}, "Choose one of the options shown."),
    ],
)
def test_what_cannot_be_is_said_and_nothing_leaves(
    alice: Client, put: Callable[..., Memory], sent: dict[str, str], says: str
) -> None:
    put(TEXT)
    answer = alice.post(reverse("export"), {"password": PASSWORD, **sent})
    assert answer.status_code == 422 and says in answer.content.decode()
    assert not AuditEvent.objects.filter(code="data.exported").exists()


def test_an_agent_exports_nothing(agent: Principal) -> None:
    with pytest.raises(Forbidden):
        exporting.export(agent)
