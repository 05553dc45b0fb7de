"""A bad day: the network, the server or a part of it fails; and the operator who is on call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.browser.chromium import Look
from tests.browser.conftest import Open
from tests.browser.house import House, Resident, signed_in
from tests.browser.persona import PATIENCE, Persona
from tests.browser.test_people import live, row
from tests.browser.world import AISLE, stuck

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.chromium import Window

DESKTOP, PHONE = Look(), Look(lang="zh-hans", width=320, scheme="dark")
SISTER = "My sister is vegan, and she is visiting in May."
UNREACHED = "Could not reach the server. Nothing was changed."


# --- what fails -----------------------------------------------------------------------------------


@contextmanager
def offline(window: Window) -> Iterator[None]:
    """Take the network away; what the browser says of it is no fault of the page's."""
    window.page.context.set_offline(True)
    try:
        yield
    finally:
        window.page.context.set_offline(False)
        assert all("Failed to" in one for one in window.faults), window.faults
        window.faults.clear()


@contextmanager
def no_worker() -> Iterator[None]:
    """Let the worker take no work for a while."""
    from config.celery import app

    app.control.cancel_consumer("celery", reply=True)
    try:
        yield
    finally:
        app.control.add_consumer("celery", reply=True)


def in_sight(page: Page) -> bool:
    top = page.locator("#neterr").evaluate("one => one.getBoundingClientRect().top")
    return bool(0 <= top < page.evaluate("innerHeight"))


@pytest.mark.parametrize("look", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.deep)], ids=str)
def test_the_page_says_what_did_not_happen(sam: Resident, open_window: Open, look: Look) -> None:
    with open_window(look, sam.user) as window:
        page, who = window.page, Persona(window=window, agent=sam.agent, lang=look.lang)
        window.go(reverse("memories") + "?all")
        forget = row(window, SISTER).get_by_role("button", name=who.say("Forget"))
        with offline(window):
            forget.click()
            live(page, who.say(UNREACHED))
            assert in_sight(page), "it once stood above what could be seen"
        assert SISTER in sam.agent.listed()
        window.allow(500)
        with patch("dashboard.views.forgetting.forget", side_effect=RuntimeError("by a test")):
            page.locator("#live").evaluate("one => one.textContent = ''")
            forget.click()
            live(page, who.say(UNREACHED))
        assert SISTER in sam.agent.listed()
        forget.click()
        page.locator("li.gone").wait_for()
        assert page.locator("#neterr").is_hidden(), "it once stayed when it was over"
        assert SISTER not in sam.agent.listed()
        who.press("Undo", page.locator("li.gone"))
        live(page, who.say("It is back. Agents can use it as before."))


def test_meaning_is_away(sam: Resident, open_window: Open) -> None:
    from memory.errors import EmbedderUnavailable

    with (
        open_window(PHONE, sam.user) as window,
        patch("memory.index.asked.get_embedder", side_effect=EmbedderUnavailable),
    ):
        who = Persona(window=window, agent=sam.agent, lang=PHONE.lang)
        window.go(reverse("memories") + "?all")
        window.page.fill("#q", "vegan")
        who.reads("Meaning search is off right now; showing exact words.")
        row(window, SISTER).wait_for()


def test_too_many_tries(sam: Resident, open_window: Open) -> None:
    from django.core.cache import cache

    browser = signed_in(sam)
    with open_window(PHONE, sam.user) as window:
        who = Persona(window=window, agent=sam.agent, lang=PHONE.lang)
        window.go(reverse("export"))
        while browser.post(reverse("export"), {"password": "guess"}).status_code != 429:
            pass
        window.allow(429)
        window.page.fill("[name=password]", "guess")
        who.press("Download", window.page.locator("form.card"))
        who.reads("Too many tries. Wait a few minutes, then try again.")
        cache.clear()


def test_no_worker_is_there(sam: Resident, open_window: Open) -> None:
    with open_window(PHONE, sam.user) as window:
        page, who = window.page, Persona(window=window, agent=sam.agent, lang=PHONE.lang)
        memory = str(sam.agent.listed()[AISLE]["id"])
        with no_worker():
            window.go(reverse("memory-forget", args=[memory]))
            page.get_by_label(who.say("Erase right away")).check()
            who.press("Erase", page.locator("form.card"))
            who.reads("Erasing has begun. No agent can use it, and it can't be brought back.")
            assert sam.agent.ask("GET", f"memories/{memory}").status_code == 410
            assert page.locator(".steps .done").count() == 1, "only that it is hidden is done"
            assert page.locator("[id^=receipt-]").count() == 0
        page.locator("[id^=receipt-]").wait_for(timeout=PATIENCE)


