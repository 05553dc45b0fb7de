"""A passkey, from a phone's own authenticator: added, renamed, signed in with, removed."""

from __future__ import annotations

from django.urls import reverse

from tests.browser import ways
from tests.browser.chromium import Look, Window
from tests.browser.conftest import Open
from tests.browser.house import House

PHONE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}
BUTTON = "main form button"


def test_a_passkey_from_first_to_last(house: House, open_window: Open) -> None:
    who = house.settle("keys", story=False)
    with open_window(Look(lang="zh-hans", width=390), who.user) as window:
        session = window.page.context.new_cdp_session(window.page)
        session.send("WebAuthn.enable")
        session.send("WebAuthn.addVirtualAuthenticator", {"options": PHONE})
        add(window, "我的手机")
        rename(window, "我的手机", "新手机")
        sign_in_with_it(window)
        remove(window, "新手机")


def is_sound(window: Window) -> None:
    window.ready()
    assert window.axe() == []
    assert window.overflow() <= 0


def key(window: Window, name: str, button: str) -> None:
    window.go(reverse("mfa_list_webauthn"))
    row = window.page.locator("li.item", has_text=name)
    row.wait_for()
    is_sound(window)
    row.get_by_role("link", name=button).click()
    window.page.locator("main form").wait_for()
    is_sound(window)


def add(window: Window, name: str) -> None:
    ways.again(window, reverse("mfa_add_webauthn"))
    window.page.fill("[name=name]", name)
    window.page.check("[name=passwordless]")
    window.page.locator("#mfa_webauthn_add").click()
    window.page.wait_for_url("**/recovery-codes/")


def rename(window: Window, name: str, new: str) -> None:
    key(window, name, "改名")
    window.page.fill("[name=name]", new)
    window.page.locator(BUTTON).first.click()
    window.page.locator("li.item", has_text=new).wait_for()


def sign_in_with_it(window: Window) -> None:
    window.go(reverse("account_logout"))
    window.page.locator(BUTTON).click()
    window.page.wait_for_url(f"**{reverse('account_login')}**")
    window.ready()
    window.page.locator("#passkey_login").click()
    window.page.locator("h1", has_text="概览").wait_for()


def remove(window: Window, name: str) -> None:
    """Remove it, after it has said once more who is there."""
    key(window, name, "删除")
    window.page.locator(BUTTON).first.click()
    window.page.get_by_role("link", name="使用安全密钥").click()
    window.page.locator("#mfa_webauthn_reauthenticate").wait_for()
    is_sound(window)
    window.page.locator("#mfa_webauthn_reauthenticate").click()
    window.page.locator("h1", has_text="移除安全密钥").wait_for()
    window.page.locator(BUTTON).first.click()
    window.page.get_by_text("还没有添加安全密钥。").wait_for()
