"""The page on which an operator holds the audit log against its seals."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from accounts.sealing import count_lines
from memory.admin.asking import ReasonForm, operator_in, why
from memory.admin.checking import verify_chain
from memory.admin.moments import moment
from memory.admin.services import because
from memory.admin.sheet import EVERY_TENANT

WARNING = "Every line is read: in a large log this takes a while. The command is verify_audit."


def verify(table: "admin.ModelAdmin[Any]", request: HttpRequest) -> HttpResponse:
    """Ask why, hold every line against its seal, and say what was found."""
    words = "Verify the chain"
    asked = ReasonForm(request.POST if request.method == "POST" else None)
    if not asked.is_valid():
        return why(table, request, asked, words, warning=WARNING)
    reason = because(asked.cleaned_data["because"], asked.cleaned_data["ticket"])
    context = {
        **table.admin_site.each_context(request),
        "title": words,
        "opts": table.opts,
        "findings": verify_chain(operator_in(request, EVERY_TENANT), reason=reason),
        "lines": count_lines(),
        "as_of": moment(timezone.now()),
    }
    return TemplateResponse(request, "admin/console/chain.html", context)
