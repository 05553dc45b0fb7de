"""An action on chosen rows: first a page that asks why, then the service, once a row."""

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from accounts import audit
from accounts.choices import ActorKind, HoldReason
from accounts.principal import Principal
from memory.admin.services import REASONS, TICKET, because
from memory.errors import InvalidInput
from memory.providers import outside

MOST = 200
KEY_NOTE = "Shown once. Hand it to whoever runs the agent, and keep it nowhere else."


class ReasonForm(forms.Form):
    """Why: a reason from the list and a ticket."""

    because = forms.ChoiceField(choices=[("", "Choose a reason"), *REASONS.items()], label="Reason")
    ticket = forms.RegexField(
        rf"\A{TICKET.pattern}\Z",
        max_length=24,
        label="Ticket",
        help_text="Its name, like OPS-123. No names of people: the audit log keeps it for ever.",
    )


class HoldForm(ReasonForm):
    """Why, and the ground the person is told."""

    ground = forms.ChoiceField(choices=HoldReason, label="Ground", help_text="The person sees it.")


class AddressForm(ReasonForm):
    """Why, and the address."""

    url = forms.CharField(max_length=500, label="Address", help_text="It begins with https://")

    def clean_url(self) -> str:
        """Refuse an address that could never be posted to."""
        url = str(self.cleaned_data["url"])
        try:
            outside.check(url)
        except outside.Refused as refused:
            raise forms.ValidationError(str(refused)) from None
        return url


def operator_for(request: HttpRequest, row: Any) -> Principal:
    """Return the signed-in operator at work on one row, in its tenant."""
    tenant_id = getattr(row, "tenant_id", row.pk)  # a tenant's own row has none
    return operator_in(request, tenant_id).using(subject_id=getattr(row, "person_id", None))


def operator_in(request: HttpRequest, tenant_id: uuid.UUID) -> Principal:
    """Return the signed-in operator at work in one tenant."""
    return Principal(
        kind=ActorKind.OPERATOR,
        tenant_id=tenant_id,
        actor_id=request.user.pk,
        label="console",
        address=audit.shorten(request.META.get("REMOTE_ADDR", "")),
    )


def action(
    service: Callable[..., bool | str | None],
    words: str,
    *,
    warning: str = "",
    form: type[ReasonForm] = ReasonForm,
    note: str = KEY_NOTE,
) -> Callable[..., HttpResponse | None]:
    """Return the admin action that asks for a reason and calls ``service`` for each chosen row.

    What ``form`` asks for besides goes to the service by name; a secret it returns is shown once, under
    ``note``. If it refuses one row, nothing is done to any.
    """
    name = str(getattr(service, "__name__", ""))

    def ask(
        table: "admin.ModelAdmin[Any]", request: HttpRequest, rows: QuerySet[Any]
    ) -> HttpResponse | None:
        chosen = list(rows[: MOST + 1])
        if len(chosen) > MOST:
            table.message_user(request, f"At most {MOST} rows at once.", messages.ERROR)
            return None
        sent = "because" in request.POST
        asked = form(request.POST, request.FILES) if sent else form()
        if not asked.is_valid():
            return why(table, request, asked, words, warning=warning, rows=chosen, action=name)
        try:
            done = _done(service, request, chosen, dict(asked.cleaned_data))
        except InvalidInput as refused:
            asked.add_error(None, refused.detail)
            return why(table, request, asked, words, warning=warning, rows=chosen, action=name)
        pairs = zip(chosen, done, strict=True)
        if secrets := [(row, one) for row, one in pairs if isinstance(one, str)]:
            return shown(table, request, secrets, words, note=note)
        changed = sum(map(bool, done))
        table.message_user(
            request, f"{words}: {changed} of {len(chosen)} changed.", messages.SUCCESS
        )
        return None

    ask.__name__ = name
    return admin.action(description=words, permissions=["view"])(ask)


def why(
    table: "admin.ModelAdmin[Any]",
    request: HttpRequest,
    form: forms.Form,
    words: str,
    *,
    warning: str = "",
    rows: Sequence[Any] = (),
    action: str = "",
) -> TemplateResponse:
    """Return the page that asks for the reason, and for what else ``form`` wants to know."""
    context = {
        **table.admin_site.each_context(request),
        "title": f"{words}?",
        "opts": table.opts,
        "rows": rows,
        "form": form,
        "action": action,
        "words": words,
        "warning": warning,
        "checkbox": ACTION_CHECKBOX_NAME,
    }
    return TemplateResponse(request, "admin/console/why.html", context)


def shown(
    table: "admin.ModelAdmin[Any]",
    request: HttpRequest,
    secrets: Sequence[tuple[Any, str]],
    words: str,
    *,
    note: str,
) -> TemplateResponse:
    """Return the page that shows secrets, this once."""
    context = {
        **table.admin_site.each_context(request),
        "title": words,
        "note": note,
        "secrets": secrets,
    }
    return TemplateResponse(request, "admin/console/shown.html", context)


@transaction.atomic
def _done[T](
    service: Callable[..., T], request: HttpRequest, rows: Sequence[Any], given: dict[str, Any]
) -> list[T]:
    """Call the service for each row with what the form was given, or for none; return its answers."""
    reason = because(given.pop("because"), given.pop("ticket"))
    return [service(operator_for(request, row), row.pk, reason=reason, **given) for row in rows]
