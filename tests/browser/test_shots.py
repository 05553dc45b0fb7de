"""Pictures to look at: `SHOTS=1` writes every page as it is seen to var/shots/."""

from __future__ import annotations

import pytest

from tests.architecture.source import ROOT
from tests.browser.chromium import HTML_LANG, Look
from tests.browser.conftest import SHOTS, Open
from tests.browser.places import CONSOLE, PEOPLES
from tests.browser.world import World

ALL = PEOPLES | CONSOLE
# Without it one test is skipped, not one for each picture.
NAMES = list(ALL) if SHOTS == "1" else []
LOOKS = [
    Look(lang=lang, width=width, scheme=scheme)
    for lang in HTML_LANG
    for width in (1280, 390)
    for scheme in ("light", "dark")
]


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_a_picture(open_window: Open, world: World, name: str, look: Look) -> None:
    place = ALL[name]
    with open_window(look, world.user(place.who)) as window:
        place.way(window, world)
        folder = ROOT / "var" / "shots" / str(look)
        folder.mkdir(parents=True, exist_ok=True)
        window.page.screenshot(path=folder / f"{name}.png", full_page=True)
