"""An action on chosen rows: first a page that asks why, then the service, once a row."""

from collections.abc import Callable
from typing import Any, Protocol

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from accounts import audit
from accounts.choices import ActorKind
from accounts.principal import Principal
from memory.admin.services import REASONS, TICKET, because

MOST = 200


class Service(Protocol):
    """One function of ``services``."""

    def __call__(self, operator: Principal, one: Any, /, *, reason: str) -> bool:
        """Do it to the row with this id; return whether anything changed."""


class ReasonForm(forms.Form):
    """Why: a reason from the list and a ticket."""

    because = forms.ChoiceField(choices=[("", "Choose a reason"), *REASONS.items()], label="Reason")
    ticket = forms.RegexField(
        rf"\A{TICKET.pattern}\Z",
        max_length=24,
        label="Ticket",
        help_text="Its name, like OPS-123. No names of people: the audit log keeps it for ever.",
    )


def operator_for(request: HttpRequest, row: Any) -> Principal:
    """Return the signed-in operator at work on one row, in its tenant."""
    return Principal(
        kind=ActorKind.OPERATOR,
        tenant_id=row.tenant_id,
        actor_id=request.user.pk,
        subject_id=getattr(row, "person_id", None),
        label="console",
        address=audit.shorten(request.META.get("REMOTE_ADDR", "")),
    )


def action(
    service: Service, words: str, *, warning: str = ""
) -> Callable[..., HttpResponse | None]:
    """Return the admin action that asks for a reason and calls ``service`` for each chosen row."""
    name = str(getattr(service, "__name__", ""))

    def ask(
        table: "admin.ModelAdmin[Any]", request: HttpRequest, rows: QuerySet[Any]
    ) -> HttpResponse | None:
        chosen = list(rows[: MOST + 1])
        if len(chosen) > MOST:
            table.message_user(request, f"At most {MOST} rows at once.", messages.ERROR)
            return None
        form = ReasonForm(request.POST if "because" in request.POST else None)
        if not form.is_valid():
            context = {
                **table.admin_site.each_context(request),
                "title": f"{words}?",
                "opts": table.opts,
                "rows": chosen,
                "form": form,
                "action": name,
                "words": words,
                "warning": warning,
                "checkbox": ACTION_CHECKBOX_NAME,
            }
            return TemplateResponse(request, "admin/console/why.html", context)
        reason = because(form.cleaned_data["because"], form.cleaned_data["ticket"])
        changed = sum(service(operator_for(request, row), row.pk, reason=reason) for row in chosen)
        table.message_user(
            request, f"{words}: {changed} of {len(chosen)} changed.", messages.SUCCESS
        )
        return None

    ask.__name__ = name
    return admin.action(description=words, permissions=["view"])(ask)
