"""Walks the pages as a visitor without JavaScript: every link, every form, nothing typed by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.test import Client
from django.test.html import Element, parse_html

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
TYPED = {"text", "search", "email", "password", "date", "number", "textarea"}
FIELDS = {"input", "select", "textarea", "button"}
CHOSEN = {"radio", "checkbox"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One form: where it stands, where it goes, what it would send untouched, and the fields that
    can be typed into, each with its type."""

    page: str
    action: str
    method: str
    sent: dict[str, str] = field(default_factory=dict)
    typed: dict[str, str] = field(default_factory=dict)

    @property
    def shape(self) -> str:
        """Forms of one shape differ in whose row they stand at only."""
        return f"{self.method} {shape(self.action)} {','.join(sorted(self.sent))}"


@dataclass(slots=True)
class Walk:
    """What a walk saw: the answer of every page, and each form once by its shape."""

    statuses: dict[str, int] = field(default_factory=dict)
    came_from: dict[str, str] = field(default_factory=dict)
    forms: dict[str, Form] = field(default_factory=dict)


def shape(address: str) -> str:
    """An address without the ids and words that tell its rows apart."""
    path, _, query = address.partition("?")
    names = sorted(one.partition("=")[0] for one in query.split("&") if one)
    return UUID.sub("·", path) + ("?" + "&".join(names) if names else "")


def walk(client: Client, *starts: str, each: int = 2) -> Walk:
    """Open every page that can be reached from ``starts``, up to ``each`` of one shape."""
    seen, seen_shapes, todo = Walk(), dict[str, int](), list(starts)
    while todo:
        address = todo.pop(0)
        if address in seen.statuses or seen_shapes.get(shape(address), 0) >= each:
            continue
        seen_shapes[shape(address)] = seen_shapes.get(shape(address), 0) + 1
        answer: Any = client.get(address)
        seen.statuses[address] = answer.status_code
        if answer.status_code in {301, 302}:
            found = [answer["Location"]]
        elif answer.get("Content-Type", "").startswith("text/html"):
            page = parse_html(answer.content.decode())
            found = list(_links(page))
            for one in forms(page, address):
                seen.forms.setdefault(one.shape, one)
        else:
            continue
        for link in found:
            target = urlsplit(urljoin(f"http://localhost{address}", link))
            if target.netloc == "localhost":
                to = target.path + (f"?{target.query}" if target.query else "")
                seen.came_from.setdefault(to, address)
                todo.append(to)
    return seen


def _links(page: Element) -> Iterator[str]:
    for one in elements(page):
        for name in ("href", "hx-get") if one.name != "link" else ():
            if found := attribute(one, name):
                yield found


def forms(page: Element, address: str) -> Iterator[Form]:
    """Return a page's forms, with the fields that stand elsewhere but name them."""
    everything = list(elements(page))
    for one in everything:
        if one.name != "form" or attribute(one, "method") == "dialog":
            continue
        own = attribute(one, "id")
        away = [each for each in everything if own and attribute(each, "form") == own]
        fields = [e for e in (*elements(one), *away) if e.name in FIELDS and _name(e)]
        sent: dict[str, str] = {}
        for each in fields:
            # Of boxes with one name the chosen one is sent; a name without any is still a name.
            if _kind(each) not in CHOSEN or "checked" in dict(each.attributes):
                sent[_name(each)] = attribute(each, "value") or _inner(each)
            else:
                sent.setdefault(_name(each), "")
        yield Form(
            page=address,
            action=attribute(one, "action") or address,
            method=(attribute(one, "method") or "get").lower(),
            sent=sent,
            typed={_name(each): _kind(each) for each in fields if _kind(each) in TYPED},
        )


def _name(one: Element) -> str:
    return attribute(one, "name")


def _kind(one: Element) -> str:
    return (attribute(one, "type") or "text") if one.name == "input" else str(one.name)


def _inner(one: Element) -> str:
    if one.name == "textarea":
        return "".join(str(child) for child in one.children)
    for option in elements(one):
        if option.name == "option" and "selected" in dict(option.attributes):
            return attribute(option, "value")
    return ""


def attribute(one: Element, name: str) -> str:
    """Return an attribute's value; nothing where it is absent or has none."""
    return dict(one.attributes).get(name) or ""


def elements(page: Element) -> Iterator[Element]:
    """Return every element below one, in reading order."""
    for child in page.children:
        if isinstance(child, Element):
            yield child
            yield from elements(child)
