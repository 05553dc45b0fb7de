"""No page is forgotten: each address has its place among those that are looked at."""

from __future__ import annotations

from django.urls import get_resolver

from tests.browser.places import PEOPLES

CHANGES = {
    "account-key-revoke",
    "account-looks",
    "account-sign-out",
    "account-zone",
    "agent-pause",
    "agent-resume",
    "agent-rights",
    "agents-pause",
    "bulk-confirm",
    "bulk-undo",
    "import-drop",
    "import-take",
    "key-revoke",
    "language",
    "learn-again",
    "memory-pause",
    "merge-unlink",
    "memory-restore",
    "memory-resume",
    "memory-show",
    "memory-undo",
    "person",
    "review-keep",
    "review-later",
    "review-reject",
    "review-together",
    "review-undo",
    "source-unlearn",
    "wording-restore",
    "settings-interests",
    "settings-learning",
    "settings-mode",
    "settings-undo",
    "view-drop",
    "view-keep",
    "settings-lists",
    "support-stop",
}
PARTS_AND_FILES = {
    "activity-export",
    "overview-recent",
    "connect-calls",
    "ended-receipt",
    "report-file",
    "erasure-receipt",
    "mfa_download_recovery_codes",
}
# This server sends no mail and nobody signs up: these lead nowhere (config/urls.py).
CLOSED = {
    "account_confirm_email",
    "account_confirm_login_code",
    "account_confirm_reauthentication_code",
    "account_email",
    "account_email_verification_sent",
    "account_request_reauthentication_code",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "account_set_password",
    "account_signup",
    "usersessions_list",
}
# A key of an agent that serves one person alone: tests/dashboard/test_agents.py.
WITH_A_KEY_OF_ITS_OWN = {"key-rotate"}
# A key signs in, is renamed, is removed: tests/browser/test_passkeys.py.
WITH_A_KEY = {
    "mfa_edit_webauthn",
    "mfa_login_webauthn",
    "mfa_reauthenticate_webauthn",
    "mfa_remove_webauthn",
}
NO_PEOPLES = ("api-", "health-", "metrics")


def test_every_address_is_looked_at() -> None:
    named = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    of_people = {name for name in named if not name.startswith(NO_PEOPLES)}
    covered = {place.covers for place in PEOPLES.values()} - {""}
    assert of_people - covered == (
        CHANGES | PARTS_AND_FILES | CLOSED | WITH_A_KEY | WITH_A_KEY_OF_ITS_OWN
    )
