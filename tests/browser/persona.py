"""All of what a person does with memories, in one script: with JavaScript and without, in any language.

Each step looks at the person's page and then asks the agent, which has to see the effect at once.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from django.utils.translation import gettext, override

from tests.browser.world import AGENDA, AISLE, DATABASE, HIKING, SUMMARY

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.agent import Agent
    from tests.browser.chromium import Window

NEWER = DATABASE.replace("PostgreSQL 16", "PostgreSQL 18")
QUESTION = "我们的数据库是什么？"
TEXTS = (DATABASE, NEWER, AGENDA, SUMMARY, HIKING, AISLE)
COOKIES = {"sessionid", "csrftoken", "tz", "django_language", "messages"}
PATIENCE = 60_000  # milliseconds for a worker to finish an erasure


@dataclass(slots=True, kw_only=True)
class Persona:
    """A person at a window who knows what to do, and the agent that talks about them."""

    window: Window
    agent: Agent
    lang: str
    receipt: dict[str, object] = field(default_factory=dict)

    def does_it_all(self, *, email: str, password: str) -> None:
        """Sign in, find, see why, correct, keep, reject, forget, undo, erase, read the receipt."""
        self.sign_in(email, password)
        self.find()
        self.see_why()
        self.correct()
        self.keep_one_reject_one()
        self.forget_and_undo()
        self.erase()
        self.read_the_receipt()
        self.left_no_trace()

    # --- what is on the page ----------------------------------------------------------------------

    def say(self, text: str) -> str:
        """Return a sentence of the pages in the person's language, up to its first placeholder."""
        with override(self.lang):
            return gettext(text).partition("%")[0]

    def press(self, text: str, within: Locator | None = None) -> None:
        """Press the button or follow the link with these words."""
        root = within or self.window.page.locator("body")
        words = self.say(text)
        found = root.get_by_role("button", name=words).or_(root.get_by_role("link", name=words))
        found.first.click()
        self.window.ready()

    def reads(self, text: str) -> None:
        """Wait until the page says a sentence."""
        self.window.page.locator("main").get_by_text(self.say(text)).first.wait_for()

    def go_to(self, place: str) -> None:
        """Choose a place of the navigation."""
        self.press(place, self.window.page.get_by_role("navigation").first)
        self.window.page.locator("h1", has_text=self.say(place)).wait_for()

    def item(self, text: str) -> Locator:
        """Return the row of a memory."""
        return self.window.page.locator("li.item", has_text=text)

    # --- what the person does ---------------------------------------------------------------------

    def sign_in(self, email: str, password: str) -> None:
        self.window.go("/")
        self.window.page.fill("[name=login]", email)
        self.window.page.fill("[name=password]", password)
        self.press("Sign in", self.window.page.locator("form.card"))
        self.window.page.locator("h1", has_text=self.say("Overview")).wait_for()

    def find(self) -> None:
        self.go_to("Memories")
        self.window.page.fill("#q", "PostgreSQL")
        self.press("Search", self.window.page.locator(".filters"))
        self.window.page.locator("#results .meta a").first.wait_for()
        self.item(DATABASE).get_by_role("link", name=DATABASE).click()
        self.window.page.locator("h1", has_text=DATABASE).wait_for()
        self.window.ready()
        assert DATABASE in self.agent.recalled(QUESTION)

    def see_why(self) -> None:
        why = self.window.page.locator("aside")
        why.get_by_text(self.say("Why is this remembered?")).wait_for()
        why.get_by_text(self.say("You said this")).first.wait_for()
        assert why.locator("blockquote").first.inner_text() == DATABASE
        self.reads("This shows where the memory came from. It does not prove it is true.")

    def correct(self) -> None:
        self.press("Correct", self.window.page.locator("article"))
        self.window.page.fill("textarea", NEWER)
        self.press("Save")
        self.reads("Saved as version %(number)s. Agents get the new wording from now on.")
        recalled = self.agent.recalled(QUESTION)
        assert NEWER in recalled and DATABASE not in recalled

    def keep_one_reject_one(self) -> None:
        before = self.agent.listed()
        assert before[AGENDA]["state"] == before[SUMMARY]["state"] == "pending"
        self.go_to("Waiting for you")
        self.press("Keep", self.item(AGENDA))
        self.reads("Kept. Agents you allow can use it now.")
        assert self.agent.listed()[AGENDA]["state"] == "active"
        self.press("Not true", self.item(SUMMARY))
        self.reads("It is not learnt again, no agent can use it, and it will be erased.")
        assert SUMMARY not in self.agent.listed()
        again = {"user_id": self.agent.user_id, "text": SUMMARY, "subtype": "instruction"}
        assert self.agent.ask("POST", "memories", again).json()["reasons"] == ["suppressed"]

    def forget_and_undo(self) -> None:
        self.go_to("Memories")
        self.press("Forget", self.item(HIKING))
        self.reads("Forgotten. No agent can use it now. You can undo until %(time)s.")
        assert HIKING not in self.agent.listed()
        line = self.window.page.locator("li.gone") if self.window.script else self.item(HIKING)
        self.press("Undo", line)
        self.reads("It is back. Agents can use it as before.")
        assert self.agent.listed()[HIKING]["state"] == "active"

    def erase(self) -> None:
        memory = self.agent.listed()[AISLE]["id"]
        self.go_to("Memories")
        self.item(AISLE).get_by_role("link", name=AISLE).click()
        self.window.page.locator("h1", has_text=AISLE).wait_for()
        self.window.ready()
        self.press("Forget", self.window.page.locator("article"))
        self.reads("What is erased with it")
        self.window.page.get_by_label(self.say("Erase right away")).check()
        self.press("Erase", self.window.page.locator("form.card"))
        self.reads("Erasing has begun. No agent can use it, and it can't be brought back.")
        assert self.agent.ask("GET", f"memories/{memory}").status_code in {404, 410}
        assert AISLE not in self.agent.listed()
        assert AISLE not in self.agent.recalled("Which seat on a flight?")

    def left_no_trace(self) -> None:
        """Look at what the browser has seen and keeps: no word of a memory in it."""
        found = re.findall(r"[A-Za-z]{6,}|[\u4e00-\u9fff]{3,}", " ".join(TEXTS))
        cookies = self.window.page.context.cookies()
        assert {one["name"] for one in cookies} <= COOKIES
        seen = [*self.window.addresses, *self.window.titles, *(one["value"] for one in cookies)]
        assert len(self.window.addresses) > 20 and len(self.window.titles) > 10
        assert [one for one in map(unquote, seen) if any(word in one for word in found)] == []
        if self.window.script:
            assert self.window.page.evaluate("localStorage.length + sessionStorage.length") == 0

    def read_the_receipt(self) -> None:
        page = self.window.page
        receipt = page.locator("[id^=receipt-]")
        if self.window.script:  # the page looks again by itself
            receipt.wait_for(timeout=PATIENCE)
        else:
            for _ in range(PATIENCE // 500):
                if receipt.count():
                    break
                page.wait_for_timeout(500)
                page.reload()
        self.reads("Erased here")
        with page.expect_download() as download:
            self.press("Download the receipt (JSON)")
        saved = Path(download.value.path()).read_text()
        self.receipt = json.loads(saved)
        assert self.receipt["signature"] and not any(text in saved for text in TEXTS)
