"""Evaluations that were saved, one beside another, and the sets they were made on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from memory.admin import evaluations
from memory.admin.asking import ReasonForm, action
from memory.admin.models import Run, Set
from memory.admin.site import console
from memory.admin.table import CodeFilter, Table

BOTH = 2


class SetForm(ReasonForm):
    """A file to measure on."""

    name = forms.CharField(
        max_length=40, help_text="Of a-z, 0-9, ., _ and -. One that exists is replaced."
    )
    content = forms.FileField(
        label="File", help_text="JSONL as docs/evaluate.md says under “all”, UTF-8, at most 10 MB."
    )

    def clean_content(self) -> bytes:
        """Return the file's bytes."""
        content: bytes = self.cleaned_data["content"].read()
        return content


class EvaluateForm(ReasonForm):
    """What is measured on what."""

    on = forms.CharField(
        max_length=40,
        initial="100",
        label="On",
        help_text="The name of an evaluation set of the tenant, or 100 or 1000 sessions of the example.",
    )
    policy = forms.CharField(
        max_length=30,
        initial="default",
        label="Recall recipe",
        help_text="One of the tenant's too.",
    )
    name = forms.CharField(
        max_length=40, required=False, help_text="To know it by; of a-z, 0-9, ., _ and -."
    )


ADD_SET = action(
    evaluations.add_set,
    "Add an evaluation set",
    form=SetForm,
    warning="It is sealed. Bring no more of people than the measurement needs.",
)
EVALUATE = action(
    evaluations.evaluate_tenant,
    "Measure the service",
    form=EvaluateForm,
    warning="A worker is busy with it for minutes. Nothing it stores is kept but the numbers.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One number in two evaluations; None where one has none."""

    name: str
    one: float | None
    other: float | None

    @property
    def difference(self) -> float | None:
        """Return by how much the second is more."""
        if self.one is None or self.other is None:
            return None
        return round(self.other - self.one, 4)


def side_by_side(one: Mapping[str, float], other: Mapping[str, float]) -> Sequence[Row]:
    """Return every number of either, by name."""
    names = sorted({*one, *other})
    return [Row(name=name, one=one.get(name), other=other.get(name)) for name in names]


@admin.action(description="Compare two", permissions=["view"])
def compare(table: Any, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
    """Show two evaluations side by side, the earlier first."""
    chosen = list(rows.order_by("at")[: BOTH + 1])
    if len(chosen) != BOTH:
        table.message_user(request, "Choose two.", messages.ERROR)
        return None
    context = {
        **table.admin_site.each_context(request),
        "title": "Two evaluations",
        "opts": table.opts,
        "runs": chosen,
        "same_data": chosen[0].digest == chosen[1].digest != "",
        "rows": side_by_side(chosen[0].numbers, chosen[1].numbers),
    }
    return TemplateResponse(request, "admin/console/compare.html", context)


@admin.register(Run, site=console)
class RunTable(Table):
    """Evaluations: on what, with which recipe and version, and the numbers that came out."""

    change_form_template = "admin/console/run.html"
    list_display = (
        "id",
        "what",
        "name",
        "data",
        "state",
        "done",
        "total",
        "version",
        "seconds",
        "at",
        "error",
    )
    list_filter = ("what", "state", ("error", CodeFilter))
    ordering = ("-at",)
    totals = ("state",)
    names = ("name", "digest")
    search_help_text = "An id, a name, or the digest of a file"
    actions = (compare,)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return every column but the numbers, which have a table of their own."""
        return [one for one in super().get_fields(request, obj) if one != "numbers"]


@admin.register(Set, site=console)
class SetTable(Table):
    """Files to measure on: how large, not what stands in them."""

    list_display = ("name", "tenant", "lines", "size", "digest", "created_at", "id")
    ordering = ("-created_at",)
    names = ("name", "digest")
    actions = (
        action(
            evaluations.remove_set,
            "Remove evaluation sets",
            warning="The file is gone then; what was measured on it stays.",
        ),
    )
