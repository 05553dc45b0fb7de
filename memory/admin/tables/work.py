"""Erasures with their steps, jobs, documents, and notices."""

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest

from memory.admin import health, services, webhooks
from memory.admin.asking import action
from memory.admin.models import Document, Erasure, Job, Notice, Step, Target
from memory.admin.moments import moment
from memory.admin.site import console
from memory.admin.table import CodeFilter, Guarded, Table, YesFilter
from memory.choices import StepState
from memory.models.erasure import OPEN_STATES

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


class OpenFilter(YesFilter):
    """Erasures that are not done online."""

    title = parameter_name = "open"
    words = "Open"

    def wanted(self) -> Q:
        """Keep the open ones."""
        return Q(state__in=OPEN_STATES)


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
        "hold_reason",
        "tenant",
        "person",
    )
    list_filter = (OpenFilter, "state", "scope")
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
    def deadline(self, row: Any) -> str:
        """Return when the person must have an answer."""
        return moment(row.requested_at + ANSWER_WITHIN)

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
    list_filter = ("state", "store", ("error", CodeFilter))
    ordering = ("due_at",)
    totals = ("state", "store")
    actions = (action(services.retry_step, "Retry failed steps"),)


class WaitingFilter(YesFilter):
    """Jobs whose time has come."""

    title = parameter_name = "waiting"
    words = "Due or running"

    def wanted(self) -> Q:
        """Keep the waiting ones."""
        return health.due()


@admin.register(Job, site=console)
class JobTable(Table):
    """Work in the background."""

    list_display = (
        "id",
        "kind",
        "state",
        "done",
        "total",
        "tally",
        "attempts",
        "due_at",
        "finished_at",
        "error",
        "tenant",
        "person",
    )
    list_filter = (WaitingFilter, "state", "kind", ("error", CodeFilter))
    ordering = ("-created_at",)
    totals = ("state", "kind")
    names = ("request_id",)
    actions = (
        action(services.retry_job, "Retry failed jobs"),
        action(
            services.cancel_job,
            "Cancel jobs, or put failed ones away",
            warning="What they have done stays; a worker at one stops at its next step.",
        ),
    )


@admin.register(Document, site=console)
class DocumentTable(Table):
    """Documents: where each stands and how much it is, not what."""

    list_display = (
        "id",
        "state",
        "fault",
        "format",
        "size",
        "passage_count",
        "revision",
        "tries",
        "updated_at",
        "tenant",
    )
    list_filter = ("state", ("fault", CodeFilter), "format")
    ordering = ("-created_at",)
    totals = ("state", "fault")


@admin.register(Notice, site=console)
class NoticeTable(Table):
    """Notices to agents: ids and times, how often each was tried and what the address answered."""

    list_display = (
        "id",
        "state",
        "agent",
        "attempts",
        "status",
        "error",
        "due_at",
        "delivered_at",
        "acknowledged_at",
        "created_at",
        "tenant",
    )
    list_filter = ("state", ("error", CodeFilter), ("acknowledged_at", admin.EmptyFieldListFilter))
    ordering = ("-created_at",)
    totals = ("state",)
    actions = (action(webhooks.retry_notice, "Send failed notices again"),)


@admin.register(Target, site=console)
class TargetTable(Table):
    """Where agents are told of erasures."""

    list_display = ("id", "agent", "url", "created_at", "revoked_at", "tenant")
    list_filter = (("revoked_at", admin.EmptyFieldListFilter),)
    ordering = ("-created_at",)
    actions = (
        action(
            webhooks.revoke_target,
            "Send nothing there any more",
            warning="The agent can still fetch what was erased.",
        ),
    )
