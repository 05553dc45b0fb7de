"""With a screen reader: what each page says it is, and what is said when something happens."""

from __future__ import annotations

from django.urls import reverse

from tests.browser.conftest import Open
from tests.browser.house import Resident
from tests.browser.test_people import DESKTOP, live
from tests.browser.world import HIKING, REPORTS

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
        page, reports = window.page, str(sam.agent.listed()[REPORTS]["id"])
        for name, heard in HEARD.items():
            window.go(reverse(name, args=[reports] if name == "memory" else []))
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
