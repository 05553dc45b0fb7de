"""Every page of the service: how to come to it, and as whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from tests.browser import ways
from tests.console.test_crawl import TABLES

if TYPE_CHECKING:
    from tests.browser.chromium import Window
    from tests.browser.world import World

type Way = Callable[[Window, World], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One page: the way there, who goes it, and the name of the address it covers."""

    way: Way
    who: str = "lin"
    covers: str = ""


def at(name: str, *args: str, who: str = "lin", query: str = "", status: int = 200) -> Place:
    """Return the page at an address; each of ``args`` is found in the world, or stands as it is."""

    def way(window: Window, world: World) -> None:
        path = reverse(name, args=[_found(world, one) for one in args])
        window.go(path + query, status=status)

    return Place(way=way, who=who, covers=name)


def _found(world: World, path: str) -> str:
    name, _, key = path.partition(".")
    found: Any = getattr(world, name, path)
    return str(found[key] if key else found)


def by(way: Way, *, who: str = "lin", covers: str = "") -> Place:
    """Return the page at the end of a way."""
    return Place(way=way, who=who, covers=covers)


def guarded(name: str, *, who: str = "lin") -> Place:
    """Return a page that asks for the password once more."""
    return by(lambda window, _: ways.again(window, reverse(name)), who=who, covers=name)


def console(path: str) -> Place:
    """Return a page of the operators' console."""
    return by(lambda window, _: window.go(f"/admin/{path}"), who="operator")


DASHBOARD: Mapping[str, Place] = {
    "overview": at("overview"),
    "overview-empty": at("overview", who="nova"),
    "overview-two-persons": at("overview", who="both"),
    "overview-no-person": at("overview", who="linkless"),
    "memories": at("memories"),
    "memories-filtered": at("memories", query="?state=pending&kind=semantic"),
    "bulk": by(ways.picked, covers="bulk"),
    "export-picked": by(ways.picked_to_export),
    "months": at("months"),
    "memories-table": at("memories", query="?view=table&sort=oldest&when=recent"),
    "memories-none": at("memories", query="?basis=imported"),
    "memories-empty": at("memories", who="nova"),
    "search": by(ways.search, covers="memories-search"),
    "search-none": by(ways.nothing_found),
    "memory": at("memory", "memories.plain"),
    "memory-chinese": at("memory", "memories.chinese"),
    "memory-paused": at("memory", "memories.paused"),
    "memory-forgotten": at("memory", "memories.forgotten"),
    "memory-sensitive": at("memory", "memories.sensitive"),
    "memory-new": at("memory-new"),
    "memory-edit": at("memory-edit", "memories.plain"),
    "memory-edit-refused": by(ways.no_wording),
    "memory-edit-conflict": by(ways.conflict),
    "memory-compare": at("memory-compare", "memories.plain"),
    "wording-erase": at("wording-erase", "memories.plain", "1"),
    "memory-source": at("memory-source", "memories.chinese"),
    "memory-forget": at("memory-forget", "memories.chinese"),
    "memory-erase": at("memory-erase", "memories.forgotten"),
    "sessions": at("sessions"),
    "sessions-none": at("sessions", who="nova"),
    "session": at("session", "session"),
    "session-erase": at("session-erase", "session"),
    "forgotten": at("forgotten"),
    "forgotten-erase": by(ways.forgotten_together, who="spare", covers="bulk-erase"),
    "forgotten-none": at("forgotten", who="nova"),
    "too-late": by(ways.too_late, who="spare"),
    "erasures": at("erasures"),
    "erasures-none": at("erasures", who="nova"),
    "erasure": at("erasure", "erased"),
    "erasure-stuck": at("erasure", "stuck"),
    "erase-all": at("erase-all"),
    "erase-all-refused": by(ways.no_phrase),
    "account-delete": at("account-delete", who="both"),
    "ended": at("ended", "ended", who="nobody"),
    "reviews": at("reviews"),
    "reviews-none": at("reviews", who="nova"),
    "review-edit": at("review-edit", "reviews.new"),
    "activity": at("activity"),
    "activity-none": at("activity", who="nova", query="?who=operator"),
    "agents": at("agents"),
    "agents-none": at("agents", who="nova"),
    "agent": at("agent", "agent"),
    "connect": at("connect"),
    "connect-operator": at("connect", who="operator"),
    "merge": at("merge", "merge"),
    "export": at("export"),
    "report": guarded("report"),
    "import": at("import"),
    "import-look": by(ways.brought_along, covers="import-look"),
    "setup": by(ways.first_operator, who="nobody", covers="setup"),
    "setup-refused": by(ways.no_first_operator, who="nobody"),
    "setup-done": by(ways.first_operator_made, who="nobody"),
    "help": at("help"),
    "settings": at("settings"),
    "support-access": at("support-access"),
    "account": at("account"),
    "account-linkless": at("account", who="linkless"),
    "account-refused": by(ways.no_zone),
    "devices": at("account-devices"),
    "keys": at("account-keys"),
    "key-new": guarded("account-key-new"),
    "agent-disconnect": at("agent-disconnect", "agent"),
    "agents-disconnect": at("agents-disconnect"),
    "link": by(lambda window, world: window.go(world.link()), covers="link"),
    "link-signed-out": by(lambda window, world: window.go(world.link()), who="nobody"),
    "link-refused": by(ways.no_login, who="nobody"),
    "link-used": at("link", "used-long-ago", who="nobody", status=404),
    "not-here": at("memory", ways.NOTHING, status=404),
    "no-address": by(lambda window, _: window.go("/no/such/", status=404), who="nobody"),
    "stale-form": by(ways.stale_form),
    "crash": by(ways.crash),
}
ACCOUNT: Mapping[str, Place] = {
    "sign-in": at("account_login", who="nobody"),
    "sign-in-refused": by(ways.wrong_password, who="nobody"),
    "sign-in-second-factor": by(ways.second_factor, who="nobody", covers="mfa_authenticate"),
    "sign-out": at("account_logout"),
    "sign-up": by(lambda window, _: window.go("/accounts/signup/", status=404), who="nobody"),
    "inactive": at("account_inactive", who="nobody"),
    "password": at("account_change_password"),
    "password-again": at("account_reauthenticate"),
    "second-factor": at("mfa_index"),
    "second-factor-on": at("mfa_index", who="guarded"),
    "second-factor-again": at("mfa_reauthenticate", who="guarded"),
    "app-activate": guarded("mfa_activate_totp"),
    "app-deactivate": guarded("mfa_deactivate_totp", who="guarded"),
    "codes": guarded("mfa_view_recovery_codes", who="guarded"),
    "codes-new": guarded("mfa_generate_recovery_codes", who="guarded"),
    "passkeys": guarded("mfa_list_webauthn"),
    "passkey-new": guarded("mfa_add_webauthn"),
}
CONSOLE: dict[str, Place] = {
    "console": console(""),
    "console-find": console("find/?q=nothing"),
    "console-quality": console("quality/"),
    **{f"console-{name}": console(f"console/{name}/") for name in TABLES},
    "console-manual": console("manual/"),
    "console-new": console("console/tenant/new/"),
    "console-chain": console("console/line/verify/"),
    "console-looking": by(
        lambda window, world: window.go(f"/admin/look/{world.look}/"), who="operator"
    ),
    "console-why": by(ways.asked_why, who="operator"),
}
PEOPLES: dict[str, Place] = {**DASHBOARD, **ACCOUNT}
