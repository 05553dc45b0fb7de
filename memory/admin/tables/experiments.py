"""Experiments: begun on an organisation's row, ended and read on their own."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse

from memory.admin import experiments
from memory.admin.asking import ReasonForm, action
from memory.admin.models import Experiment
from memory.admin.site import console
from memory.admin.table import Table
from memory.choices.experiments import Arm, ExperimentKind
from memory.evaluation import proportions
from memory.policy import EXPERIMENT

SAYS = {
    proportions.TOO_SMALL: f"Too small to say: fewer than {EXPERIMENT.least} sessions of an arm have told how they ended.",
    proportions.NO_DIFFERENCE: "No difference is shown.",
    proportions.A_BETTER: "A is better.",
    proportions.B_BETTER: "B is better.",
}


class ExperimentForm(ReasonForm):
    """What is compared."""

    name = forms.CharField(max_length=40, help_text="Of a-z, 0-9, ., _ and -.")
    kind = forms.ChoiceField(choices=ExperimentKind.choices, label="Compare")
    recipe_a = forms.CharField(
        max_length=30, required=False, help_text="Of two recipes, the first."
    )
    recipe_b = forms.CharField(max_length=30, required=False, help_text="And the second.")


START = action(
    experiments.start_experiment,
    "Start an experiment",
    form=ExperimentForm,
    warning=(
        "Of the sessions of its agents, half recall otherwise from now on: without memory (safety facts "
        "always come), or by the other recipe. People see that an experiment runs."
    ),
)


@admin.register(Experiment, site=console)
class ExperimentTable(Table):
    """What was compared, and what came of it."""

    change_form_template = "admin/console/experiment.html"
    list_display = (
        "name",
        "tenant",
        "kind",
        "recipe_a",
        "recipe_b",
        "started_at",
        "ended_at",
        "id",
    )
    list_filter = ("kind", ("ended_at", admin.EmptyFieldListFilter))
    ordering = ("-started_at",)
    names = ("name",)
    actions = (action(experiments.end_experiment, "End experiments"),)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show one with its result."""
        row = self.get_object(request, object_id)
        shown = {} if row is None else _shown(experiments.result(row.pk))
        return super().change_view(request, object_id, form_url, shown | (extra_context or {}))


def _shown(found: experiments.Result) -> dict[str, Any]:
    arms = []
    for arm in Arm:
        share = found.told[arm.value]
        low, high = share.interval()
        arms.append(
            {
                "name": arm.label,
                "sessions": found.sessions.get(arm.value, 0),
                "told": share.of,
                "successes": share.successes,
                "share": _percent(share.value),
                "interval": f"{_percent(low)} – {_percent(high)}",
            }
        )
    one = found.difference
    return {
        "arms": arms,
        "says": SAYS[one.says],
        "difference": f"{100 * one.value:+.1f}",
        "interval": f"{100 * one.low:+.1f} – {100 * one.high:+.1f}",
        "small": one.says == proportions.TOO_SMALL,
    }


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
