"""The request id: made at the door, found again in answers, logs, audit events and tasks."""

import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address

import structlog
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

ACCEPTED = re.compile(r"[A-Za-z0-9._-]{8,64}")


def current_request_id() -> str:
    """Return the id of the request or task that runs now, or an empty string."""
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))


def set_request_id(request_id: str | None) -> str:
    """Bind ``request_id`` (a new one if absent or malformed) to this request or task."""
    if not request_id or not ACCEPTED.fullmatch(request_id):
        request_id = uuid.uuid4().hex
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id=request_id)
    return request_id


@contextmanager
def request_of(request_id: str) -> Iterator[None]:
    """Work for the request that asked for it, whoever has taken it up; an empty id changes nothing."""
    if not request_id:
        yield
        return
    with structlog.contextvars.bound_contextvars(request_id=request_id):
        yield


class ClientAddressMiddleware:
    """Behind a proxy of ours, lets a request come from where the proxy says, not from the proxy.

    Without it everybody would share one address, and so one count of wrong passwords.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.BEHIND_PROXY:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Take the last address of ``X-Forwarded-For``: what stands before it anybody may have written."""
        said = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
        with suppress(ValueError):
            request.META["REMOTE_ADDR"] = str(ip_address(said))
        return self.get_response(request)


class RequestIdMiddleware:
    """Gives every request an id and every answer ``X-Request-ID``."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Take or make the id, bind it to the logs, and answer with it."""
        request_id = set_request_id(request.headers.get("X-Request-ID"))
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        return response
