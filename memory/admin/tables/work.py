"""Erasures with their steps, jobs, and notices."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils import timezone

from memory.admin import health, services
from memory.admin.asking import action
from memory.admin.models import Erasure, Job, Notice, Step
from memory.admin.site import console
from memory.admin.table import CodeFilter, Guarded, Table
from memory.choices import JobState, StepState

# A person who asks for erasure must have an answer within a month.
ANSWER_WITHIN = timedelta(days=30)


class Steps(Guarded, admin.TabularInline[Any, Any]):
    """An erasure's steps, in order."""

    model = Step
    fields = readonly_fields = (
        "store",
        "state",
        "attempts",
        "due_at",
        "count_before",
        "count_after",
        "verified_at",
        "error",
    )
    ordering = ("position",)
    extra = 0


class OpenFilter(admin.SimpleListFilter):
    """Erasures that are not done online."""

    title = "open"
    parameter_name = "open"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        """Offer the open ones."""
        return [("yes", "Open")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the open ones."""
        return queryset.filter(state__in=health.OPEN) if self.value() else queryset


@admin.register(Erasure, site=console)
class ErasureTable(Table):
    """Requests to erase, each with its deadline and the stores that are at fault."""

    list_display = (
        "id",
        "state",
        "scope",
        "requested_at",
        "deadline",
        "at_fault",
        "attempts",
        "tenant",
        "person",
    )
    list_filter = (OpenFilter, "state", "scope", "tenant")
    ordering = ("requested_at",)
    totals = ("state",)
    extra = ("deadline", "at_fault", "attempts")
    inlines = (Steps,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Add the first step that is not done."""
        undone = Step.objects.filter(erasure_id=OuterRef("pk")).exclude(state=StepState.DONE)
        first = undone.order_by("-attempts", "position")
        rows: QuerySet[Any] = (
            super()
            .get_queryset(request)
            .annotate(
                store=Subquery(first.values("store")[:1]),
                tries=Subquery(first.values("attempts")[:1]),
            )
        )
        return rows

    @admin.display(ordering="requested_at")
    def deadline(self, row: Any) -> datetime:
        """Return when the person must have an answer."""
        when: datetime = row.requested_at + ANSWER_WITHIN
        return when

    @admin.display(description="store at fault", ordering="store")
    def at_fault(self, row: Any) -> str:
        """Return the store that is not erased yet and was tried most."""
        return row.store or ""

    @admin.display(ordering="tries")
    def attempts(self, row: Any) -> int | None:
        """Return how often it was tried."""
        tries: int | None = row.tries
        return tries


@admin.register(Step, site=console)
class StepTable(Table):
    """One store's part of each erasure."""

    list_display = ("id", "store", "state", "attempts", "due_at", "error", "erasure", "tenant")
    list_filter = ("state", "store", ("error", CodeFilter), "tenant")
    ordering = ("due_at",)
    totals = ("state", "store")
    actions = (action(services.retry_step, "Retry failed steps"),)


class WaitingFilter(admin.SimpleListFilter):
    """Jobs whose time has come."""

    title = "waiting"
    parameter_name = "waiting"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        """Offer the waiting ones."""
        return [("yes", "Due or running")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the waiting ones."""
        open_ = (JobState.PENDING, JobState.RUNNING)
        due = queryset.filter(state__in=open_, due_at__lte=timezone.now())
        return due if self.value() else queryset


@admin.register(Job, site=console)
class JobTable(Table):
    """Work in the background."""

    list_display = (
        "id",
        "kind",
        "state",
        "attempts",
        "due_at",
        "finished_at",
        "error",
        "tenant",
        "person",
    )
    list_filter = (WaitingFilter, "state", "kind", ("error", CodeFilter), "tenant")
    ordering = ("-created_at",)
    totals = ("state", "kind")
    names = ("request_id",)
    actions = (action(services.retry_job, "Retry failed jobs"),)


@admin.register(Notice, site=console)
class NoticeTable(Table):
    """Notices to agents."""

    list_display = ("id", "topic", "created_at", "due_at", "attempts", "delivered_at", "tenant")
    list_filter = ("topic", ("delivered_at", admin.EmptyFieldListFilter), "tenant")
    ordering = ("-created_at",)
