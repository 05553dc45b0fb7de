"""Posting outside: public numbers only, the one that was looked at, no redirect, no endless answer."""

import http.server
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from pytest_django import Settings

from memory.providers import outside

PRIVATE = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "255.255.255.255", "::1", "fe80::1", "fc00::1", "fec0::1", "ff02::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::",
]  # fmt: skip
PUBLIC = ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"]


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/hook", "ftp://example.com", "https://", "https:///hook", "example.com",
        "https://user:pw@example.com/", "https://user@example.com/", "https://example.com:99999/",
        "https://example.com:0/", "https://[::1", "https://例子.中国/hook", "https://a b.com/", "",
        "https://example.com/a\nb", "file:///etc/passwd", "https://[fe80::1%25eth0]/",
    ],
)  # fmt: skip
def test_what_is_no_address_of_a_host_outside_is_refused(url: str) -> None:
    with pytest.raises(outside.Refused):
        outside.check(url)


@pytest.mark.parametrize("number", PRIVATE)
def test_a_number_inside_is_refused(number: str) -> None:
    host = f"[{number}]" if ":" in number else number
    with pytest.raises(outside.Refused):
        outside.check(f"https://{host}/hook")


@pytest.mark.parametrize("url", ["https://example.com", "https://example.com:8443/a?b=c#d"])
def test_an_address_outside_passes(url: str) -> None:
    outside.check(url)


def resolving(monkeypatch: pytest.MonkeyPatch, *numbers: str) -> list[str]:
    """Let every name lead to these numbers; return where is connected to."""
    connected: list[str] = []

    def names(host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in numbers]

    def connect(address: tuple[str, int], *_: Any, **__: Any) -> socket.socket:
        connected.append(address[0])
        raise OSError("nobody there")

    monkeypatch.setattr(socket, "getaddrinfo", names)
    monkeypatch.setattr(socket, "create_connection", connect)
    return connected


@pytest.mark.parametrize("number", PRIVATE)
def test_a_name_that_leads_inside_is_refused_and_not_connected_to(
    monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    connected = resolving(monkeypatch, PUBLIC[0], number)
    with pytest.raises(outside.Refused):
        outside.post("https://example.com/", b"{}", {})
    assert connected == []


@pytest.mark.parametrize("number", PUBLIC)
def test_the_number_that_was_looked_at_is_the_one_connected_to(
    monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    connected = resolving(monkeypatch, number)
    with pytest.raises(outside.Unreached):
        outside.post("https://example.com/", b"{}", {})
    assert connected == [number]


def test_a_name_that_leads_nowhere_is_not_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: Any, **__: Any) -> list[Any]:
        raise socket.gaierror("no such name")

    monkeypatch.setattr(socket, "getaddrinfo", nothing)
    with pytest.raises(outside.Unreached):
        outside.post("https://example.invalid/", b"{}", {})


# --- a real server ---


@contextmanager
def serving(answer: Callable[[http.server.BaseHTTPRequestHandler], object]) -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            answer(self)

        def log_message(self, *_: Any) -> None:
            """Keep quiet."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/hook?x=1"
        finally:
            server.shutdown()
            thread.join()


def test_it_posts_the_body_with_its_headers(settings: Settings) -> None:
    settings.DEBUG = True
    seen: list[Any] = []

    def answer(request: http.server.BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers["Content-Length"]))
        seen.append((request.path, body, request.headers["webhook-id"], request.headers["Host"]))
        request.send_response(204)
        request.end_headers()

    with serving(answer) as url:
        assert outside.post(url, "{“词”}".encode(), {"webhook-id": "7"}) == 204
        host = url.split("/")[2]
    assert seen == [("/hook?x=1", "{“词”}".encode(), "7", host)]


def test_outside_of_development_a_server_on_this_machine_is_not_asked() -> None:
    asked: list[int] = []
    with serving(lambda _: asked.append(1)) as url:
        for one in (url, url.replace("http:", "https:")):
            with pytest.raises(outside.Refused):
                outside.post(one, b"{}", {})
    assert asked == []


def test_a_redirect_is_an_answer_and_not_followed(settings: Settings) -> None:
    settings.DEBUG = True
    asked: list[str] = []

    def answer(request: http.server.BaseHTTPRequestHandler) -> None:
        asked.append(request.path)
        request.send_response(307)
        request.send_header("Location", "/inside")
        request.end_headers()

    with serving(answer) as url:
        assert outside.post(url, b"{}", {}) == 307
    assert asked == ["/hook?x=1"]


def test_an_endless_body_is_not_read(settings: Settings) -> None:
    settings.DEBUG = True

    def answer(request: http.server.BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", str(10**12))
        request.end_headers()

    with serving(answer) as url:
        begun = time.monotonic()
        assert outside.post(url, b"{}", {}) == 200
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("sent", [b"", b"HTTP/1.1 200 OK\r\nX-Drop: "])
def test_who_answers_drop_by_drop_is_given_up(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    settings.DEBUG = True
    monkeypatch.setattr(outside, "LONGEST", 0.5)
    over = threading.Event()

    def answer(request: http.server.BaseHTTPRequestHandler) -> None:
        request.wfile.write(sent)
        while not over.wait(0.05) and sent:
            request.wfile.write(b"x")

    with serving(answer) as url:
        begun = time.monotonic()
        with pytest.raises(outside.Unreached):
            outside.post(url, b"{}", {})
        assert time.monotonic() - begun < 5
        over.set()


def test_what_is_no_http_is_not_understood(settings: Settings) -> None:
    settings.DEBUG = True
    other = serving(lambda request: request.wfile.write(b"SSH-2.0-x\r\n\r\n"))
    with other as url, pytest.raises(outside.Unreached):
        outside.post(url, b"{}", {})
