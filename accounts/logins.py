"""A login: whose memories it may rule, its language, and the names of the agents it meets."""

import uuid
import zoneinfo
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession

from accounts import audit, rights
from accounts.acting import acting
from accounts.choices import AuditCode, Theme
from accounts.models import Agent, Subject, User
from accounts.principal import Principal


def subjects_of(user_id: uuid.UUID) -> list[Subject]:
    """Return the living subjects linked to a login, each with its tenant, the oldest first."""
    linked = Subject.objects.of_login(user_id).select_related("tenant")
    return list(linked.order_by("created_at", "id"))


# What a person has set, which holds on when everything remembered is gone.
KEPT = (
    "tenant_id", "external_id", "login_id", "time_zone", "language", "memory_mode",
    "memory_mode_until", "learning", "undo_minutes", "hide_sensitive", "interests",
)  # fmt: skip


def begin_anew(principal: Principal, before: Subject) -> Subject:
    """Return a new subject in the place of one that was just erased; ``before`` is how that stood."""
    made = Subject.objects.create(**{name: getattr(before, name) for name in KEPT})
    audit.record(
        principal,
        AuditCode.SUBJECT_CREATED,
        subject_id=made.id,
        object_kind="subject",
        object_id=made.id,
    )
    return made


LOGIN = (
    "email", "language", "time_zone", "theme", "single_keys", "date_joined", "last_login",
    "sign_in_at",
)  # fmt: skip
SIGN_IN = ("user_agent", "ip", "created_at", "last_seen_at")
SECOND_FACTOR = ("type", "created_at", "last_used_at")


def kept_of(user_id: uuid.UUID | None) -> dict[str, Any] | None:
    """Return what is kept of a login, for its person: no password, and of a passkey its name alone."""
    user = User.objects.filter(id=user_id).first() if user_id else None
    if user is None:
        return None
    factors = Authenticator.objects.filter(user_id=user_id).order_by("id")
    sign_ins = UserSession.objects.filter(user_id=user_id).order_by("id")
    return {name: getattr(user, name) for name in LOGIN} | {
        "second_factors": [
            {name: getattr(one, name) for name in SECOND_FACTOR}
            | {"name": one.data.get("name", "")}
            for one in factors
        ],
        "sign_ins": list(sign_ins.values(*SIGN_IN)),
    }


def end_sign_ins(user_id: uuid.UUID) -> None:
    """Sign a login out everywhere."""
    for signed_in in UserSession.objects.filter(user_id=user_id):
        signed_in.end()  # what the session itself holds of the login goes too


def close_login(user_id: uuid.UUID) -> None:
    """Delete a login with its passkeys and sign-ins; whoever is signed in with it is so no more."""
    end_sign_ins(user_id)
    rights.end(User.objects.filter(id=user_id))


def save_language(user_id: uuid.UUID, code: str) -> None:
    """Remember the language a login reads in."""
    User.objects.filter(id=user_id).update(language=code)


def save_looks(user_id: uuid.UUID, *, theme: Theme, single_keys: bool) -> None:
    """Remember how a login sees the pages, and whether letters press buttons there."""
    User.objects.filter(id=user_id).update(theme=theme, single_keys=single_keys)


ZONE = "tz"  # the cookie in which a browser says its time zone


def zone_of(subject: Subject, seen: str) -> zoneinfo.ZoneInfo:
    """Return the time zone to show times in: the person's own, else what their browser says."""
    chosen = subject.time_zone if subject.time_zone != "UTC" else seen
    return zone_named(chosen)


def zone_named(name: str) -> zoneinfo.ZoneInfo:
    """Return the time zone of this name; UTC if there is none."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (ValueError, zoneinfo.ZoneInfoNotFoundError, OSError):
        return zoneinfo.ZoneInfo("UTC")


def agent_names(principal: Principal) -> dict[uuid.UUID, str]:
    """Return what the tenant's agents are called."""
    with acting(principal):
        rows = Agent.objects.filter(tenant_id=principal.tenant_id)
        return dict(rows.values_list("id", "name"))
