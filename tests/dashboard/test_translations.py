"""Every string of the dashboard has its Chinese words, and the compiled file is the written one."""

from __future__ import annotations

import ast
import gettext
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import allauth as allauth_package
from django.utils.translation.template import templatize

from tests.architecture.source import ROOT, modules, parsed

FOLDER = ROOT / "locale" / "zh_Hans" / "LC_MESSAGES"
FUNCTIONS = {"_", "gettext", "gettext_lazy"}
WITH_CONTEXT = {"pgettext", "pgettext_lazy"}
CALL = re.compile(r"\b_\(\s*(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')")
PLURAL = re.compile(r"\bngettext\(\s*u?(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')", re.DOTALL)
SINGULAR = re.compile(r"\bgettext\(\s*u?(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')", re.DOTALL)
ENTRY = re.compile(r'^(msgctxt|msgid|msgid_plural|msgstr(?:\[0\])?) (".*")$')


def written() -> dict[str, str]:
    """The entries of django.po: ``context\\x04id`` → translation."""
    entries: dict[str, str] = {}
    for block in (FOLDER / "django.po").read_text().split("\n\n"):
        assert "#, fuzzy" not in block, block
        parts = {
            match[1].partition("[")[0]: ast.literal_eval(match[2])
            for match in map(ENTRY.match, block.splitlines())
            if match
        }
        if parts.get("msgid"):
            key = (
                f"{parts['msgctxt']}\x04{parts['msgid']}" if "msgctxt" in parts else parts["msgid"]
            )
            entries[key] = parts["msgstr"]
    return entries


def compiled(folder: Path = FOLDER) -> dict[str, str]:
    with (folder / "django.mo").open("rb") as file:
        catalog: Any = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]  # no other way to list it
    return {
        str(key[0] if isinstance(key, tuple) else key): str(text)
        for key, text in catalog.items()
        if key
    }


def in_templates() -> Iterator[str]:
    for path in sorted((ROOT / "templates").rglob("*.*")):
        source = templatize(path.read_text())
        for pattern in (CALL, PLURAL, SINGULAR):
            yield from (ast.literal_eval(found) for found in pattern.findall(source))


def in_code() -> Iterator[str]:
    for path in modules("dashboard"):
        for node in ast.walk(parsed(path)):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            texts = [str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)]
            if node.func.id in FUNCTIONS and texts:
                yield str(texts[0])
            elif node.func.id in WITH_CONTEXT:
                yield f"{texts[0]}\x04{texts[1]}"
            elif node.func.id in {"ngettext", "ngettext_lazy"}:
                yield str(texts[0])


def test_every_string_is_translated() -> None:
    wanted = {*in_templates(), *in_code()}
    assert len(wanted) > 200
    known = written()
    assert {text for text in wanted if not known.get(text)} == set()


def test_no_translation_is_left_over() -> None:
    """Ours, or one of allauth's strings that we say better."""
    allauth = Path(allauth_package.__file__).parent / "locale" / "zh_Hans" / "LC_MESSAGES"
    known = {*in_templates(), *in_code(), *compiled(allauth)}
    assert set(written()) - known == set()


def test_the_compiled_file_is_the_written_one() -> None:
    assert compiled() == written(), "run manage.py compilemessages"


def test_placeholders_survive() -> None:
    holes = re.compile(r"%\(\w+\)s")
    lost = {
        text: words
        for text, words in written().items()
        if set(holes.findall(text)) != set(holes.findall(words))
    }
    assert lost == {}


def test_words_that_are_not_ours_do_not_appear() -> None:
    """你, never 您; no 成功, no exclamation marks, no Oops."""
    for text, words in written().items():
        assert not re.search(r"您|成功|亲爱|！|!", words), words
        assert not re.search(r"Oops|[Ss]uccessfully|!", text), text


def test_no_space_is_typed_beside_a_number_or_a_value() -> None:
    """The page sets the gap between Chinese and Latin; names of products may have their own."""
    han = "[一-鿿]"
    typed = re.compile(rf"(?:%\(\w+\)s|\d\b) {han}|{han} (?:%\(|\d)")
    ours = {said for said in written().values() if typed.search(said.replace("Mem0 的", ""))}
    assert ours == set()


def test_one_thing_has_one_chinese_word() -> None:
    """The pages said two words for a wording, an agent, forgetting, revoking and the console."""
    others = (
        "助手",
        "写法",
        "忘记它",
        "抹除",
        "管理台",
        "第%(number)s版",
        "密钥已撤销",
        "密钥会被撤销",
    )
    assert {said for said in written().values() if any(one in said for one in others)} == set()
    pages = (ROOT / "docs" / "your-memory.zh.md").read_text()
    assert "管理台" not in pages and "所有写法" not in pages
    english = "\n".join(key for key in written() if "\x04" not in key)
    assert not re.search(r"\b[Ll]earned\b", english), "the documents write learnt"
