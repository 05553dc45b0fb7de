"""The pictures of the README, made from the demo of the service that runs here.

    manage.py up --detach && .venv/bin/python -m scripts.pictures

writes ``docs/images/``. The browser is Chromium at ``/usr/bin/chromium``, or the one named by CHROMIUM.
"""

import os
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from config.environment import run_file

FOLDER = Path(__file__).parent.parent / "docs" / "images"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = ["--no-sandbox", "--disable-gpu"]


def overview(page: Page) -> None:
    """What the demo person sees first."""
    page.goto("/")


def review(page: Page) -> None:
    """Guesses that wait for them."""
    page.goto("/review/")


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
    "review-zh": ("zh-CN", 390, review),
    "memory-zh": ("zh-CN", 390, memory),
}


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
    page.wait_for_selector("html[data-ready]", state="attached")
    page.screenshot(path=FOLDER / f"{name}.png", full_page=True)
    context.close()


def main() -> None:
    """Write every picture."""
    told = run_file()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for name in PICTURES:
            take(browser, name, told["url"], told["demo"])
        browser.close()


if __name__ == "__main__":
    main()
