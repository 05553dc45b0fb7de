"""Pictures to look at: `SHOTS=1` writes every page as it is seen to var/shots/."""

from __future__ import annotations

import pytest

from tests.architecture.source import ROOT
from tests.browser.chromium import HTML_LANG, Look
from tests.browser.conftest import SHOTS, Open
from tests.browser.places import CONSOLE, PEOPLES
from tests.browser.world import World

pytestmark = pytest.mark.skipif(SHOTS != "1", reason="SHOTS=1 writes pictures to var/shots/")
LOOKS = [
    Look(lang=lang, width=width, scheme=scheme)
    for lang in HTML_LANG
    for width in (1280, 390)
    for scheme in ("light", "dark")
]


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize("name", PEOPLES | CONSOLE)
def test_a_picture(open_window: Open, world: World, name: str, look: Look) -> None:
    place = (PEOPLES | CONSOLE)[name]
    with open_window(look, world.user(place.who)) as window:
        place.way(window, world)
        folder = ROOT / "var" / "shots" / str(look)
        folder.mkdir(parents=True, exist_ok=True)
        window.page.screenshot(path=folder / f"{name}.png", full_page=True)
