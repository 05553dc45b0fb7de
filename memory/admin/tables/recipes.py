"""Recall recipes of organisations' own: made on an organisation's row, removed on their own."""

from typing import Any

from django import forms
from django.contrib import admin

from memory.admin import recipes
from memory.admin.asking import ReasonForm, action
from memory.admin.models import Recipe
from memory.admin.site import console
from memory.admin.table import Table
from memory.errors import InvalidInput
from memory.policy.adjusting import ADJUSTABLE, BASES


class RecipeForm(ReasonForm):
    """A recipe: its name, what it starts from, and the numbers that differ."""

    name = forms.CharField(
        max_length=30, help_text="As a recall names it; a name that exists is set anew."
    )
    base = forms.ChoiceField(choices=[(one, one) for one in BASES], label="Starts from")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Add a field for each number that may differ; an empty one stays as it is."""
        super().__init__(*args, **kwargs)
        for name, allowed in ADJUSTABLE.items():
            kind = forms.IntegerField if allowed.whole else forms.FloatField
            self.fields[name] = kind(
                required=False, help_text=f"{allowed.least:g} to {allowed.most:.15g}"
            )

    def clean(self) -> dict[str, Any]:
        """Return the recipe and the reason; say what of it is not allowed."""
        values = {**self.cleaned_data}
        numbers = {name: values.pop(name, None) for name in ADJUSTABLE}
        values["numbers"] = {name: one for name, one in numbers.items() if one is not None}
        if not self.errors:
            try:
                recipes.check(values["name"], values["base"], values["numbers"])
            except InvalidInput as refused:
                raise forms.ValidationError(refused.detail) from None
        return values


SET = action(recipes.set_recipe, "Set a recall recipe", form=RecipeForm)


@admin.register(Recipe, site=console)
class RecipeTable(Table):
    """Which recipes there are, with the numbers that differ from their base."""

    list_display = ("name", "tenant", "base", "numbers", "updated_at", "id")
    list_filter = ("base",)
    names = ("name",)
    actions = (
        action(
            recipes.remove_recipe,
            "Remove recall recipes",
            warning="Recalls that name them are refused from now on.",
        ),
    )
