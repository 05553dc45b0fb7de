"""People at the pages: with a keyboard alone, worried, with a screen reader, in two tabs."""

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
from tests.browser.world import AGENDA, DATABASE, HIKING, REPORTS

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.chromium import Window

DESKTOP, PHONE = Look(), Look(lang="zh-hans", width=320, scheme="dark")
NEWER = DATABASE.replace("16", "18")
ALLERGY = "我对花生过敏"
# Not the dashboard's, forms that ask about one thing, and the same list in another order.
NO_PAGE = re.compile(
    r"/(accounts|api|static|admin)/|/(memories|sessions)/[^/?]+/[a-z]"
    r"|/memories/\?(?!all$)|/account/support-access/\?"
)


def id_of(who: Resident, text: str) -> str:
    return str(who.agent.listed()[text]["id"])


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
    keys.type("PostgreSQL")
    page.locator("li.item", has_text=wrong).and_(page.locator("li.item:only-child")).wait_for()
    keys.press("Escape")
    keys.press("j")
    # Escape once emptied the field, and the list with it.
    assert page.input_value("#q") == "PostgreSQL" and wrong in focused(page)


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
        who.press("Forget", window.page.locator("form.card"))
        window.page.locator("[id^=receipt-]").wait_for(timeout=PATIENCE)
        who.reads("Erased here")

        window.go(reverse("activity"))
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


# --- a screen reader ------------------------------------------------------------------------------

HEARD = {
    "memories": """
      - main:
        - heading "Memories" [level=1]
        - navigation "Views"
        - search:
          - searchbox "Search by words or meaning"
          - button "Search"
        - region "Results":
          - list:
            - listitem:
              - 'checkbox "Pick: 以后所有报告都用中文写，先给数字。"'
              - paragraph:
                - link "以后所有报告都用中文写，先给数字。"
              - link "Correct"
              - button "Pause"
              - button "Forget"
    """,
    "memory": """
      - main:
        - article:
          - heading "以后所有报告都用中文写，先给数字。" [level=1]
          - link "Correct"
          - button "Pause"
          - link "Forget"
        - region "Versions":
          - heading "Versions" [level=2]
        - region "Uses"
        - complementary "Why is this remembered?":
          - figure:
            - blockquote: 以后所有报告都用中文写，先给数字。
          - paragraph: This shows where the memory came from. It does not prove it is true.
          - region "Who can see it"
    """,
    "reviews": """
      - main:
        - heading "Waiting for you" [level=1]
        - list:
          - listitem:
            - button "Keep"
            - link "Edit and keep"
            - button "Not true"
            - button "Later"
    """,
    "activity": """
      - main:
        - heading "Activity" [level=1]
        - combobox "Who"
        - combobox "What"
        - button "Show"
        - region:
          - heading [level=2]
          - list:
            - listitem:
              - time
              - strong
    """,
    "settings": """
      - main:
        - heading "Settings" [level=1]
        - group "Memory mode":
          - radio "Normal" [checked]
        - button "Save the mode"
        - group "What agents work out"
        - combobox "Undo window"
    """,
}


def test_with_a_screen_reader(sam: Resident, open_window: Open) -> None:
    from playwright.sync_api import expect

    with open_window(DESKTOP, sam.user) as window:
        page = window.page
        for name, heard in HEARD.items():
            window.go(reverse(name, args=[id_of(sam, REPORTS)] if name == "memory" else []))
            expect(page.locator("main")).to_match_aria_snapshot(heard)
        # Each button of a row says which memory it is about.
        window.go(reverse("memories") + "?all")
        row = page.locator("li.item", has_text=HIKING)
        for button in row.locator(".btn").all():
            expect(button).to_have_accessible_description(HIKING)
        row.get_by_role("button", name="Forget").click()
        live(page, "Forgotten. No agent can use it now. You can undo until")
        page.locator("li.gone button:focus").click()
        live(page, "It is back. Agents can use it as before.")
        page.fill("#q", "爬山")
        live(page, "found.")


# --- two tabs -------------------------------------------------------------------------------------


def test_in_two_tabs(sam: Resident, open_window: Open) -> None:
    with open_window(DESKTOP, sam.user) as one, open_window(DESKTOP, sam.user) as other:
        first, second = (Persona(window=tab, agent=sam.agent, lang="en") for tab in (one, other))
        other.allow(409)
        for tab in (one, other):
            tab.go(reverse("memories") + "?all")
            Persona(window=tab, agent=sam.agent, lang="en").press("Correct", row(tab, REPORTS))
            tab.page.locator("textarea:focus").wait_for()
        one.page.fill("textarea", "以后所有报告都用英文写。")
        first.press("Save")
        first.reads("Saved as version %(number)s. Agents get the new wording from now on.")
        other.page.fill("textarea", "以后所有报告都用法文写。")
        second.press("Save")
        live(other.page, "This memory changed while you were editing. Nothing was saved.")
        # Yours, what is there now, and what was before.
        wordings = other.page.locator("li.item .diff").all_inner_texts()
        assert wordings == ["以后所有报告都用法文写。", "以后所有报告都用英文写。", REPORTS]
        assert "以后所有报告都用英文写。" in sam.agent.listed()
        second.press("Save mine over it")
        other.page.locator("h1", has_text="以后所有报告都用法文写。").wait_for()
        assert "以后所有报告都用法文写。" in sam.agent.listed()

        for tab in (one, other):
            tab.go(reverse("reviews"))
        first.press("Keep", row(one, AGENDA))
        first.reads("Kept. Agents you allow can use it now.")
        second.press("Not true", row(other, AGENDA))
        live(other.page, "You decided this today")
        assert sam.agent.listed()[AGENDA]["state"] == "active"


def row(tab: Window, text: str) -> Locator:
    return tab.page.locator("li.item", has_text=text)
