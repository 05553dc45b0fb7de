"""People at the pages: with a keyboard alone, worried, in two tabs."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from tests.browser.chromium import Look
from tests.browser.conftest import Open
from tests.browser.house import PASSWORD, Resident
from tests.browser.persona import PATIENCE, Persona
from tests.browser.world import AGENDA, DATABASE

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.chromium import Window

DESKTOP, PHONE = Look(), Look(lang="zh-hans", width=320, scheme="dark")
NEWER = DATABASE.replace("16", "18")
ALLERGY = "我对花生过敏"
EMOJI = "From now on, keep answers short and skip the emoji."
LONG, NONE = "From now on, 长一点 is fine.", "From now on, no 表情."
# Not the dashboard's, forms that ask about one thing, and the same list in another order.
NO_PAGE = re.compile(
    r"/(accounts|api|static|admin)/|/(memories|sessions)/[^/?]+/[a-z]"
    r"|/memories/\?(?!all$)|/account/support-access/\?"
)


def live(page: Page, says: str) -> None:
    """Wait until the live region has said a sentence."""
    page.locator("#live", has_text=says).wait_for(state="attached")


# --- a keyboard alone -----------------------------------------------------------------------------


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.innerText ?? ''"))


def tab_to(window: Window, words: str) -> None:
    """Press Tab until the focus is on these words."""
    for _ in range(60):
        if focused(window.page).strip() == words:
            return
        window.page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {words!r}")


def to_the_list(window: Window) -> None:
    window.page.keyboard.press("g")
    window.page.keyboard.press("m")
    window.page.wait_for_url("**/memories/")
    window.ready()


@pytest.mark.parametrize("look", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.deep)], ids=str)
def test_with_a_keyboard_alone(sam: Resident, open_window: Open, look: Look) -> None:
    wrong, right = (DATABASE, NEWER) if DATABASE in sam.agent.listed() else (NEWER, DATABASE)
    with open_window(look, sam.user) as window:
        who = Persona(window=window, agent=sam.agent, lang=look.lang)
        window.go("/")
        find(window, wrong)
        correct(who, right)
        bring_back(who, wrong, instead_of=right)
        forget_and_undo(who, wrong)


def find(window: Window, wrong: str) -> None:
    page, keys = window.page, window.page.keyboard
    to_the_list(window)
    keys.press("/")
    with page.expect_response(lambda one: "q=PostgreSQL" in (one.request.post_data or "")):
        keys.insert_text("PostgreSQL")  # one search: a later one would take the focus away
    page.locator("li.item", has_text=wrong).and_(page.locator("li.item:only-child")).wait_for()
    page.locator(".htmx-request").wait_for(state="detached")
    keys.press("Escape")
    keys.press("j")
    # Escape once emptied the field, and the list with it; leaving it once asked a second time.
    assert page.input_value("#q") == "PostgreSQL" and wrong in focused(page)
    assert sum(one.endswith(reverse("memories-search")) for one in window.addresses) == 1


def test_a_search_leaves_what_is_being_corrected(sam: Resident, open_window: Open) -> None:
    with open_window(PHONE, sam.user) as window:
        page, search = window.page, reverse("memories-search")
        window.go(reverse("memories"))
        Persona(window=window, agent=sam.agent, lang=PHONE.lang).press(
            "Correct", page.locator("li.item", has_text="PostgreSQL").first
        )
        page.locator("textarea:focus").fill("数据库换成 PostgreSQL 19")
        with page.expect_response(lambda one: one.url.endswith(search)):
            page.fill("#q", "PostgreSQL")
        page.locator("li.item:only-child").wait_for()
        assert page.input_value("textarea") == "数据库换成 PostgreSQL 19"


def correct(who: Persona, right: str) -> None:
    page, keys = who.window.page, who.window.page.keyboard
    keys.press("e")
    page.locator("textarea:focus").wait_for()
    keys.press("Control+a")
    keys.insert_text(right)
    keys.press("Control+Enter")
    live(page, who.say("Saved as version %(number)s. Agents get the new wording from now on."))
    assert right in focused(page) and right in who.agent.listed()


def bring_back(who: Persona, wrong: str, *, instead_of: str) -> None:
    """Look at what changed, and bring the former wording back."""
    page, keys = who.window.page, who.window.page.keyboard
    keys.press("Enter")
    page.locator("h1", has_text=instead_of).wait_for()
    who.window.ready()
    assert page.locator("ins").first.inner_text().endswith(instead_of[-3:-1])
    assert page.locator("del").first.inner_text().endswith(wrong[-3:-1])
    tab_to(who.window, who.say("Bring back"))
    keys.press("Enter")
    page.locator("h1", has_text=wrong).wait_for()
    who.window.ready()
    assert wrong in who.agent.listed() and instead_of not in who.agent.listed()


def forget_and_undo(who: Persona, wrong: str) -> None:
    page, keys = who.window.page, who.window.page.keyboard
    before = who.agent.listed().keys()
    to_the_list(who.window)
    keys.press("#")  # nothing is chosen yet: it once forgot the first of the list
    keys.press("j")
    while wrong not in focused(page):
        keys.press("j")
    keys.press("#")
    page.locator("li.gone button:focus").wait_for()
    assert before - who.agent.listed().keys() == {wrong}
    keys.press("z")
    live(page, who.say("It is back. Agents can use it as before."))
    assert wrong in focused(page) and wrong in who.agent.listed()


# --- worried --------------------------------------------------------------------------------------


def everything(page: Page, url: str) -> dict[str, str]:
    """Return the text of every page and file that links lead to, by its address."""
    seen: dict[str, str] = {}
    todo = {"/"}
    while todo:
        path = todo.pop()
        answer = page.request.get(url + path)
        seen[path] = answer.text() if answer.ok else ""
        links = {html.unescape(one) for one in re.findall(r'href="(/[^"#]*)', seen[path])}
        todo |= {one for one in links if not NO_PAGE.match(one)} - seen.keys()
    return seen


def exported(window: Window, who: Persona) -> str:
    window.go(reverse("export"))
    window.page.fill("[name=password]", PASSWORD)
    with window.page.expect_download() as download:
        who.press("Download", window.page.locator("form.card"))
    return Path(download.value.path()).read_text()


def test_worried(sam: Resident, open_window: Open) -> None:
    with open_window(PHONE, sam.user) as window:
        who = Persona(window=window, agent=sam.agent, lang=PHONE.lang)
        assert ALLERGY in exported(window, who)
        window.go(reverse("memories") + "?level=40")
        assert "花生" not in window.page.content()
        for hidden in window.page.locator("li.item").all():
            who.press("Show", hidden)
        who.item(ALLERGY).get_by_role("link", name=ALLERGY).click()
        window.page.locator("h1", has_text=ALLERGY).wait_for()
        window.ready()
        who.press("Forget", window.page.locator("article"))
        window.page.get_by_label(who.say("Don't learn this again")).check()
        window.page.get_by_label(who.say("Erase right away")).check()
        assert not window.page.locator("#forget-then").is_visible(), "the button says what it does"
        who.press("Erase", window.page.locator("form.card"))
        window.page.locator("[id^=receipt-]").wait_for(timeout=PATIENCE)
        who.reads("Erased here")

        window.go(reverse("activity") + "?who=person&what=looks")
        who.reads("a memory that was erased")
        pages = everything(window.page, window.url)
        assert len(pages) > 40 and any(path.endswith("receipt.json") for path in pages)
        assert [path for path, text in pages.items() if "花生" in text] == []
        assert "花生" not in exported(window, who)
        assert "suppressed" in said_again(sam)


def said_again(sam: Resident) -> list[str]:
    """Say the same once more in a conversation; return why nothing came of it."""
    session = sam.agent.answer("POST", "sessions", {"user_id": sam.agent.user_id})["id"]
    said = {"messages": [{"role": "user", "content": "我对花生过敏，点餐的时候帮我留意。"}]}
    answer = sam.agent.answer("POST", f"sessions/{session}/messages?wait=true", said)
    return [reason for one in answer["decisions"] for reason in one["reasons"]]


# --- two tabs -------------------------------------------------------------------------------------


def test_in_two_tabs(sam: Resident, open_window: Open) -> None:
    with open_window(DESKTOP, sam.user) as one, open_window(DESKTOP, sam.user) as other:
        first, second = (Persona(window=tab, agent=sam.agent, lang="en") for tab in (one, other))
        other.allow(409)
        for tab in (one, other):
            tab.go(reverse("memories") + "?all")
            Persona(window=tab, agent=sam.agent, lang="en").press("Correct", row(tab, EMOJI))
            tab.page.locator("textarea:focus").wait_for()
        one.page.fill("textarea", LONG)
        first.press("Save")
        first.reads("Saved as version %(number)s. Agents get the new wording from now on.")
        other.page.fill("textarea", NONE)
        second.press("Save")
        live(other.page, "This memory changed while you were editing. Nothing was saved.")
        # Yours, what is there now, and what was before.
        wordings = other.page.locator("li.item .diff").all_inner_texts()
        assert wordings == [NONE, LONG, EMOJI]
        assert LONG in sam.agent.listed()
        second.press("Save mine over it")
        other.page.locator("h1", has_text=NONE).wait_for()
        assert NONE in sam.agent.listed()

        for tab in (one, other):
            tab.go(reverse("reviews"))
        first.press("Keep", row(one, AGENDA))
        first.reads("Kept. Agents you allow can use it now.")
        second.press("Not true", row(other, AGENDA))
        live(other.page, "You decided this today")
        assert sam.agent.listed()[AGENDA]["state"] == "active"


def row(tab: Window, text: str) -> Locator:
    return tab.page.locator("li.item", has_text=text)
