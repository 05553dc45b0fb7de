"""Files of memories: every form that people bring, and everything that is none."""

from __future__ import annotations

import contextlib
import io
import json
import random
import zipfile
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import InvalidInput
from memory.transfer.reading import open_file, read

NOW = datetime(2026, 11, 30, tzinfo=UTC)
NOBODY: dict[str, str | None] = {}  # nothing here is signed


def texts(content: str | bytes) -> list[str]:
    given_ = content.encode() if isinstance(content, str) else content
    return [one.text for one in read(open_file(given_), now=NOW, me=NOBODY)]


@pytest.mark.parametrize(
    ("pasted", "found"),
    [
        ("- Likes tea\n- 喜欢爬山", ["Likes tea", "喜欢爬山"]),
        ("1. Lives in Oslo\n2、住在杭州\n3) Vegan", ["Lives in Oslo", "住在杭州", "Vegan"]),
        ("# 关于我的记忆\n\n## 事实\n\n- 一\n  还是一\n- 二\n", ["一\n还是一", "二"]),
        ("Is a nurse.\n\nWorks at night.\n---\n", ["Is a nurse.", "Works at night."]),
        ("[2025-03-01] - User prefers metric units", ["User prefers metric units"]),
        ("• 对花生过敏\n* Speaks Dutch", ["对花生过敏", "Speaks Dutch"]),
    ],
)
def test_a_pasted_list_is_one_memory_a_line(pasted: str, found: list[str]) -> None:
    assert texts(pasted) == found


def test_a_dated_line_was_said_on_its_day_but_never_in_the_future() -> None:
    said = read("[2025-03-01] - 喜欢茶\n[2999-01-01] - likes tea".encode(), now=NOW, me=NOBODY)
    assert [one.said_at for one in said] == [datetime(2025, 3, 1, tzinfo=UTC), None]


@pytest.mark.parametrize(
    "shape",
    [
        lambda rows: {"results": rows},
        lambda rows: {"memories": rows},
        lambda rows: rows,
    ],
)
def test_the_export_of_mem0(shape: object) -> None:
    rows = [
        {"id": "1", "memory": "Loves 川菜", "created_at": "2025-05-01T10:00:00-07:00"},
        {"id": "2", "memory": "住在成都", "metadata": {"a": 1}, "created_at": None},
        {"id": "3", "memory": None},
        "Plays chess",
    ]
    content = json.dumps(shape(rows))  # type: ignore[operator]
    assert texts(content) == ["Loves 川菜", "住在成都", "Plays chess"]
    assert read(content.encode(), now=NOW, me=NOBODY)[0].said_at == datetime(
        2025, 5, 1, 17, tzinfo=UTC
    )


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"{}", b"[]", b"# only a heading\n", b"PK\x03\x04xx"]
)
def test_what_holds_nothing_is_said(content: bytes) -> None:
    with pytest.raises(InvalidInput):
        read(open_file(content), now=NOW, me=NOBODY)


def test_a_zip_that_swells_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("keepsake.json", b" " * 21_000_000)
    assert len(out.getvalue()) < 100_000
    with pytest.raises(InvalidInput, match="too large"):
        open_file(out.getvalue())


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_spoilt_zip_is_read_or_refused(method: int) -> None:
    out, seed = io.BytesIO(), random.Random(method)
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr("keepsake.json", b'["I like tea in the garden"]' * 20)
    whole = out.getvalue()
    for _ in range(200):
        spoilt = bytearray(whole)
        spoilt[seed.randrange(4, len(whole))] ^= seed.randrange(1, 256)
        for content in (bytes(spoilt), whole[: seed.randrange(4, len(whole))]):
            with contextlib.suppress(InvalidInput):
                open_file(content)


@pytest.mark.parametrize(
    "told", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2025-02-30"]
)
def test_a_time_that_is_none_is_passed_over(told: str) -> None:
    rows = [{"memory": "Loves 川菜", "created_at": told}]
    (one,) = read(json.dumps(rows).encode(), now=NOW, me=NOBODY)
    assert one.said_at is None


@pytest.mark.parametrize("signature", ["0" * 64, "\ud800", "签", ""])
def test_an_export_without_its_signature_has_nothing_whole(signature: str) -> None:
    made = {
        "format": "keepsake.export",
        "person": {"user_id": "alice"},
        "memories": [{"id": "x", "versions": [{"text": "喜欢茶"}]}],
    }
    content = json.dumps(made)[:-1] + f',\n"signature": {json.dumps(signature)}\n}}\n'
    (one,) = read(content.encode(), now=NOW, me=NOBODY)
    assert (one.text, one.whole) == ("喜欢茶", None)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("space", [" ", "\t", "\u3000"])
def test_a_line_of_spaces_is_read_in_one_go(space: str) -> None:
    """It was tried anew from each of its spaces: hours for two megabytes."""
    assert texts(f"- 喜欢茶 tea\n{space * 400_000}x") == ["喜欢茶 tea\nx"]


@given(
    st.binary(max_size=300)
    | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace"))
)
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    try:
        found = read(open_file(content), now=NOW, me=NOBODY)
    except InvalidInput:
        return
    assert found and all(one.text.strip() and one.whole is None for one in found)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["memories", "versions", "text", "memory", "format", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_any_json_is_read_or_refused(value: object) -> None:
    try:
        read(json.dumps(value).encode(), now=NOW, me=NOBODY)
    except InvalidInput:
        return
