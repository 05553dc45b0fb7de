"""Where a request comes from, behind a proxy and without one."""

import pytest
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from accounts.requests import ClientAddressMiddleware


def seen(said: str | None) -> str:
    headers = {} if said is None else {"X-Forwarded-For": said}
    request = RequestFactory().get("/", headers=headers, REMOTE_ADDR="10.0.0.1")

    def answer(request: HttpRequest) -> HttpResponse:
        return HttpResponse(request.META["REMOTE_ADDR"])

    return ClientAddressMiddleware(answer)(request).content.decode()


@pytest.mark.parametrize(
    ("said", "address"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("198.51.100.1, 203.0.113.9", "203.0.113.9"),  # the first, anybody may have written
        ("2001:db8::1", "2001:db8::1"),
        ("地址", "10.0.0.1"),
        ("", "10.0.0.1"),
        (None, "10.0.0.1"),
    ],
)
def test_behind_a_proxy_the_last_address_counts(
    settings: object, said: str | None, address: str
) -> None:
    settings.BEHIND_PROXY = True  # type: ignore[attr-defined]  # pytest-django's
    assert seen(said) == address


def test_without_a_proxy_nobody_is_believed() -> None:
    with pytest.raises(MiddlewareNotUsed):
        seen("203.0.113.9")
