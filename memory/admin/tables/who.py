"""Tenants, people and agents."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse

from memory.admin import services, webhooks
from memory.admin.asking import AddressForm, HoldForm, action
from memory.admin.models import (
    Agent,
    Person,
    Remembered,
    Review,
    Tenant,
    Verdict,
)
from memory.admin.site import console
from memory.admin.table import Table
from memory.admin.tables import evaluations, experiments, making
from memory.admin.tables.looks import LOOK, SWITCHES
from memory.admin.tables.quotas import SET_QUOTAS
from memory.admin.tables.recipes import SET
from memory.choices import GONE, ReviewState, verdicts


def _of(model: Any, column: str, wanted: Q) -> Any:
    """Return the number of a twin's rows that belong to the outer row."""
    mine = model.objects.filter(wanted, **{column: OuterRef("pk")}).order_by()
    counted = mine.values(column).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


@admin.register(Tenant, site=console)
class TenantTable(Table):
    """Organisations with their numbers."""

    list_display = (
        "name",
        "id",
        "people",
        "agents",
        "grants_on_first_use",
        "break_glass",
        "created_at",
    )
    names = ("name",)
    extra = ("people", "agents")
    actions = (
        making.ADD_AGENT,
        making.INVITE_USER,
        making.SET_DEFAULTS,
        making.ADD_PIPELINE_KEY,
        SET,
        SET_QUOTAS,
        evaluations.ADD_SET,
        evaluations.EVALUATE,
        experiments.START,
        *SWITCHES,
    )
    tools = (("new", "Add a tenant"),)

    def new(self, request: HttpRequest) -> HttpResponse:
        """Make an organisation."""
        return making.new_tenant(self, request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Add the numbers."""
        rows: QuerySet[Any] = (
            super()
            .get_queryset(request)
            .annotate(
                n_people=_of(Person, "tenant_id", Q(erased_at__isnull=True)),
                n_agents=_of(Agent, "tenant_id", Q()),
            )
        )
        return rows

    @admin.display(ordering="n_people")
    def people(self, row: Any) -> int:
        """Count living subjects."""
        return int(row.n_people)

    @admin.display(ordering="n_agents")
    def agents(self, row: Any) -> int:
        """Count agents."""
        return int(row.n_agents)


@admin.register(Person, site=console)
class PersonTable(Table):
    """People: ids, switches and numbers."""

    list_display = (
        "id",
        "external_id",
        "tenant",
        "memory_mode",
        "learning",
        "memories",
        "waiting",
        "created_at",
        "held_at",
        "hold_reason",
        "erased_at",
    )
    list_filter = (
        "memory_mode",
        "learning",
        ("held_at", admin.EmptyFieldListFilter),
        ("erased_at", admin.EmptyFieldListFilter),
    )
    names = ("external_id",)
    search_help_text = "An id, or the exact user_id"
    totals = ("memory_mode", "learning")
    extra = ("memories", "waiting")
    actions = (
        making.INVITE_PERSON,
        LOOK,
        action(
            services.hold_person,
            "Put people on hold",
            warning="Nothing of them is destroyed until the hold ends. They see it, with the ground.",
            form=HoldForm,
        ),
        action(
            services.end_hold,
            "End holds",
            warning="What they had erased meanwhile is destroyed now.",
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Add the numbers."""
        kept = ~Q(state__in=GONE)
        rows: QuerySet[Any] = (
            super()
            .get_queryset(request)
            .annotate(
                n_memories=_of(Remembered, "person_id", kept),
                n_waiting=_of(Review, "person_id", Q(state=ReviewState.OPEN)),
            )
        )
        return rows

    @admin.display(ordering="n_memories")
    def memories(self, row: Any) -> int:
        """Count what is remembered."""
        return int(row.n_memories)

    @admin.display(ordering="n_waiting", description="waiting reviews")
    def waiting(self, row: Any) -> int:
        """Count open questions."""
        return int(row.n_waiting)


@admin.register(Agent, site=console)
class AgentTable(Table):
    """Programs; a paused one's keys let nobody in."""

    list_display = (
        "name",
        "id",
        "tenant",
        "system_of_record",
        "may_link",
        "helped",
        "hurt",
        "wrong",
        "created_at",
        "paused_at",
    )
    list_filter = ("system_of_record", "may_link", ("paused_at", admin.EmptyFieldListFilter))
    names = ("name",)
    extra = ("helped", "hurt", "wrong")
    actions = (
        making.ADD_KEY,
        action(services.pause_agent, "Pause agents", warning="Their keys stop working at once."),
        action(services.resume_agent, "Resume agents"),
        action(
            services.allow_links,
            "Let agents give links",
            warning="Whoever opens such a link takes charge of a person's memory.",
        ),
        action(services.refuse_links, "Let agents give no links"),
        action(
            webhooks.register_target,
            "Tell an agent of erasures at an address",
            warning="The secret that signs what is sent is shown once, on the next page.",
            form=AddressForm,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Add how often it gave each verdict on what it was handed."""
        counts = {
            f"n_{one.value}": _of(Verdict, "agent_id", Q(verdict=one)) for one in verdicts.Verdict
        }
        rows: QuerySet[Any] = super().get_queryset(request).annotate(**counts)
        return rows

    @admin.display(ordering="n_helped")
    def helped(self, row: Any) -> int:
        """Count what it says helped."""
        return int(row.n_helped)

    @admin.display(ordering="n_hurt")
    def hurt(self, row: Any) -> int:
        """Count what it says made answers worse."""
        return int(row.n_hurt)

    @admin.display(ordering="n_wrong")
    def wrong(self, row: Any) -> int:
        """Count what it called wrong."""
        return int(row.n_wrong)
