"""What was copied from elsewhere is what VENDOR.md says, byte for byte."""

import base64
import hashlib
import re

from tests.architecture.source import ROOT

VENDOR = ROOT / "static" / "vendor"
ROW = re.compile(r"^\| `([^`]+)` \|.*\| `([^`]+)` \|$", re.MULTILINE)


def test_vendored_files_are_unchanged() -> None:
    listed = dict(ROW.findall((VENDOR / "VENDOR.md").read_text()))
    present = {str(path.relative_to(VENDOR)) for path in VENDOR.rglob("*.js")}
    assert set(listed) == present
    for name, expected in listed.items():
        digest = hashlib.sha384((VENDOR / name).read_bytes()).digest()
        assert base64.b64encode(digest).decode() == expected, name


def test_icons_are_plain_and_hidden_from_screen_readers() -> None:
    icons = sorted((ROOT / "templates" / "icons").glob("*.svg"))
    assert icons
    for path in icons:
        text = path.read_text()
        assert text.startswith('<svg class="ico" aria-hidden="true" focusable="false"'), path.name
        assert "style=" not in text and "<script" not in text, path.name
