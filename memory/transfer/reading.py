"""What a file of memories says: our own export, another service's, or a pasted list. Pure."""

import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from memory.errors import InvalidInput
from memory.policy import TRANSFER
from memory.text.normalise import clean
from memory.transfer import cipher
from memory.transfer.export import FORMAT, SIGNATURE
from memory.transfer.signature import is_ours

INSIDE = "keepsake.json"  # in the zip of an export
OURS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# What Python says of a zip that somebody made up or that was damaged on its way.
SPOILT = (
    KeyError, ValueError, EOFError, OSError, RuntimeError, zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip
# Where other services' exports keep the text of a memory, its list, and its time.
TEXTS = ("memory", "text", "content", "data", "fact")
LISTS = ("memories", "results", "data", "items")
TIMES = ("created_at", "createdAt", "timestamp", "date", "updated_at")
BULLET = re.compile(r"^\s*(?:[-*•·◦‣]|\(?\d{1,4}[.)、．）])\s*(?=\S)")
DATED = re.compile(r"^\[(\d{4}-\d{2}-\d{2})\]\s*[-–—:：]?\s*")
# The spaces in front are given back to nobody: a line of nothing else would be tried square times.
PASSED_OVER = re.compile(r"^\s*+(?:#{1,6}\s.*|[-=_*]{3,}|```.*|>.*)?\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One memory of a file. ``whole`` is its item in an export of ours, which the service signed."""

    text: str
    said_at: datetime | None = None
    whole: Mapping[str, Any] | None = None


def open_file(content: bytes, passphrase: str = "") -> bytes:
    """Return what a file holds, out of its seal and its zip.

    Raises:
        InvalidInput: if it is too large or damaged, or the passphrase is another one.
    """
    if len(content) > TRANSFER.most_bytes:
        raise InvalidInput(f"The file is larger than {TRANSFER.most_bytes // 1_000_000} MB.")
    if cipher.is_sealed(content):
        content = cipher.unseal(content, passphrase)
    return _from_zip(content) if content.startswith(b"PK\x03\x04") else content


def read(content: bytes, *, now: datetime, me: Mapping[str, str | None]) -> list[Entry]:
    """Return the entries of an opened file. Only a signed export of the person's own has whole ones.

    ``me`` is what their export says of whose it is (`memory.transfer.export.whose`).

    A time after ``now`` is none.

    Raises:
        InvalidInput: if no form is recognised, or it holds too much.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput("The file is not UTF-8 text, and not a zip of an export.") from None
    document = _json(text)
    entries = _lines(text) if document is None else _entries(document, content, me)
    found = [_past(entry, now) for entry in entries if entry.text.strip()]
    if not found:
        raise InvalidInput("No memory was found in it: a list, one line for each, or an export.")
    if len(found) > TRANSFER.most_entries:
        raise InvalidInput(f"It holds more than {TRANSFER.most_entries} memories; divide it.")
    return found


def _from_zip(content: bytes) -> bytes:
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            found = archive.getinfo(INSIDE)
            if found.file_size > TRANSFER.most_bytes:
                raise InvalidInput("What is in the zip is too large.")
            if found.compress_type not in OURS:
                raise zipfile.BadZipFile
            with archive.open(INSIDE) as inside:
                return inside.read(TRANSFER.most_bytes + 1)[: TRANSFER.most_bytes]
    except SPOILT:
        raise InvalidInput(f"The zip is damaged or holds no {INSIDE}.") from None


def _json(text: str) -> Any:
    """Return the JSON value, or None if it is no JSON object or list."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _entries(document: Any, content: bytes, me: Mapping[str, str | None]) -> Iterator[Entry]:
    if isinstance(document, dict) and document.get("format") == FORMAT:
        return _own(document, whole=_is_own(document, content, me))
    return _others(document)


def _is_own(document: Mapping[str, Any], content: bytes, me: Mapping[str, str | None]) -> bool:
    head, mark, tail = content.rpartition(SIGNATURE.encode())
    signed = document.get("signature")
    if not (mark and isinstance(signed, str) and is_ours(head, signed)):
        return False
    if not _is_about(document.get("person"), me):
        return False
    # Nothing may follow: of two members of one name the later would count.
    return tail.split() == [f'"{signed}"'.encode(), b"}"]


def _is_about(person: Any, me: Mapping[str, str | None]) -> bool:
    """Whether they are the same: of one name, in one tenant or with one login.

    Anybody with a tenant of their own can have a person of any name in it.
    """
    if not isinstance(person, dict) or person.get("user_id") != me.get("user_id"):
        return False
    return any(me.get(one) and person.get(one) == me[one] for one in ("tenant_id", "login_id"))


def _own(document: Mapping[str, Any], *, whole: bool) -> Iterator[Entry]:
    for item in _dicts(document.get("memories")):
        versions = _dicts(item.get("versions"))
        if not versions:
            continue
        text, at = versions[-1].get("text"), _time(item.get("last_confirmed_at"))
        if isinstance(text, str):
            yield Entry(text=clean(text), said_at=at, whole=item if whole else None)


def _others(document: Any) -> Iterator[Entry]:
    """Mem0's export and its kin: a list of objects, or an object that has one."""
    if isinstance(document, dict):
        lists = (document[name] for name in LISTS if isinstance(document.get(name), list))
        document = next(lists, [])
    for one in document:
        if isinstance(one, str):
            yield Entry(text=clean(one))
        elif isinstance(one, dict):
            text = next((one[name] for name in TEXTS if isinstance(one.get(name), str)), "")
            times = (_time(one.get(name)) for name in TIMES)
            yield Entry(text=clean(text), said_at=next((at for at in times if at), None))


def _lines(text: str) -> Iterator[Entry]:
    """A pasted list: one memory a line; an indented line goes on with the one before."""
    held: list[str] = []
    for line in text.splitlines():
        if PASSED_OVER.match(line):
            continue
        bullet = BULLET.match(line)
        if held and line[:1] in (" ", "\t", "\u3000") and not bullet:
            held.append(line.strip())
            continue
        yield from _held(held)
        held = [line[bullet.end() :] if bullet else line]
    yield from _held(held)


def _held(lines: Sequence[str]) -> Iterator[Entry]:
    if not lines:
        return
    text = "\n".join(lines).strip()
    dated = DATED.match(text)
    yield Entry(
        text=clean(text[dated.end() :] if dated else text),
        said_at=_time(dated[1]) if dated else None,
    )


def _dicts(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _time(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        at = datetime.fromisoformat(value)
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError):  # or a day before the first, once it is told in UTC
        return None


def _past(entry: Entry, now: datetime) -> Entry:
    return replace(entry, said_at=None) if entry.said_at and entry.said_at > now else entry
