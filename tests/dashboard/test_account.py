"""The account: how pages look, the zone, devices, the person's own keys; sessions that cannot be taken."""

from __future__ import annotations

import html
import re
import uuid
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import keys
from accounts.audit import shorten
from accounts.devices import called
from accounts.models import ApiKey, AuditEvent, Subject, User
from tests.cast import Api, Cast
from tests.dashboard.conftest import PASSWORD, sign_in

EMAIL = "alice@example.com"
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605 Version/26 Safari/604"
)
EDGE = f"{CHROME} Edg/156.0".replace("X11; Linux x86_64", "Windows NT 10.0; Win64; x64")


@pytest.fixture(autouse=True)
def _no_rate_limits() -> None:
    cache.clear()


def flat(content: bytes) -> str:
    return html.unescape(re.sub(r"\s+", " ", content.decode()))


def enter(*, agent: str = CHROME, network: str = "203.0.113.77") -> Client:
    client = Client(SERVER_NAME="localhost", REMOTE_ADDR=network, headers={"User-Agent": agent})
    client.post(reverse("account_login"), {"login": EMAIL, "password": PASSWORD})
    assert client.get("/").status_code == 200
    return client


def again(client: Client) -> None:
    """Give the password once more, which new keys ask for."""
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


def text_of(client: Client, name: str) -> str:
    answer = client.get(reverse(name))
    assert answer.status_code == 200
    return flat(answer.content)


def test_pages_look_as_the_login_wants(alice: Client) -> None:
    assert "data-theme" not in text_of(alice, "overview")
    answer = alice.post(reverse("account-looks"), {"theme": "dark"}, follow=True)
    assert "The pages look like this from now on." in flat(answer.content)
    for name in ("overview", "account", "mfa_index"):
        text = text_of(alice, name)
        assert 'data-theme="dark"' in text and 'data-keys="off"' in text, name
    alice.post(reverse("account-looks"), {"theme": "system", "keys": "on"})
    text = text_of(alice, "overview")
    assert "data-theme" not in text and "data-keys" not in text
    assert alice.post(reverse("account-looks"), {"theme": "neon"}).status_code == 422


def test_times_are_shown_in_the_zone_that_was_chosen(alice: Client, cast: Cast) -> None:
    answer = alice.post(reverse("account-zone"), {"zone": "Asia/Shanghai"}, follow=True)
    assert "Asia/Shanghai" in flat(answer.content)
    assert Subject.objects.get(id=cast.alice.id).time_zone == "Asia/Shanghai"
    line = AuditEvent.objects.get(code="subject.preferences_changed")
    assert line.fields == ["time_zone"]
    for wrong in ("Mars/Base", "../etc/passwd"):
        answer = alice.post(reverse("account-zone"), {"zone": wrong})
        assert answer.status_code == 422 and 'aria-invalid="true"' in answer.content.decode()
    alice.post(reverse("account-zone"), {"zone": ""})
    assert Subject.objects.get(id=cast.alice.id).time_zone == "UTC"


def test_a_login_without_a_person_has_an_account_too(cast: Cast) -> None:
    text = text_of(sign_in(email="linkless@example.com"), "account")
    assert "Light or dark" in text and "Time zone" not in text and "Keys of your own" not in text


class TestDevices:
    def test_each_place_is_named_and_ended_from_here(self, alice: Client, cast: Cast) -> None:
        here, phone = enter(), enter(agent=IPHONE, network="198.51.100.9")
        text = text_of(here, "account-devices")
        assert text.count("signed in ") >= 2 and text.count("This one") == 1
        words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", text))
        assert "Chrome · Linux" in words and "Safari · iOS" in words
        assert "198.51.100.0" in text and "198.51.100.9" not in text
        answer = here.post(reverse("account-sign-out"), follow=True)
        assert "You are signed in here only." in flat(answer.content)
        assert phone.get("/").status_code == 302 and here.get("/").status_code == 200
        assert reverse("account-sign-out") not in text_of(here, "account-devices")

    @pytest.mark.parametrize("network", ["203.0.113.77", "2001:db8:7:1:a:b:c:d", "::1"])
    def test_no_more_of_an_address_is_kept_than_its_network(
        self, alice: Client, cast: Cast, network: str
    ) -> None:
        client = enter(network=network)
        row = UserSession.objects.get(session_key=client.session.session_key)
        assert row.ip == shorten(network)
        UserSession.objects.filter(id=row.id).update(ip=network)  # whoever writes it
        assert UserSession.objects.get(id=row.id).ip == shorten(network)

    def test_others_logins_stay(self, alice: Client, bob: Client, cast: Cast) -> None:
        enter().post(reverse("account-sign-out"))
        assert bob.get("/").status_code == 200

    def test_another_password_ends_the_others(self, alice: Client, cast: Cast) -> None:
        here, there = enter(), enter()
        again(here)
        new = "another battery staple horse"
        fields = {"oldpassword": PASSWORD, "password1": new, "password2": new}
        here.post(reverse("account_change_password"), fields)
        assert here.get("/").status_code == 200 and there.get("/").status_code == 302
        assert text_of(here, "account-devices").count("This one") == 1

    @pytest.mark.parametrize(
        ("said", "found"),
        [
            (CHROME, ("Chrome", "Linux")),
            (IPHONE, ("Safari", "iOS")),
            (EDGE, ("Edge", "Windows")),
            ("curl/8.5", ("", "")),
            ("", ("", "")),
        ],
    )
    def test_what_a_browser_says_of_itself(self, said: str, found: tuple[str, str]) -> None:
        assert called(said) == found


