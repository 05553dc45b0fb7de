"""Rendering: a whole page, or the part of it that htmx asked for."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers


def wants_part(request: HttpRequest) -> bool:
    """Whether htmx will swap the answer into a page; else a browser shows it as a page."""
    headers = request.headers
    return headers.get("HX-Request") == "true" and headers.get("HX-Request-Type") == "partial"


def page(
    request: HttpRequest,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    part: str = "",
    status: int = 200,
) -> HttpResponse:
    """Return the page, or its ``part`` ("name", or "template.html#name") when htmx asked for one."""
    name = template
    if part and wants_part(request):
        name = part if "#" in part else f"{template}#{part}"
    answer = render(request, name, context, status=status)
    patch_vary_headers(answer, ["HX-Request", "HX-Request-Type"])
    return answer


def then(request: HttpRequest, say: str, to: str, *args: Any) -> HttpResponse:
    """Answer a change made without htmx: go to a page that first says what it did."""
    messages.success(request, say)
    return redirect(to, *args)


def refuse(request: HttpRequest, say: str, to: str, *args: Any) -> HttpResponse:
    """Answer what changed nothing: go to a page that first says why, marked as an error."""
    messages.error(request, say)
    return redirect(to, *args)