# --- on call --------------------------------------------------------------------------------------


class Operator:
    """Somebody at the console, who has to say why for everything."""

    def __init__(self, window: Window, words: list[str]) -> None:
        self.window, self.page, self.words = window, window.page, words

    def reads_no_word(self) -> None:
        """Look for what people wrote; it may be on no page but a look's."""
        shown = self.page.locator("body").inner_text()
        assert [one for one in self.words if one in shown] == []

    def acts(self, table: str, on: str, action: str, **why: str) -> None:
        """Choose a row and an action, and give the reason."""
        self.window.go(f"/admin/console/{table}")
        self.page.locator("#result_list tr", has_text=on).locator(".action-select").check()
        self.page.select_option("[name=action]", action)
        self.page.locator(".actions button").click()
        self.page.locator("[name=ticket]").fill("OPS-7")
        for name, value in why.items():
            self.page.select_option(f"[name={name}]", value)
        self.page.locator("#content form [type=submit]").first.click()
        self.page.locator(".messagelist .success").wait_for()
        self.reads_no_word()


def test_on_call(house: House, sam: Resident, open_window: Open) -> None:
    oncall = house.stranger("oncall@example.com", staff=True)
    with open_window(DESKTOP, oncall) as window, open_window(PHONE, sam.user) as own:
        op = Operator(window, list(sam.agent.listed()))
        what_is_stuck_goes_on(op, own, sam)
        op.acts("tenant/", "Demo", "allow_break_glass", because="security")
        breaks_the_glass(op, sam)
        who = Persona(window=own, agent=sam.agent, lang=PHONE.lang)
        the_person_is_told(who)
        its_time_is_over(sam)
        window.allow(404)
        answer: Any = op.page.reload()
        assert answer.status == 404
        op.reads_no_word()
        own.go("/")
        assert "现已结束" in own.page.locator("section.note").inner_text()
        op.acts("tenant/", "Demo", "refuse_break_glass", because="security")


def what_is_stuck_goes_on(op: Operator, own: Window, sam: Resident) -> None:
    """Find a stuck erasure from the first page, and retry it: the person gets the receipt."""
    erasure = stuck(sam)
    op.window.go("/admin/")
    op.page.get_by_role("link", name="Failed erasure steps", exact=True).click()
    op.page.locator("#result_list", has_text=str(erasure.id)).wait_for()
    op.acts("step/?state__exact=failed", str(erasure.id), "retry_step", because="fault_fixed")
    own.go(reverse("erasure", args=[erasure.id]))
    own.page.locator("[id^=receipt-]").wait_for(timeout=PATIENCE)


def breaks_the_glass(op: Operator, sam: Resident) -> None:
    """Look at one person up to a level, for a quarter of an hour: exactly that is shown."""
    given = {"because": "security", "minutes": "15", "clearance": "20"}
    op.acts(f"person/?q={sam.subject.external_id}", "sam", "break_glass", **given)
    line = op.page.locator("#result_list tr", has_text=str(sam.subject.id))
    line.get_by_role("link", name="Look", exact=True).first.click()
    op.page.get_by_text("End now").wait_for()
    shown = set(op.page.locator("td[hx-ignore] p").all_inner_texts())
    assert shown == up_to_personal(sam)
    assert op.page.locator("#content form").count() == 1, "nothing can be changed here"


def the_person_is_told(who: Persona) -> None:
    who.window.go("/")
    told = who.window.page.locator("section.note").inner_text()
    assert "未经你同意：安全事件。" in told and "看了1页" in told
    who.window.go(reverse("activity") + "?who=operator")
    who.reads("began to look at your memories without asking you")
    who.reads("looked at your memories")


def up_to_personal(sam: Resident) -> set[str]:
    """Return the wordings that a look up to level 20 goes as far as: what the person sees, not more."""
    from accounts.acting import acting
    from memory.models import Memory
    from tests.cast import system_of

    with acting(system_of(sam.subject)):
        rows = Memory.objects.filter(sensitivity__lte=20)
        seen = {str(one) for one in rows.values_list("id", flat=True)}
    return {text for text, one in sam.agent.listed().items() if one["id"] in seen}


def its_time_is_over(sam: Resident) -> None:
    from accounts.acting import acting
    from accounts.models import Look as OperatorsLook
    from tests.cast import system_of

    with acting(system_of(sam.subject)):
        OperatorsLook.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