class TestSessions:
    def test_signing_in_changes_the_session(self, alice: Client, cast: Cast) -> None:
        """A session that somebody else knows, or put there, is worth nothing afterwards."""
        client = Client(SERVER_NAME="localhost")
        client.get(reverse("account_login"))
        session = client.session
        session["planted"] = "1"
        session.save()
        client.cookies["sessionid"] = planted = str(session.session_key)
        client.post(reverse("account_login"), {"login": EMAIL, "password": PASSWORD})
        assert client.cookies["sessionid"].value != planted
        attacker = Client(SERVER_NAME="localhost")
        attacker.cookies["sessionid"] = planted
        assert attacker.get("/").status_code == 302 and client.get("/").status_code == 200

    def test_signing_out_ends_it_on_the_server(self, alice: Client, cast: Cast) -> None:
        client = enter()
        stolen = client.cookies["sessionid"].value
        client.post(reverse("account_logout"))
        thief = Client(SERVER_NAME="localhost")
        thief.cookies["sessionid"] = stolen
        assert thief.get("/").status_code == 302

    def test_the_cookie_is_for_this_server_and_no_script(self, alice: Client, cast: Cast) -> None:
        cookie = enter().cookies["sessionid"]
        assert cookie["httponly"] and cookie["samesite"] == "Lax"

    @pytest.mark.parametrize(
        "name", ["account", "account-devices", "account-keys", "support-access"]
    )
    def test_no_page_stands_in_a_frame(self, alice: Client, name: str) -> None:
        answer = alice.get(reverse(name))
        assert answer["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]

    @pytest.mark.parametrize(
        "name",
        ["account-looks", "account-zone", "account-sign-out", "account-key-new", "support-access"],
    )
    def test_a_form_from_elsewhere_changes_nothing(self, alice: Client, name: str) -> None:
        strict = Client(SERVER_NAME="localhost", enforce_csrf_checks=True)
        strict.cookies = alice.cookies
        assert strict.post(reverse(name)).status_code == 403


class TestOwnKeys:
    def make(self, client: Client, **data: str) -> str:
        again(client)
        given = {"label": "my script 我的脚本", "days": "30"} | data
        return flat(client.post(reverse("account-key-new"), given).content)

    def test_a_key_is_made_after_the_password_and_shown_once(
        self, alice: Client, cast: Cast
    ) -> None:
        answer = alice.post(reverse("account-key-new"), {"label": "x", "days": "30"})
        assert answer.status_code == 302 and "reauthenticate" in answer["Location"]
        assert not self.mine(cast)
        found = re.search(r"ks_live_\w+", self.make(alice).replace("-", "_"))
        assert found is not None
        (key,) = self.mine(cast)
        assert timedelta(days=29) < key.expires_at - timezone.now() <= timedelta(days=30)  # type: ignore[operator]
        text = text_of(alice, "account-keys")
        assert "my script 我的脚本" in text and key.prefix in text and found[0] not in text

    def mine(self, cast: Cast) -> list[ApiKey]:
        from accounts.acting import acting
        from tests.cast import system_of

        with acting(system_of(cast.alice)):
            rows = ApiKey.objects.filter(subject_id=cast.alice.id, label__startswith="my")
            return list(rows.filter(revoked_at__isnull=True))

    def test_it_works_until_it_is_revoked(self, alice: Client, bob: Client, cast: Cast) -> None:
        found = re.search(r"<code>(ks_live_[\w-]+)</code>", self.make(alice))
        assert found is not None
        api = Api(found[1])
        assert api("GET", "memories?user_id=alice").status_code == 200
        address = reverse("account-key-revoke", args=[self.mine(cast)[0].id])
        assert bob.post(address).status_code == 404
        assert api("GET", "memories?user_id=alice").status_code == 200
        alice.post(address)
        assert api("GET", "memories?user_id=alice").status_code == 401
        assert alice.post(address).status_code == 404
        assert keys.find(found[1]) is None

    @pytest.mark.parametrize("wrong", [{"label": " "}, {"label": "x" * 101}, {"days": "9999"}])
    def test_what_is_no_key_is_not_made(
        self, alice: Client, cast: Cast, wrong: dict[str, str]
    ) -> None:
        assert "choose how long it lasts" in self.make(alice, **wrong)
        assert not self.mine(cast)

    def test_anothers_key_is_not_there(self, alice: Client, cast: Cast) -> None:
        address = reverse("account-key-revoke", args=[uuid.uuid4()])
        assert alice.post(address).status_code == 404


def test_a_login_keeps_its_looks_apart_from_others(alice: Client, bob: Client) -> None:
    alice.post(reverse("account-looks"), {"theme": "light"})
    assert "data-theme" not in text_of(bob, "overview")
    assert User.objects.get(email=EMAIL).theme == "light"
