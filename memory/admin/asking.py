"""An action on chosen rows: first a page that asks why, then the service, once a row."""

from collections.abc import Callable, Sequence
from typing import Any

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
from memory.errors import InvalidInput
from memory.providers import outside

MOST = 200


class ReasonForm(forms.Form):
    """Why: a reason from the list and a ticket."""

    because = forms.ChoiceField(choices=[("", "Choose a reason"), *REASONS.items()], label="Reason")
    ticket = forms.RegexField(
        rf"\A{TICKET.pattern}\Z",
        max_length=24,
        label="Ticket",
        help_text="Its name, like OPS-123. No names of people: the audit log keeps it for ever.",
    )


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
    return Principal(
        kind=ActorKind.OPERATOR,
        tenant_id=getattr(row, "tenant_id", row.pk),  # a tenant's own row has none
        actor_id=request.user.pk,
        subject_id=getattr(row, "person_id", None),
        label="console",
        address=audit.shorten(request.META.get("REMOTE_ADDR", "")),
    )


def action(
    service: Callable[..., bool | str | None],
    words: str,
    *,
    warning: str = "",
    form: type[ReasonForm] = ReasonForm,
) -> Callable[..., HttpResponse | None]:
    """Return the admin action that asks for a reason and calls ``service`` for each chosen row.

    What ``form`` asks for besides goes to the service by name; a secret it returns is shown once.
    """
    name = str(getattr(service, "__name__", ""))

    def ask(
        table: "admin.ModelAdmin[Any]", request: HttpRequest, rows: QuerySet[Any]
    ) -> HttpResponse | None:
        chosen = list(rows[: MOST + 1])
        if len(chosen) > MOST:
            table.message_user(request, f"At most {MOST} rows at once.", messages.ERROR)
            return None
        asked = form(request.POST if "because" in request.POST else None)
        if not asked.is_valid():
            context = {
                **table.admin_site.each_context(request),
                "title": f"{words}?",
                "opts": table.opts,
                "rows": chosen,
                "form": asked,
                "action": name,
                "words": words,
                "warning": warning,
                "checkbox": ACTION_CHECKBOX_NAME,
            }
            return TemplateResponse(request, "admin/console/why.html", context)
        try:
            done = _done(service, request, chosen, dict(asked.cleaned_data))
        except InvalidInput as refused:
            table.message_user(request, refused.detail, messages.ERROR)
            return None
        secrets = [
            (row, one) for row, one in zip(chosen, done, strict=True) if isinstance(one, str)
        ]
        if secrets:
            context = {
                **table.admin_site.each_context(request),
                "title": words,
                "note": "Shown once. Hand it to whoever runs the agent, and keep it nowhere else.",
                "secrets": secrets,
            }
            return TemplateResponse(request, "admin/console/shown.html", context)
        changed = sum(map(bool, done))
        table.message_user(
            request, f"{words}: {changed} of {len(chosen)} changed.", messages.SUCCESS
        )
        return None

    ask.__name__ = name
    return admin.action(description=words, permissions=["view"])(ask)


def _done[T](
    service: Callable[..., T], request: HttpRequest, rows: Sequence[Any], given: dict[str, Any]
) -> list[T]:
    """Call the service for each row with what the form was given; return its answers."""
    reason = because(given.pop("because"), given.pop("ticket"))
    return [service(operator_for(request, row), row.pk, reason=reason, **given) for row in rows]
