"""What a person takes along: one format, or all of them in a zip with a manifest; sealed if asked.

A file is made while it is downloaded and kept nowhere.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.utils import timezone

from accounts.principal import Principal
from memory import access
from memory.recall.activity import Narrowed, every_line
from memory.recall.selecting import Selection
from memory.transfer import cipher, formats
from memory.transfer.export import export, note, whole_memories
from memory.transfer.log import as_json
from memory.transfer.signature import sign


class Form(StrEnum):
    """The forms an export comes in."""

    JSON = "json"
    MARKDOWN = "markdown"
    CSV = "csv"
    ZIP = "zip"


MEDIA = {
    Form.JSON: ("application/json", "json"),
    Form.MARKDOWN: ("text/markdown; charset=utf-8", "md"),
    Form.CSV: ("text/csv; charset=utf-8", "csv"),
    Form.ZIP: ("application/zip", "zip"),
}
SEALED = ("application/octet-stream", "keepsake")


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A file on its way to the person."""

    media_type: str
    suffix: str
    pieces: Iterable[bytes]


def package(
    principal: Principal,
    form: Form,
    *,
    passphrase: str = "",
    selection: Selection | None = None,
) -> Package:
    """Note the export and return the file; with a passphrase, sealed; with a ``selection``, a part.

    Raises:
        Forbidden: for anybody but the person.
        InvalidInput: for a passphrase that is too short.
    """
    media_type, suffix = MEDIA[form]
    if not passphrase and form == Form.JSON:
        pieces: Iterable[bytes] = (piece.encode() for piece in export(principal, selection))
        return Package(media_type=media_type, suffix=suffix, pieces=pieces)
    cipher.check(passphrase)
    content = _content(principal, form, selection)
    if passphrase:
        media_type, suffix = SEALED[0], f"{suffix}.{SEALED[1]}"
        content = cipher.seal(content, passphrase)
    return Package(media_type=media_type, suffix=suffix, pieces=[content])


def _content(principal: Principal, form: Form, selection: Selection | None) -> bytes:
    if form == Form.JSON:
        return "".join(export(principal, selection)).encode()
    if form == Form.ZIP:
        return _zip(principal, selection)
    note(principal, selection)
    return _readable(principal, form, selection)


def _readable(principal: Principal, form: Form, selection: Selection | None) -> bytes:
    items: Iterator[dict[str, Any]] = whole_memories(principal, selection)
    if form == Form.MARKDOWN:
        language = access.subject_of(principal).language
        return formats.markdown(items, language=language).encode()
    return formats.table(items).encode("utf-8-sig")  # else a spreadsheet takes it for Latin


def _zip(principal: Principal, selection: Selection | None) -> bytes:
    """Return every form with a manifest that names each file's length and SHA-256, and is signed."""
    files = {
        "keepsake.json": _content(principal, Form.JSON, selection),
        "memories.md": _readable(principal, Form.MARKDOWN, selection),
        "memories.csv": _readable(principal, Form.CSV, selection),
    }
    if selection is None:
        lines = every_line(principal, Narrowed())
        files["activity.json"] = "".join(as_json(lines)).encode()
    manifest: dict[str, Any] = {
        "made_at": timezone.now().isoformat(),
        "files": {
            name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in files.items()
        },
    }
    signed = manifest | {"signature": sign(json.dumps(manifest, sort_keys=True).encode())}
    files["manifest.json"] = json.dumps(signed, indent=1).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()
