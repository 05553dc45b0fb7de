"""Files that somebody made to break the importers: read or refused, never an error of ours."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from memory.choices import JobState
from memory.jobs import run_job
from memory.models import Job
from memory.transfer import cipher
from memory.transfer.export import FORMAT, SIGNATURE
from tests.cast import Api, Cast

SURROGATE = (
    '{"results": [{"memory": "I like \\ud800 tea", "id": "\\udfff"}, {"memory": "\\ud83d"}]}'
)
DATES = ("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "0001-01-01", "2025-02-30", "")


def zipped(content: bytes, name: str = "keepsake.json", **how: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how.get("method", zipfile.ZIP_DEFLATED)) as archive:
        archive.writestr(name, content)
    return out.getvalue()


def own(**members: object) -> bytes:
    body = json.dumps({"format": FORMAT, "person": {"user_id": "alice"}, **members})
    return f'{body[:-1]}{SIGNATURE}"{"0" * 64}"\n}}\n'.encode()


HOSTILE: dict[str, bytes] = {
    "cut off": b'{"results": [{"memory": "I like tea"}, {"mem',
    "no list": b'{"results": {"memory": "I like tea"}}',
    "other types": json.dumps(
        [1, None, True, [], {}, 1e308, {"memory": {"text": 1}}, {"memory": ["tea"], "text": 3}]
    ).encode(),
    "numbers without end": b"[" + b"9" * 100_000 + b"]",
    "not a number": b'[NaN, Infinity, {"memory": "I like tea", "created_at": NaN}]',
    "nested": b"[" * 200_000,
    "nested in objects": b'{"memories": [' + b'{"memory": ' * 20_000,
    "lone surrogates": SURROGATE.encode(),
    "lone surrogates as bytes": b"I like \xed\xa0\x80 tea",
    "NUL": b"I like \x00 tea\n- \x00\x00\n\x00",
    "NUL in JSON": b'[{"memory": "I like \\u0000 tea", "created_at": "\\u0000"}]',
    "controls": "- \u202eaet ekil I\u2066\n- \x1b[31mI like tea\x07\n- \ufeff\u200b".encode(),
    "dates that are none": json.dumps(
        [{"memory": f"I like tea number {n}", "created_at": at} for n, at in enumerate(DATES)]
    ).encode(),
    "dated lines": b"[0001-01-01] - I like tea\n[9999-12-31] - I like coffee\n[2025-99-99] - x",
    "a long line": b"I like tea and " * 20_000,
    "a long word": b"x" * 300_000,
    "a long number": b"- " + b"1234567890" * 30_000,
    "long blanks": b"- I like" + b" " * 200_000 + b"tea",
    "many bullets": b"- " * 100_000 + b"tea",
    "brackets": b"(" * 100_000 + "（".encode() * 30_000,
    "own without anything": own(),
    "own of other types": own(memories=[1, {"versions": 3}, {"versions": [{"text": 1}]}, []]),
    "own with half a memory": own(memories=[{"versions": [{"text": "I like tea"}], "id": 7}]),
    "a zip of nothing": zipped(b""),
    "a zip of something else": zipped(b"{}", "other.json"),
    "a zip of a zip": zipped(zipped(b'["I like tea"]')),
    "a zip that swells": zipped(b"[" + b" " * 25_000_000 + b"]"),
    "a zip of another method": zipped(b'["I like tea"]', method=zipfile.ZIP_LZMA),
    "sealed and cut off": cipher.MAGIC,
    "sealed, with nothing in it": cipher.seal(b"", ""),
    "sealed, with a broken zip in it": cipher.seal(zipped(b'["I like tea"]')[:-30], ""),
}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_read_or_refused(alice: Client, cast: Cast, name: str) -> None:
    content = HOSTILE[name]
    comes_to_its_end(alice, content)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return
    person, mine = Api(cast.keys["alice"]), f"/api/v1/users/{cast.alice.id}/imports"
    assert person("POST", mine, {"text": text}).status_code in (201, 400, 413)


def comes_to_its_end(browser: Client, content: bytes) -> None:
    """Send a file; if it is read, look at it and let all of it in."""
    sent = browser.post(reverse("import"), {"file": SimpleUploadedFile("list", content)})
    if sent.status_code == 422:
        assert 'role="alert"' in sent.content.decode() or "can" in sent.content.decode()
        return
    assert sent.status_code == 302
    assert browser.get(sent["Location"]).status_code == 200
    taken = browser.post(f"{sent['Location']}take/", {"group": ["new", "changed"]})
    assert taken.status_code == 302
    for job in Job.objects.filter(kind="import"):
        run_job(job.id)
        assert Job.objects.get(id=job.id).state == JobState.SUCCEEDED
    assert browser.get(sent["Location"]).status_code == 200
    assert browser.get(reverse("memories")).status_code == 200
