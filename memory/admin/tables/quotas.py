"""What the console asks before it sets a tenant's quotas."""

from typing import Any

from django import forms

from memory.admin import quotas
from memory.admin.asking import ReasonForm, action
from memory.policy import QUOTA
from memory.quotas import Quota


class QuotaForm(ReasonForm):
    """How much, of what is counted; all of them are set together."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Add a field for each quota."""
        super().__init__(*args, **kwargs)
        for one in Quota:
            default = getattr(QUOTA, one) or "no limit"
            self.fields[one] = forms.IntegerField(
                required=False,
                min_value=0,
                max_value=quotas.MOST,
                help_text=f"Empty: the default ({default}). 0: no limit.",
            )


SET_QUOTAS = action(
    quotas.set_quotas,
    "Set quotas",
    form=QuotaForm,
    warning="What is left empty has its default again.",
)
