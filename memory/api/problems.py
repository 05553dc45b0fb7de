"""Errors as problem documents (RFC 9457): type, title, status, detail, code, errors[]."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import Http404, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response

from accounts import audit
from accounts.acting import acting
from accounts.closing import shuts_out
from accounts.principal import Principal
from memory.errors import (
    Forbidden,
    KeepsakeError,
    NotFound,
    QuotaExceeded,
    ServiceClosed,
    of_database,
)

CONTENT_TYPE = "application/problem+json"

CODES: dict[type[Exception], str] = {
    exceptions.NotAuthenticated: "not_authenticated",
    exceptions.AuthenticationFailed: "not_authenticated",
    exceptions.PermissionDenied: "forbidden",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.Throttled: "rate_limited",
    exceptions.ValidationError: "invalid_input",
    exceptions.ParseError: "invalid_input",
    exceptions.NotFound: "not_found",
}

TITLES = {
    "not_authenticated": "Send a valid API key",
    "forbidden": "Not allowed",
    "method_not_allowed": "This address does not know this method",
    "unsupported_media_type": "Send application/json",
    "not_acceptable": "Only application/json is answered",
    "rate_limited": "Too many requests",
    "not_found": "Not found",
}


def document(
    *, status: int, code: str, title: str, detail: str, errors: list[dict[str, str]] | None = None
) -> dict[str, Any]:
    """Return a problem document's body."""
    body: dict[str, Any] = {
        "type": f"urn:keepsake:problem:{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
    }
    return body | ({"errors": errors} if errors else {})


def problem_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """Turn an error into its problem document; None lets an unknown one be a 500."""
    request = context.get("request")
    waits: dict[str, str] = {}
    if isinstance(error, (OperationalError, InterfaceError)):
        error, waits = of_database(error), {"Retry-After": "2"}
    elif shuts_out(error):
        error, waits = ServiceClosed(), {"Retry-After": "60"}
    elif isinstance(error, QuotaExceeded) and error.wait:
        waits = {"Retry-After": str(error.wait)}
    if isinstance(error, (Forbidden, NotFound)):
        _note_denial(error, getattr(request, "user", None))
    body = body_of(error)
    if body is None:
        return None
    headers = _headers(error) if isinstance(error, exceptions.APIException) else waits
    return Response(body, status=body["status"], content_type=CONTENT_TYPE, headers=headers)


def body_of(error: Exception) -> dict[str, Any] | None:
    """Return the problem document of an error, None for one that is a fault of ours."""
    if isinstance(error, KeepsakeError):
        return document(
            status=error.status, code=error.code, title=error.title, detail=error.detail
        )
    if isinstance(error, Http404):
        return document(status=404, code="not_found", title="Not found", detail="Not found")
    if isinstance(error, PermissionDenied):
        detail = str(error) or "Not allowed"
        return document(status=403, code="forbidden", title="Not allowed", detail=detail)
    return _of_framework(error) if isinstance(error, exceptions.APIException) else None


def _of_framework(error: exceptions.APIException) -> dict[str, Any]:
    errors = None
    detail = str(error.detail) if isinstance(error.detail, str) else "See errors."
    if isinstance(error, exceptions.ValidationError):
        errors = list(_flat(error.detail, ""))
        detail = "; ".join(f"{one['field']}: {one['detail']}" for one in errors[:5])
    code = CODES.get(type(error), "error")
    return document(
        status=error.status_code,
        code=code,
        title=TITLES.get(code, "The request is not understood"),
        detail=detail,
        errors=errors,
    )


def _flat(detail: Any, path: str) -> Any:
    if isinstance(detail, dict):
        for name, inner in detail.items():
            yield from _flat(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(detail, list):
        for position, inner in enumerate(detail):
            nested = isinstance(inner, (dict, list))
            yield from _flat(inner, f"{path}[{position}]" if nested else path)
    else:
        yield {"field": path, "detail": str(detail)}


def _headers(error: exceptions.APIException) -> dict[str, str]:
    headers: dict[str, str] = {}
    if auth := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = auth
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait) + 1)
    return headers


def _note_denial(error: KeepsakeError, principal: object) -> None:
    """Record a refused access in a transaction of its own: the request's was rolled back."""
    if isinstance(principal, Principal):
        with acting(principal):
            about = getattr(error, "about", None) or principal.subject_id
            audit.denied(principal, reason=error.code, subject_id=about)


def plain_problem(*, status: int, code: str, title: str) -> JsonResponse:
    """Return a problem document outside the API framework (unknown address, crash)."""
    body = document(status=status, code=code, title=title, detail=title)
    return JsonResponse(body, status=status, content_type=CONTENT_TYPE)
