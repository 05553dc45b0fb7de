"""One browser and one served database for all tests here; each test has a window of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.chromium import Look, Window, new_window, watched
from tests.browser.house import cookies

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

    from accounts.models import User
    from tests.browser.house import House, Resident
    from tests.browser.world import World

type Open = Callable[..., AbstractContextManager[Window]]
HERE = Path(__file__).parent
KEPT = 24  # browsers of people: each holds connections of the server and the database open
SHOTS = os.environ.get("SHOTS", "")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="package")
def house(browser: Browser, django_db_setup: None, django_db_blocker: Any) -> Iterator[House]:
    """The service on the test database, which is emptied at the end."""
    from tests.browser.house import opened
    from tests.conftest import empty_database

    with django_db_blocker.unblock():
        try:
            with opened(meaning=bool(SHOTS)) as house:
                yield house
        finally:
            empty_database()


@pytest.fixture(scope="package")
def world(house: House) -> World:
    """People in every state a page can show."""
    from tests.browser.world import build

    return build(house)


@pytest.fixture(scope="package")
def sam(house: House) -> Resident:
    """Somebody with the weeks of the demo behind them; each test here touches other memories."""
    return house.settle("sam")


@pytest.fixture(scope="package")
def open_window(browser: Browser, house: House) -> Iterator[Open]:
    """The function that opens a window for somebody, or for a stranger.

    Whoever has signed in stays so for all tests of a look; a stranger's browser knows nobody.
    A window that is free is used again: it has compiled the scripts already, axe's too.
    """
    with ExitStack() as kept:
        contexts: dict[tuple[Look, Any], BrowserContext] = {}
        free: dict[tuple[Look, Any], list[Window]] = {}

        def new(look: Look, user: User | None) -> Window:
            context = contexts.get((look, user and user.pk))
            if context is None:
                context = kept.enter_context(closing(look.context(browser)))
                if user is not None:
                    context.add_cookies(cookies(user, house.url))
                    contexts[look, user.pk] = context
                    make_room()
            return new_window(context, house.url, script=look.script)

        def make_room() -> None:
            if len(contexts) > KEPT:
                oldest = next(iter(contexts))
                contexts.pop(oldest).close()
                free.pop(oldest, None)

        @contextmanager
        def opened(look: Look, user: User | None = None) -> Iterator[Window]:
            windows = free.setdefault((look, user and user.pk), [])
            window = windows.pop() if windows else new(look, user)
            if user is None:
                window.page.context.clear_cookies()
            with watched(window):
                yield window
            windows.append(window)

        yield opened
