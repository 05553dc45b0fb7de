"""What the gate decided and what waits for people, counted."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from memory.admin.models import Decision, Review
from memory.admin.site import console
from memory.admin.table import Table
from memory.choices import Reason


class ReasonFilter(admin.SimpleListFilter):
    """One of a decision's reasons."""

    title = "reason"
    parameter_name = "reason"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        """Return every reason code."""
        return Reason.choices

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep decisions with this reason among theirs."""
        return queryset.filter(reasons__contains=[self.value()]) if self.value() else queryset


@admin.register(Decision, site=console)
class DecisionTable(Table):
    """The gate's answers, counted by outcome and reason."""

    list_display = ("created_at", "outcome", "reasons", "kind", "tenant", "person", "agent", "id")
    list_filter = ("outcome", ReasonFilter, "kind", "subtype")
    date_hierarchy = "created_at"
    ordering = ("-created_at",)
    totals = ("outcome", "reasons")
    names = ("request_id",)


@admin.register(Review, site=console)
class ReviewTable(Table):
    """What waits for people, counted."""

    list_display = ("created_at", "kind", "state", "tenant", "person", "snoozed_until", "id")
    list_filter = ("state", "kind")
    ordering = ("-created_at",)
    totals = ("state", "kind")
