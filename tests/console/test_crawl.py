"""An operator walks through the whole console and meets no word a person or an agent wrote."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client

from memory.admin.site import console
from tests.cast import Cast
from tests.console.conftest import CANARIES, signed_in

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])

LINK = re.compile(r'href="([^"#]*)"')
INLINE = re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)|\sstyle=|\son[a-z]+=")
VALUES = 3  # of each filter
TABLES = {model._meta.model_name: table for model, table in console._registry.items()}


def walk(client: Client) -> Iterator[tuple[str, str]]:
    """Every page that links lead to; of each filter a few values, without combining them."""
    waiting, seen = ["/admin/"], set()
    tried: Counter[tuple[str, str]] = Counter()
    while waiting:
        address = waiting.pop()
        if address in seen:
            continue
        seen.add(address)
        answer = client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)
        text = answer.content.decode()
        yield address, text
        if "script" in answer.headers["Content-Type"]:
            continue
        for link in map(unescape, LINK.findall(text)):
            target = urljoin(address, link)
            parts = urlsplit(target)
            if parts.netloc or not parts.path.startswith("/admin/"):
                continue
            if parts.query:
                tried[parts.path, parts.query.partition("=")[0]] += 1
            if not parts.query or (
                not urlsplit(address).query
                and tried[parts.path, parts.query.partition("=")[0]] <= VALUES
            ):
                waiting.append(target)


def test_no_page_shows_a_word_of_anybody(operator: Client, seeded: str) -> None:
    seen = {}
    for address, text in walk(operator):
        assert [word for word in CANARIES if word.lower() in text.lower()] == [], address
        assert not INLINE.search(text), address
        seen[address] = text
    for name in TABLES:
        assert f"/admin/console/{name}/" in seen
        assert [path for path in seen if re.match(rf"/admin/console/{name}/[^/]+/change/", path)]
    assert seeded in seen["/admin/console/erasure/"]
    assert "versions" in seen[f"/admin/console/erasure/{seeded}/change/"], "its steps are listed"
    assert "alice" in seen["/admin/console/person/"], "an id is no content: the walk sees words"


def test_asking_for_an_action_shows_none_either(operator: Client, seeded: str) -> None:
    for name, table in TABLES.items():
        rows = list(table.model._default_manager.all()[:3])
        for action in table.actions or ():
            body = {
                "action": getattr(action, "__name__", ""),
                "_selected_action": [str(row.pk) for row in rows],
            }
            answer = operator.post(f"/admin/console/{name}/", body)
            assert answer.status_code == 200
            assert [word for word in CANARIES if word in answer.content.decode()] == []


def test_searching_for_a_word_finds_nothing(operator: Client, seeded: str) -> None:
    for name in TABLES:
        for word in ("quokkaberry", "diet.allergy", "koalatag", "possumtask"):
            page = operator.get(f"/admin/console/{name}/", {"q": word})
            assert page.context["cl"].result_count == 0
    assert not operator.get("/admin/find/", {"q": "quokkaberry"}).context["hits"]


@pytest.mark.parametrize(
    "query",
    ["person__remembered__x=1", "text__startswith=a", "tenant__name__contains=A&x=1", "o=99.1"],
)
def test_a_made_up_filter_is_refused_or_ignored(operator: Client, cast: Cast, query: str) -> None:
    answer = operator.get(f"/admin/console/decision/?{query}")
    assert answer.status_code in (200, 302, 400)


class TestWhoMayEnter:
    PAGES = ("/admin/", "/admin/find/?q=x", "/admin/console/person/", "/admin/nothing/here")

    @pytest.mark.parametrize("page", PAGES)
    def test_strangers_are_sent_to_the_sign_in(self, cast: Cast, page: str) -> None:
        answer = Client(SERVER_NAME="localhost").get(page, follow=True)
        assert answer.redirect_chain[-1][0].startswith("/accounts/login/?next=")
        assert "Keepsake console" not in answer.content.decode()

    @pytest.mark.parametrize("page", PAGES)
    def test_people_are_refused(self, cast: Cast, page: str) -> None:
        answer = signed_in("alice@example.com", staff=False).get(page, follow=True)
        assert answer.status_code == 403
        assert "Keepsake console" not in answer.content.decode()

    def test_an_agents_key_is_no_operator(self, cast: Cast) -> None:
        client = Client(headers={"Authorization": f"Bearer {cast.keys['assistant']}"})
        assert client.get("/admin/", SERVER_NAME="localhost").status_code == 302

    def test_the_policy_is_strict_but_for_trusted_types(self, operator: Client) -> None:
        header = operator.get("/admin/").headers["Content-Security-Policy"]
        assert "default-src 'none'" in header and "script-src 'self'" in header
        assert "trusted-types" not in header and "unsafe" not in header
        assert (
            "trusted-types"
            in operator.get("/accounts/login/", follow=True).headers["Content-Security-Policy"]
        )

    def test_pages_are_kept_nowhere(self, operator: Client) -> None:
        assert operator.get("/admin/").headers["Cache-Control"] == "no-store"
