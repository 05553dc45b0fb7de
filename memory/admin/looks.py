"""An operator looks at a person's memories: begun with a reason, read page by page, ended."""

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_GET, require_POST

from accounts import looks, rights
from accounts.acting import acting
from accounts.models import Tenant
from accounts.principal import Principal
from memory.admin import models
from memory.admin.asking import operator_for
from memory.admin.services import note, require_operator
from memory.errors import InvalidInput, NotFound
from memory.recall import looking


def allow_break_glass(operator: Principal, tenant_id: uuid.UUID, *, reason: str) -> bool:
    """Let operators look at the tenant's people without being let; return whether that is new."""
    return _switch(operator, tenant_id, "allow_break_glass", reason, on=True)


def refuse_break_glass(operator: Principal, tenant_id: uuid.UUID, *, reason: str) -> bool:
    """Let nobody look without the person's leave; return whether that is new."""
    return _switch(operator, tenant_id, "refuse_break_glass", reason, on=False)


def _switch(operator: Principal, tenant_id: uuid.UUID, done: str, reason: str, *, on: bool) -> bool:
    require_operator(operator)
    with acting(operator):
        rows = Tenant.objects.filter(id=tenant_id).exclude(break_glass=on)
        changed = bool(rights.change(rows, break_glass=on))
        if changed:
            note(operator, done, "tenant", tenant_id, reason)
    return changed


def break_glass(
    operator: Principal, person_id: uuid.UUID, *, reason: str, minutes: int, clearance: int
) -> bool:
    """Begin a look at one person without being let; the person is told.

    Raises:
        InvalidInput: where it may not be; the text says why.
    """
    require_operator(operator)
    try:
        looks.break_glass(
            operator,
            looks.Scope(clearance=clearance),
            reason=reason,
            minutes=minutes,
            subject_id=person_id,
        )
    except looks.LookRefused as refused:
        raise InvalidInput(str(refused)) from None
    return True


@require_GET
def show(request: HttpRequest, look_id: uuid.UUID, around: dict[str, Any]) -> HttpResponse:
    """Show one page of what the look is about. Every page leaves a line that the person reads."""
    row = _row(look_id)
    operator, cursor = operator_for(request, row), request.GET.get("cursor") or None
    seen = looking.look_at(operator, row.pk, cursor=cursor)
    context = around | {
        "title": "Look at one person",
        "look": seen.look,
        "person": row.person,
        "items": seen.items,
        "next": seen.next,
    }
    return TemplateResponse(request, "admin/look.html", context)


@require_POST
def end(request: HttpRequest, look_id: uuid.UUID) -> HttpResponse:
    """End the look now."""
    row = _row(look_id)
    looking.end_look(operator_for(request, row), row.pk)
    return redirect("admin:console_look_changelist")


def _row(look_id: uuid.UUID) -> models.Look:
    row: models.Look | None = (
        models.Look.objects.select_related("person").filter(pk=look_id).first()
    )
    if row is None:
        raise NotFound
    return row
