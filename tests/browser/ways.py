"""Ways to pages that have no address of their own: answers to a form, and what went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import patch

from django.urls import reverse

from tests.browser.house import PASSWORD, signed_in

if TYPE_CHECKING:
    from tests.browser.chromium import Window
    from tests.browser.world import World

NOTHING = "00000000-0000-4000-8000-000000000000"


def send(window: Window, button: str, shows: str) -> None:
    """Press a button and wait for what the answer shows."""
    window.page.locator(button).first.click()
    window.page.locator(shows).first.wait_for()
    window.ready()


def search(window: Window, world: World) -> None:
    """Look for a word that is there, among all: what a list was narrowed to is remembered."""
    window.go(reverse("memories") + "?all")
    window.page.fill("#q", "PostgreSQL")
    send(window, ".filters button", "#results .meta a")


def brought_along(window: Window, world: World) -> None:
    """Look at what a list would bring."""
    sent = {"text": "我喜欢爵士乐\nI play the oboe on Fridays."}
    answer = signed_in(world.lin).post(reverse("import"), sent)
    window.go(answer["Location"])


def nothing_found(window: Window, world: World) -> None:
    """Look for a word that is not."""
    window.go(reverse("memories"))
    window.page.fill("#q", "zebra")
    send(window, ".filters button", "#results .empty")


def picked(window: Window, world: World) -> None:
    """Pick all that match, and ask to forget them."""
    _pick(window, "forget", "[name=sensitive]")


def picked_to_export(window: Window, world: World) -> None:
    """Pick two rows, and ask for their file."""
    _pick(window, "export", "[name=picked]", rows=2)


def _pick(window: Window, act: str, shows: str, *, rows: int = 0) -> None:
    window.go(reverse("memories") + "?all")
    for box in window.page.locator("[name=ids]").all()[: rows or 1]:
        box.check()
    if not rows:
        window.page.locator("[name=all]").check()
    window.page.locator(f"[name=act][value={act}]").click()
    window.page.locator(shows).first.wait_for(state="attached")
    window.ready()


def conflict(window: Window, world: World) -> None:
    """Save a wording that was begun before the newest one."""
    window.allow(409)
    window.go(reverse("memory-edit", args=[world.memories["plain"]]))
    window.page.evaluate("document.querySelector('[name=version]').value = '1'")
    window.page.fill("textarea", "我们的项目部署在腾讯云上。")
    send(window, "button.primary", ".diff")


def no_wording(window: Window, world: World) -> None:
    """Try to have a password remembered."""
    window.allow(422)
    window.go(reverse("memory-edit", args=[world.memories["plain"]]))
    window.page.fill("textarea", "My password is Tr0ub4dor&3xyz")
    send(window, "button.primary", ".err")


def no_zone(window: Window, world: World) -> None:
    """Choose a time zone that does not exist."""
    window.allow(422)
    window.go(reverse("account"))
    window.page.fill("[name=zone]", "Mars/Olympus")
    send(window, f"form[action='{reverse('account-zone')}'] button", ".note.danger:not([hidden])")


def no_phrase(window: Window, world: World) -> None:
    """Ask for the erasure of everything in the wrong words."""
    window.allow(422)
    window.go(reverse("erase-all"))
    window.page.fill("#phrase", "erase")
    send(window, "main form button.danger", ".err")


def too_late(window: Window, world: World) -> None:
    """Undo in a window that was left open, after another one has erased."""
    browser = signed_in(world.spare)
    browser.post(reverse("memory-new"), {"text": "I keep my bicycle in the red shed"})
    (memory,) = [one["id"] for one in world.spare.agent.listed().values()]
    browser.post(reverse("memory-forget", args=[memory]))
    window.allow(410)
    window.go(reverse("forgotten"))
    browser.post(reverse("memory-erase", args=[memory]))
    send(window, f"form[action$='{memory}/undo/'] button", ".gone")


def forgotten_together(window: Window, world: World) -> None:
    """Ask to erase what was forgotten together."""
    browser = signed_in(world.spare)
    for text in ("I keep my skates in the cellar", "我把冰鞋放在地下室"):
        browser.post(reverse("memory-new"), {"text": text})
    window.go(reverse("memories") + "?all")
    for box in window.page.locator("[name=ids]").all()[:2]:
        box.check()
    window.page.locator("[name=act][value=forget]").first.click()
    window.page.locator("[name=picked]").first.wait_for(state="attached")
    send(window, "main form button.danger", "[href*='forgotten/erase/']")
    send(window, "[href*='forgotten/erase/']", "main form button.solid")


def stale_form(window: Window, world: World) -> None:
    """Send a form whose token is worth nothing."""
    window.allow(403)
    window.go(reverse("settings"))
    window.page.evaluate(
        "for (const one of document.getElementsByName('csrfmiddlewaretoken')) one.value = 'x'"
    )
    send(window, f"form[action='{reverse('settings-learning')}'] button", "main > p > a.btn")


def crash(window: Window, world: World) -> None:
    """Ask for a page that breaks."""
    with patch("dashboard.views.exporting.page", side_effect=RuntimeError("broken by a test")):
        window.go(reverse("export"), status=500)


def no_login(window: Window, world: World) -> None:
    """Make a login by a link, with a password that is none."""
    window.allow(422)
    window.go(world.link())
    window.page.fill("#email", "mei@example.com")
    window.page.fill("#password", "12345")
    send(window, "button.primary", ".err")


def first_operator(window: Window, world: World) -> None:
    """Open the page of a server without an operator."""
    with patch("accounts.first_run.is_open", return_value=True):
        window.go(reverse("setup"))


def no_first_operator(window: Window, world: World) -> None:
    """Set up without the token."""
    window.allow(422)
    with patch("accounts.first_run.is_open", return_value=True):
        _set_up(window)
        send(window, "button.primary", ".err")


def first_operator_made(window: Window, world: World) -> None:
    """Set up with it, on a server that has operators of other tests."""
    from accounts import first_run
    from accounts.models import Agent, Tenant, User

    made = first_run.Beginning(
        user=User.objects.get(is_staff=True),
        tenant=Tenant(name="极光 Aurora"),
        agent=Agent(name="助手"),
        key=f"ks_live_abcdefgh_{'k' * 43}",
    )
    with (
        patch("accounts.first_run.is_open", return_value=True),
        patch("accounts.first_run.begin", return_value=made),
    ):
        _set_up(window)
        send(window, "button.primary", ".secret")


def _set_up(window: Window) -> None:
    window.go(reverse("setup"))
    for name in ("token", "password", "tenant", "agent"):
        window.page.fill(f"#{name}", "correct horse battery staple")
    window.page.fill("#email", "first@example.com")


def wrong_password(window: Window, world: World) -> None:
    """Sign in with a password that is wrong."""
    _sign_in(window, world.lin.email, "wrong")
    window.page.locator(".err").first.wait_for()


def second_factor(window: Window, world: World) -> None:
    """Sign in where a second factor is asked for."""
    _sign_in(window, world.guarded.email, PASSWORD)
    window.page.locator("[name=code]").wait_for()


def _sign_in(window: Window, email: str, password: str) -> None:
    from django.core.cache import cache

    cache.clear()  # wrong passwords are counted
    window.go(reverse("account_login"))
    window.page.fill("[name=login]", email)
    window.page.fill("[name=password]", password)
    window.page.locator("button.primary").first.click()
    window.page.wait_for_load_state()
    window.ready()


def again(window: Window, path: str) -> None:
    """Open a page that asks for the password once more."""
    window.go(path)
    if window.page.url != window.url + path:
        window.page.fill("[name=password]", PASSWORD)
        window.page.locator("button.primary").first.click()
        window.page.wait_for_url(window.url + path)
        window.ready()


def asked_why(window: Window, world: World) -> None:
    """Choose an action in the console: it asks for a reason."""
    window.go("/admin/console/key/")
    window.page.locator("#action-toggle").check()
    window.page.select_option("[name=action]", index=1)
    send(window, ".actions button", "[name=because]")
