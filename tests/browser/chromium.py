"""The system's Chromium under Playwright, and a window that notices everything that goes wrong."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.architecture.source import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

PROGRAM = shutil.which("chromium") or ""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WITHOUT = "Chromium is not installed: no browser test was run (apt-get install chromium)."
IS_CI = os.environ.get("CI") == "true"
LOCALES = {"en": "en-US", "zh-hans": "zh-CN"}
PHONE = 600  # narrower is a phone
HTML_LANG = {"en": "en", "zh-hans": "zh-Hans"}

AXE = ROOT / "tests" / "vendor" / "axe-core-4.14.1" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN_AXE = (
    "tags => axe.run(document, {resultTypes: ['violations'], runOnly: {type: 'tag', values: tags}})"
)
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@contextmanager
def launched() -> Iterator[Browser]:
    """Start one browser for many windows."""
    from playwright.sync_api import sync_playwright

    # Playwright keeps an event loop in this thread, in which Django would refuse to use the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=ARGUMENTS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@dataclass(kw_only=True)  # without slots: Playwright marks the methods it is given
class Window:
    """One page of one browser, alone with its cookies; ``faults`` is all that went wrong in it."""

    page: Page
    url: str
    script: bool
    faults: list[str] = field(default_factory=list)
    allowed: set[int] = field(default_factory=set)
    addresses: list[str] = field(default_factory=list)  # every request's
    titles: list[str] = field(default_factory=list)

    def go(self, path: str, *, status: int = 200) -> None:
        """Open an address of the service; an error status has to be the one that is expected."""
        self.allowed.add(status)
        answer = self.page.goto(self.url + path)
        assert answer is not None and answer.status == status, f"{path}: {answer and answer.status}"
        self.ready()

    def ready(self) -> None:
        """Wait until htmx has started: a click before that is an ordinary form, for people too."""
        self.titles.append(self.page.title())
        if self.script and self.page.locator("script[src*=app]").count():
            self.page.wait_for_selector("html[data-ready]", state="attached")

    def allow(self, status: int) -> None:
        """Let an answer with this status be no fault: the next step asks for it."""
        self.allowed.add(status)

    def heard(self, message: ConsoleMessage) -> None:
        """Note what the browser complains about, a violated policy among it."""
        known = any(f"status of {status} " in message.text for status in self.allowed)
        if message.type in {"error", "warning"} and not known:
            self.faults.append(f"{message.type}: {message.text}")

    def axe(self) -> list[str]:
        """Return what axe finds, each with its element.

        The script comes in beside the page, so the page's own policy stays as it is.
        """
        if not self.page.evaluate("Boolean(window.axe)"):
            self.page.evaluate(AXE.read_text() + ";0")
        found = self.page.evaluate(RUN_AXE, RULES)
        return [
            f"{one['id']}: {node['html'][:160]} ({node['failureSummary'][:200]})"
            for one in found["violations"]
            for node in one["nodes"]
        ]

    def seen(self) -> str:
        """Return what stands in the window, for somebody who has only the log of a failed test."""
        page, asked = self.page, [one.removeprefix(self.url) for one in self.addresses[-8:]]
        shown = {at: page.locator(at).all_inner_texts() for at in ("#live", "main", ":focus")}
        return f"at {page.url}, faults {self.faults}, last asked {asked}, shown {shown}"

    def breadth(self) -> int:
        """Return the width in pixels of what the page is about."""
        box = self.page.locator("main, #content").first.bounding_box()
        return round(box["width"]) if box else 0

    def overflow(self) -> int:
        """Return by how many pixels the page is wider than the window."""
        wider: int = self.page.evaluate(WIDER)
        return wider


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How somebody looks at the pages: language, width of the window, scheme, scripts or none."""

    lang: str = "en"
    width: int = 1280
    scheme: str = "light"
    script: bool = True

    def __str__(self) -> str:
        return f"{self.lang}-{self.width}-{self.scheme}"

    def context(self, browser: Browser) -> BrowserContext:
        """Return a browser of its own, without anything in it yet."""
        return browser.new_context(
            locale=LOCALES[self.lang],
            timezone_id="Asia/Shanghai",
            viewport={"width": self.width, "height": 844 if self.width < PHONE else 800},
            color_scheme="dark" if self.scheme == "dark" else "light",
            reduced_motion="reduce",
            java_script_enabled=self.script,
        )


def new_window(context: BrowserContext, url: str, *, script: bool = True) -> Window:
    """Open a window of a browser."""
    page = context.new_page()
    page.set_default_timeout(15_000)
    opened = Window(page=page, url=url, script=script)
    page.on("console", opened.heard)
    page.on("request", lambda request: opened.addresses.append(request.url))
    page.on("pageerror", lambda error: opened.faults.append(f"page error: {error}"))
    return opened


@contextmanager
def watched(window: Window) -> Iterator[Window]:
    """Look into a window, as if it were new; whatever goes wrong in it fails the test."""
    for seen in (window.faults, window.allowed, window.addresses, window.titles):
        seen.clear()
    try:
        yield window
    except Exception as error:
        error.add_note(window.seen())
        raise
    assert window.faults == []


@contextmanager
def window(context: BrowserContext, url: str, *, script: bool = True) -> Iterator[Window]:
    """Open a window for one test, and close it."""
    opened = new_window(context, url, script=script)
    with closing(opened.page), watched(opened):
        yield opened
