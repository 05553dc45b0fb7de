"""Posting to an address outside that somebody else chose.

The address is resolved here, each of its numbers must be a public one, and the number that was looked
at is the one connected to, so that no second answer of a name server leads inside. No redirect is
followed, no proxy asked, and of the answer nothing but the status is read.
"""

import ipaddress
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpcore
from django.conf import settings

# Seconds for a connection, and for the whole of one try.
CONNECT = 5.0
LONGEST = 15.0
NAT64 = ipaddress.ip_network("64:ff9b::/96")
SCHEMES = {"https": 443, "http": 80}


class Refused(Exception):
    """The address may not be posted to: says why, without the address."""


class Unreached(Exception):
    """Nobody answered in time, or not so that it can be understood; says of which kind the fault was."""


def check(url: str) -> None:
    """Refuse an address that could never be posted to, whatever its name resolves to.

    Raises:
        Refused: without https (in development: http), with a user, without a host, malformed.
    """
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname
    except ValueError:
        raise Refused("This is no address.") from None
    schemes = tuple(SCHEMES) if settings.DEBUG else ("https",)
    if parts.scheme not in schemes:
        raise Refused("Only https is posted to.")
    plain = url.isascii() and url.isprintable() and " " not in url
    if not host or port == 0 or "@" in parts.netloc or not plain:
        raise Refused("This is no address of a host, without a user.")
    number = _number(host)
    if number is not None and not _allowed(number):
        raise Refused("This address is not a public one.")


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Post and return the status of the answer.

    Raises:
        Refused: if the address, or what it resolves to, may not be posted to.
        Unreached: without an answer.
    """
    check(url)
    until = time.monotonic() + LONGEST
    timeout = dict.fromkeys(("connect", "read", "write", "pool"), LONGEST)
    lines = [*headers.items(), ("Host", urlsplit(url).netloc), ("Content-Length", str(len(body)))]
    with httpcore.ConnectionPool(
        ssl_context=ssl.create_default_context(), network_backend=_Outside(until), retries=0
    ) as pool:
        try:
            with pool.stream(
                "POST", url, headers=lines, content=body, extensions={"timeout": timeout}
            ) as answer:
                return answer.status
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
            raise Unreached(type(error).__name__) from error
        except (OSError, ssl.SSLError) as error:
            raise Unreached(type(error).__name__) from error


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None


def _allowed(number: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether a number is a public one; an IPv4 number inside an IPv6 one counts as itself."""
    if settings.DEBUG:
        return True
    if isinstance(number, ipaddress.IPv6Address):
        if number in NAT64:
            return _allowed(ipaddress.IPv4Address(int(number) & 0xFFFFFFFF))
        inner = number.ipv4_mapped or number.sixtofour or (number.teredo or (None, None))[1]
        if inner is not None:
            return _allowed(inner)
        if number.is_site_local:
            return False
    return number.is_global and not number.is_multicast and not number.is_reserved


def _resolved(host: str, port: int) -> str:
    """Return the number to connect to; one that is not public among them refuses them all."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unreached("NotResolved") from error
    numbers = [str(entry[4][0]) for entry in found]
    parsed = [_number(one) for one in numbers]
    if not numbers or not all(one is not None and _allowed(one) for one in parsed):
        raise Refused("This name leads to an address that is not a public one.")
    return numbers[0]


@dataclass(frozen=True, slots=True)
class _Outside(httpcore.NetworkBackend):
    """Connects to what it has looked at itself, and to nothing after ``until``."""

    until: float

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.NetworkStream:
        """Connect to the public number behind a name."""
        number = _resolved(host, port)
        left = _left(self.until, CONNECT)
        inner = httpcore.SyncBackend().connect_tcp(
            number, port, left, local_address, socket_options
        )
        return _Stream(inner, self.until)


@dataclass(frozen=True, slots=True)
class _Stream(httpcore.NetworkStream):
    """A stream on which nothing waits longer than what is left of the whole try."""

    inner: httpcore.NetworkStream
    until: float

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read what comes in time."""
        return self.inner.read(max_bytes, _left(self.until))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write what goes in time."""
        self.inner.write(buffer, _left(self.until))

    def close(self) -> None:
        """Close it."""
        self.inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        """Go on in secret; the certificate must be that of the name."""
        inner = self.inner.start_tls(ssl_context, server_hostname, _left(self.until))
        return _Stream(inner, self.until)

    def get_extra_info(self, info: str) -> Any:
        """Return what is known of the connection."""
        return self.inner.get_extra_info(info)


def _left(until: float, longest: float = LONGEST) -> float:
    left = min(until - time.monotonic(), longest)
    if left <= 0:
        raise httpcore.ReadTimeout("the whole try took too long")
    return left
