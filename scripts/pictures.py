"""The pictures of the README, made from the demo of a service that was just begun here.

    manage.py up --detach && .venv/bin/python -m scripts.pictures

writes ``docs/images/``. One picture needs an erasure and one an operator: the first is asked for, the
other is made at the page for it, if there is none yet. The browser is Chromium at
``/usr/bin/chromium``, or the one named by CHROMIUM.
"""

import os
import secrets
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from config.environment import data_dir, run_file

FOLDER = Path(__file__).parent.parent / "docs" / "images"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
OFFER = "setup.token"
ARGUMENTS = ["--no-sandbox", "--disable-gpu"]


def overview(page: Page) -> None:
    """What the demo person sees first."""
    page.goto("/")


def review(page: Page) -> None:
    """Guesses that wait for them."""
    page.goto("/review/")


def memories(page: Page) -> None:
    """What is remembered."""
    page.goto("/memories/?all")


def receipt(page: Page) -> None:
    """The receipt of an erasure, of the oldest memory if there is none yet."""
    page.goto("/erasures/")
    if not page.locator(".item a").count():
        page.goto("/memories/?sort=oldest")
        page.locator(".item .txt a").first.click()
        page.locator("article a[href$='/forget/']").click()
        page.check("#now")
        page.locator("form.card button").click()
    else:
        page.locator(".item a").first.click()
    page.locator("[id^=receipt-]").wait_for(timeout=120_000)


def console(page: Page) -> None:
    """What the operator sees first, in a browser of their own."""
    page.context.clear_cookies()
    page.goto("/setup/")
    page.fill("#token", (data_dir() / OFFER).read_text().strip())
    page.fill("#email", "operator@example.com")
    page.fill("#password", secrets.token_urlsafe(16))
    page.fill("#tenant", "Aurora")
    page.fill("#agent", "Assistant")
    page.locator("form .btn.primary").click()
    page.locator("a[href^='/admin/']").click()
    page.locator("#content").wait_for()


def memory(page: Page) -> None:
    """The memory with the most wordings."""
    page.goto("/memories/")
    links = page.locator(".item .txt a").evaluate_all("all => all.map(one => one.pathname)")
    wordings = {}
    for link in links:
        page.goto(link)
        wordings[link] = page.locator(".diff").count()
    page.goto(max(wordings, key=lambda link: wordings[link]))


# By file: the language, the width in pixels, and the way there.
PICTURES: dict[str, tuple[str, int, Callable[[Page], None]]] = {
    "overview": ("en-US", 1280, overview),
    "memories": ("en-US", 1280, memories),
    "memories-zh": ("zh-CN", 390, memories),
    "review-zh": ("zh-CN", 390, review),
    "memory-zh": ("zh-CN", 390, memory),
    "receipt": ("en-US", 1280, receipt),
    "console": ("en-US", 1280, console),
}
FIRST_SCREEN = {"memories", "memories-zh", "console"}  # of the others, the whole page


def take(browser: Browser, name: str, service: str, login: dict[str, str]) -> None:
    """Sign in as the demo person and write one picture."""
    locale, width, way = PICTURES[name]
    context = browser.new_context(
        base_url=service,
        locale=locale,
        timezone_id="Asia/Shanghai",
        reduced_motion="reduce",
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    page.goto("/accounts/login/")
    page.fill("[name=login]", login["email"])
    page.fill("[name=password]", login["password"])
    page.locator("form .btn.primary").first.click()
    page.wait_for_url("**/")
    way(page)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=FOLDER / f"{name}.png", full_page=name not in FIRST_SCREEN)
    context.close()


def main() -> None:
    """Write every picture."""
    told = run_file()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for name in PICTURES:
            if name == "console" and not (data_dir() / OFFER).exists():
                continue
            take(browser, name, told["url"], told["demo"])
        browser.close()


if __name__ == "__main__":
    main()
