"""Keys, invitations and grants, and the audit log of what was done with them."""

from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from memory.admin import services
from memory.admin.asking import action
from memory.admin.models import (
    Grant,
    Invitation,
    Key,
    Line,
)
from memory.admin.site import console
from memory.admin.table import CodeFilter, Table, YesFilter
from memory.admin.tables import chain, making


@admin.register(Key, site=console)
class KeyTable(Table):
    """Keys by their public part."""

    list_display = (
        "prefix",
        "kind",
        "tenant",
        "agent",
        "label",
        "created_at",
        "last_used_at",
        "expires_at",
        "revoked_at",
    )
    list_filter = ("kind", ("revoked_at", admin.EmptyFieldListFilter))
    names = ("prefix",)
    search_help_text = "An id, or the prefix of the key"
    actions = (
        making.ROTATE_KEY,
        action(
            services.revoke_key,
            "Revoke keys",
            warning="They stop working at once and cannot be brought back.",
        ),
    )


class OpenFilter(YesFilter):
    """Invitations that can still be used."""

    title = parameter_name = "open"
    words = "Open"

    def wanted(self) -> Q:
        """Keep the open ones."""
        return Q(used_at__isnull=True, expires_at__gt=timezone.now())


@admin.register(Invitation, site=console)
class InvitationTable(Table):
    """Links by which people take charge: who has one, and whether it was used."""

    list_display = ("id", "tenant", "person", "agent", "created_at", "expires_at", "used_at")
    list_filter = (OpenFilter, ("used_at", admin.EmptyFieldListFilter))
    ordering = ("-created_at",)
    actions = (making.WITHDRAW,)


@admin.register(Grant, site=console)
class GrantTable(Table):
    """What people let agents do."""

    list_display = (
        "id",
        "tenant",
        "person",
        "agent",
        "actions",
        "kinds",
        "clearance",
        "memory_mode",
        "expires_at",
        "paused_at",
    )
    list_filter = ("clearance", "memory_mode", ("paused_at", admin.EmptyFieldListFilter))


@admin.register(Line, site=console)
class LineTable(Table):
    """The audit log."""

    list_display = (
        "id",
        "at",
        "code",
        "actor_kind",
        "actor_label",
        "key_prefix",
        "object_kind",
        "object_id",
        "decision",
        "reason",
        "result_count",
    )
    list_filter = ("code", "actor_kind", ("object_kind", CodeFilter), ("decision", CodeFilter))
    ordering = ("-id",)
    names = ("key_prefix", "request_id")
    search_help_text = "An id, the prefix of a key, or a request_id"
    tools = (("verify", "Verify the chain"),)

    def verify(self, request: HttpRequest) -> HttpResponse:
        """Hold every line against its seal."""
        return chain.verify(self, request)
