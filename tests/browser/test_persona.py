"""One person does it all, and the agent sees each effect at once.

The same with JavaScript, in English on a desktop, on the demo itself: tests/config/test_up.py.
"""

from __future__ import annotations

from tests.browser.chromium import Look
from tests.browser.conftest import Open
from tests.browser.house import PASSWORD, House
from tests.browser.persona import Persona


def test_without_javascript_on_a_phone_in_chinese(house: House, open_window: Open) -> None:
    mei = house.settle("mei")
    with open_window(Look(lang="zh-hans", width=320, script=False)) as window:
        persona = Persona(window=window, agent=mei.agent, lang="zh-hans")
        persona.does_it_all(email=mei.email, password=PASSWORD)
