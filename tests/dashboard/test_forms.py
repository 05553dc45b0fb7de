"""No dead link, no form that breaks or loses what was typed, whatever is sent."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.acting import acting
from accounts.links import issue_link
from accounts.models import Agent, Subject
from accounts.principal import Principal
from memory.choices import Origin, Sensitivity
from memory.models import Memory, ReviewItem
from tests.cast import ALICE, Cast, operator, principal_of, remember, system_of
from tests.dashboard.conftest import PASSWORD, sign_in
from tests.dashboard.crawl import Form, walk
from tests.dashboard.test_pages import CHANGES, ONE_MEMORY

LOGOUT = "/accounts/logout/"
LET_GO = {"password", "date"}  # a browser sends a day or nothing
TYPED = {"date": "2031-05-06", "email": "lin-tuo@example.com"}
WORDS = "林 writes this 😀 <b>'\"{{ x }}"
GARBAGE = ("\x00\x01 <b>'\"{{ x }} 💣", "9" * 30, "长" * 5000)


@pytest.fixture
def memories(agent: Principal, put: Callable[..., Memory]) -> dict[str, Memory]:
    """One memory of each sort that a page tells apart, by its sort."""
    boxes = ("corrected", "paused", "forgotten", "erased", "active")
    found = {name: put(f"I keep box number {n} in the attic") for n, name in enumerate(boxes)}
    found["sensitive"] = put("I am allergic to penicillin", sensitivity=Sensitivity.SPECIAL)
    put("I live in Hangzhou", attribute="home.city")
    found["rival"] = remember(agent, "I live in Oslo", attribute="home.city", origin=Origin.AGENT)
    return found


@pytest.fixture
def browser(cast: Cast, memories: dict[str, Memory]) -> Client:
    """The browser of somebody who has at least one of everything a page can show."""
    client = sign_in(cast.alice, cast.bob, email="alice@example.com")
    client.raise_request_exception = False

    def post(name: str, *args: object, **data: str) -> None:
        assert client.post(reverse(name, args=args), data).status_code == 302

    post("memory-edit", memories["corrected"].id, text="I keep box 9 in the attic", version="1")
    post("memory-pause", memories["paused"].id)
    post("memory-forget", memories["forgotten"].id, never_again="1")
    post("memory-erase", memories["erased"].id)
    Subject.objects.filter(id=cast.alice.id).update(learning="ask_first")
    asking = principal_of(cast.keys["assistant"], ALICE)
    for place in ("Lima", "Quito", "Accra"):
        memories[place] = remember(asking, f"I dream of a winter in {place}", origin=Origin.AGENT)
    post("review-keep", review_of(cast, memories["Lima"]).id)
    post("account_reauthenticate", password=PASSWORD)
    return client


def review_of(cast: Cast, memory: Memory) -> ReviewItem:
    with acting(system_of(cast.alice)):
        return ReviewItem.objects.get(memory=memory)


@contextmanager
def taken_back() -> Iterator[None]:
    """Undo in the database whatever happens inside."""
    before = transaction.savepoint_create()
    yield
    transaction.savepoint_rollback(before)
    cache.clear()


@pytest.mark.parametrize(
    "variants",
    ["quick", pytest.param("each", marks=[pytest.mark.deep, pytest.mark.timeout(900)])],
    indirect=True,
)
def test_no_link_is_dead_and_no_form_breaks(
    browser: Client, cast: Cast, variants: Callable[[Form], Iterator[dict[str, str]]]
) -> None:
    """Every form of every page: empty, filled, with garbage in all fields or in each by itself."""
    with acting(operator(cast.globex)):
        Agent.objects.filter(id=cast.agents["stranger"].id).update(may_link=True)
    link = issue_link(principal_of(cast.keys["stranger"], ALICE))[0]
    seen = walk(browser, "/", reverse("link", args=[link]))
    allowed = {200, 204, 302}
    dead = {a: (n, seen.came_from.get(a)) for a, n in seen.statuses.items() if n not in allowed}
    assert dead == {}
    assert len(seen.statuses) > 30 and len(seen.forms) > 30
    faults = []
    for form in seen.forms.values():
        if form.action == LOGOUT:
            continue
        for sent in variants(form):
            with taken_back():
                send = browser.post if form.method == "post" else browser.get
                faults += faults_of(form, sent, send(form.action, sent))
    assert faults == []


@pytest.fixture
def variants(request: pytest.FixtureRequest) -> Callable[[Form], Iterator[dict[str, str]]]:
    """Return the function that says what is sent to a form."""
    return quick if request.param == "quick" else each


def quick(form: Form) -> Iterator[dict[str, str]]:
    """Nothing; words in what can be typed; garbage in everything else, and in all of it."""
    words = {name: TYPED.get(kind, WORDS) for name, kind in form.typed.items()}
    yield {}
    yield form.sent | words
    if form.sent.keys() - {"csrfmiddlewaretoken"}:
        yield dict.fromkeys(form.sent, GARBAGE[0]) | words
        yield dict.fromkeys(form.sent, GARBAGE[0])


def each(form: Form) -> Iterator[dict[str, str]]:
    """Every garbage in every field by itself, while words stand in the others."""
    words = {name: TYPED.get(kind, WORDS) for name, kind in form.typed.items()}
    for name in form.sent:
        yield from (form.sent | words | {name: garbage} for garbage in GARBAGE)


def faults_of(form: Form, sent: dict[str, str], answer: Any) -> list[str]:
    """Return what is wrong with an answer to a form."""
    short = {name: value[:20] for name, value in sent.items() if name != "csrfmiddlewaretoken"}
    where = f"{form.action} of {form.page} with {short}: {answer.status_code}"
    if answer.status_code not in {200, 302, 400, 404, 409, 422, 429}:
        return [where]
    if answer.streaming or answer.status_code == 302 or form.action.startswith("/accounts/"):
        return []
    shown = html.unescape(answer.content.decode())
    kept = [
        n for n, kind in form.typed.items() if kind not in LET_GO and len(sent.get(n, "")) < 500
    ]
    return [f"{where}: lost {name}" for name in kept if sent.get(name, "") not in shown]


def test_no_button_of_a_row_breaks_after_the_row_has_changed(
    browser: Client, memories: dict[str, Memory]
) -> None:
    """A page may show a button whose moment is over: erased, forgotten, kept elsewhere meanwhile."""
    found = {}
    for sort in ("corrected", "paused", "forgotten", "erased", "sensitive", "rival", "Lima"):
        memory = memories[sort]
        for name in CHANGES:
            with taken_back():
                data = {"text": WORDS, "version": "1"}
                answer = browser.post(reverse(name, args=[memory.id]), data)
                found[sort, name] = answer.status_code
        for name in ONE_MEMORY:
            found[sort, f"look at {name}"] = browser.get(
                reverse(name, args=[memory.id])
            ).status_code
    assert {where: n for where, n in found.items() if n not in {200, 302, 404, 409, 410, 422}} == {}
    assert {n for (sort, _), n in found.items() if sort == "erased"} == {404, 410}


def test_what_was_forgotten_is_not_corrected_and_the_words_stay(
    browser: Client, memories: dict[str, Memory]
) -> None:
    address = reverse("memory-edit", args=[memories["forgotten"].id])
    answer = browser.post(address, {"text": WORDS, "version": "1"})
    text = html.unescape(answer.content.decode())
    assert answer.status_code == 422 and WORDS in text
    assert "This memory was forgotten. Undo that first, then correct it." in text


def test_a_question_decided_elsewhere_keeps_the_words(
    browser: Client, memories: dict[str, Memory], cast: Cast
) -> None:
    address = reverse("review-edit", args=[review_of(cast, memories["Lima"]).id])
    answer = browser.post(address, {"text": WORDS})
    text = html.unescape(answer.content.decode())
    assert answer.status_code == 422 and WORDS in text and "You decided this" in text
    assert browser.get(address)["Location"] == reverse("reviews")


def test_two_persons_of_one_keeper_are_told_apart(browser: Client) -> None:
    text = browser.get("/").content.decode()
    assert "Acme · alice" in text and "Acme · bob" in text
