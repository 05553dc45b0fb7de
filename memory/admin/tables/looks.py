"""Looks at people's memories: who may look at whom, until when, by whose leave."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from accounts.looks import MINUTES
from memory.admin import looks
from memory.admin.asking import ReasonForm, action
from memory.admin.models import Look
from memory.admin.site import console
from memory.admin.table import Table
from memory.choices import Sensitivity


class LookForm(ReasonForm):
    """Why, for how long, and up to which level."""

    minutes = forms.TypedChoiceField(
        coerce=int, choices=[(one, f"{one} minutes") for one in MINUTES]
    )
    clearance = forms.TypedChoiceField(
        label="Highest level",
        coerce=int,
        choices=[one for one in Sensitivity.choices if one[0] < Sensitivity.SECRET],
        initial=Sensitivity.PERSONAL,
    )


_ASK = action(
    looks.break_glass,
    "Look at a person's memories without being let",
    warning="The person is told that you looked, and why. The look then stands under Looks.",
    form=LookForm,
)


@admin.action(description=_ASK.short_description, permissions=["view"])  # type: ignore[attr-defined]
def break_glass(table: Any, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
    """Ask why, for one person at a time; then show the looks, the new one with its way in first."""
    if rows.count() > 1:
        table.message_user(request, "Choose one person.", "error")
        return None
    return _ASK(table, request, rows) or redirect("admin:console_look_changelist")


LOOK = break_glass
SWITCHES = (
    action(
        looks.allow_break_glass,
        "Let operators look without the person's leave",
        warning="Whoever is looked at is told. The people of the tenant see that it is allowed.",
    ),
    action(looks.refuse_break_glass, "Let nobody look without the person's leave"),
)


@admin.register(Look, site=console)
class LookTable(Table):
    """Looks, the open ones with the way in."""

    list_display = (
        "id",
        "way_in",
        "tenant",
        "person",
        "ground",
        "operator_id",
        "reason",
        "clearance",
        "created_at",
        "ends_at",
        "ended_at",
        "views",
    )
    list_filter = ("ground",)
    ordering = ("-created_at",)

    @admin.display(description="look")
    def way_in(self, row: Any) -> str:
        """Link to what an open look shows; whether it is this operator's is asked there."""
        if row.ended_at or row.ends_at <= timezone.now():
            return ""
        return format_html('<a href="{}">Look</a>', reverse("admin:look", args=[row.pk]))
