"""Templates keep the rules that the content security policy and the person's text ask for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.architecture.source import ROOT
from tests.dashboard.markup import COMMENT, PAGES, Seen, buttons, forms, name, read

REQUESTS = {"hx-get", "hx-post", "hx-put", "hx-patch", "hx-delete", "hx-boost"}
# Values that hold what a person or an agent wrote: a text, a quote, a name.
WRITTEN = re.compile(r"\{\{\s*(?:[\w.]*\.)?(?:text|quote|mine|agent|q)\s*(?:\|[^}]*)?\}\}")
WRITTEN_NAMES = re.compile(r"\{\{\s*(?:one\.name)\s*\}\}")
# Pages whose ``text`` is a sentence of our own.
OWN_WORDS = {"templates/problem.html"}
FORM_ELEMENT = ROOT / "templates/allauth/elements/form.html"
BANNED = {
    "|safe": re.compile(r"\|\s*safe\b|\bmark_safe\b|\bautoescape off\b"),
    "hx-on": re.compile(r"\bhx-on[:=-]"),
    "js:": re.compile(r"[\"']\s*(?:js|javascript):"),
    "inheritance of htmx attributes": re.compile(r"\bhx-[\w-]+:inherited"),
    "a trigger filter": re.compile(r"hx-trigger=\"[^\"]*\["),
    "the search words in an address": re.compile(r"hx-push-url|[?&;]q="),
}


def faults(source: str, *, own_words: bool = False) -> list[str]:
    """Return what a template does that it may not, with its line."""
    plain = COMMENT.sub("", source)
    found = [what for what, pattern in BANNED.items() if pattern.search(plain)]
    for one in read(source):
        if one.tag:
            found += [f"{one.line}: {fault}" for fault in _of_tag(one.tag, one.attributes)]
        elif not own_words and _is_bare(one):
            found.append(f"{one.line}: what somebody wrote stands outside hx-ignore")
    found += [f"a form posts without a token: {form[:60]}" for form in forms(plain) if _open(form)]
    found += ["a button without words" for inner in buttons(plain) if not _says_something(inner)]
    return found


def _is_bare(one: Seen) -> bool:
    written = WRITTEN.search(one.text) or WRITTEN_NAMES.search(one.text)
    return bool(written) and not any("hx-ignore" in attributes for attributes in one.around)


def _of_tag(tag: str, attributes: dict[str, str]) -> list[str]:
    found = []
    if "style" in attributes or tag == "style":
        found.append("inline style")
    if any(attribute.startswith("on") for attribute in attributes):
        found.append("an inline handler")
    if tag == "script" and not attributes.get("src"):
        found.append("an inline script")
    if tag == "script" and "nonce" not in attributes:
        found.append("a script without the nonce")
    if REQUESTS & set(attributes) and "hx-nonce" not in attributes:
        found.append("an htmx request without hx-nonce")
    return found


def _open(form: str) -> bool:
    head = form[: form.index(">")]
    return 'method="post"' in head and "{% csrf_token %}" not in form


def _says_something(inner: str) -> bool:
    without_icons = re.sub(r"\{% include \"icons/[^%]*%\}|<[^>]+>", "", inner)
    return bool(re.sub(r"\{% (?:if|else|elif|endif)[^%]*%\}", "", without_icons).strip())


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_templates_keep_the_rules(path: Path) -> None:
    assert faults(path.read_text(), own_words=name(path) in OWN_WORDS) == []


def test_there_are_templates() -> None:
    assert len(PAGES) > 30


@pytest.mark.parametrize(
    "source",
    [
        '<p style="color:red">x</p>',
        '<button class="btn" onclick="x()">Go</button>',
        "<script>x()</script>",
        '<script src="/x.js"></script>',
        "{{ page|safe }}",
        '<a href="/" hx-get="/">x</a>',
        "<p>{{ row.text }}</p>",
        "<p>{{ text|truncatechars:60 }}</p>",
        "<li>{{ one.name }}</li>",
        '<form method="post"><input name="a"></form>',
        '<button class="btn">{% include "icons/x.svg" %}</button>',
        '<p hx-on:click="x()">x</p>',
        '<a href="/memories/?q={{ q }}">x</a>',
        '<p hx-get="/" hx-nonce="n" hx-trigger="click[ctrlKey]">x</p>',
    ],
)
def test_the_lint_sees(source: str) -> None:
    assert faults(source)


@pytest.mark.parametrize(
    "source",
    [
        "<p hx-ignore>{{ row.text }}</p>",
        "<p hx-ignore><a href='/'>{{ row.text }}</a></p>",
        '<a href="/" hx-get="/" hx-nonce="{{ csp_nonce }}">x</a>',
        '<form method="post">{% csrf_token %}</form>',
        '<button class="btn">{% include "icons/x.svg" %}{% translate "Close" %}</button>',
    ],
)
def test_the_lint_lets_pass(source: str) -> None:
    assert faults(source) == []


def test_the_one_form_without_a_token_is_filled_by_its_callers() -> None:
    """The element takes the method from its caller, who puts the token into the body."""
    assert 'method="{{ attrs.method }}"' in FORM_ELEMENT.read_text()
