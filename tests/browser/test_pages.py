"""Every page, in both languages: no fault for axe, none in the browser's console, none too wide."""

from __future__ import annotations

import pytest

from tests.browser.chromium import HTML_LANG, Look
from tests.browser.conftest import Open
from tests.browser.places import CONSOLE, PEOPLES, Place
from tests.browser.world import World

# The two ends of what people have; the long version crosses them all.
LOOKS = (Look(lang="en"), Look(lang="zh-hans", width=320, scheme="dark"))
MORE_LOOKS = [
    look
    for lang in HTML_LANG
    for width in (1280, 390, 320)
    for scheme in ("light", "dark")
    if (look := Look(lang=lang, width=width, scheme=scheme)) not in LOOKS
]


def visit(open_window: Open, world: World, place: Place, look: Look) -> None:
    with open_window(look, world.user(place.who)) as window:
        place.way(window, world)
        assert window.page.locator("html").get_attribute("lang") == HTML_LANG[look.lang]
        assert window.axe() == []
        assert window.overflow() <= 0
        # A page without a navigation was once as narrow as one.
        assert window.breadth() >= min(look.width - 64, 460)


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize("name", PEOPLES)
def test_a_page_is_sound(open_window: Open, world: World, name: str, look: Look) -> None:
    visit(open_window, world, PEOPLES[name], look)


@pytest.mark.parametrize("name", CONSOLE)
def test_a_page_of_the_console_is_sound(open_window: Open, world: World, name: str) -> None:
    visit(open_window, world, CONSOLE[name], LOOKS[0])


@pytest.mark.deep
@pytest.mark.parametrize("look", MORE_LOOKS, ids=str)
@pytest.mark.parametrize("name", PEOPLES)
def test_a_page_is_sound_however_it_is_seen(
    open_window: Open, world: World, name: str, look: Look
) -> None:
    visit(open_window, world, PEOPLES[name], look)


@pytest.mark.deep
@pytest.mark.parametrize("name", CONSOLE)
def test_the_console_is_sound_in_the_dark(open_window: Open, world: World, name: str) -> None:
    visit(open_window, world, CONSOLE[name], Look(lang="en", scheme="dark"))
