"""A real server that speaks OpenAI's embeddings protocol, or another, and misbehaves as told."""

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIM = 8


@dataclass
class Reply:
    """One answer: ``body`` None means the right one for the request."""

    status: int = 200
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0


@dataclass
class Endpoint:
    """What the server got, and what it will answer next; a right answer when nothing is left.

    ``answer`` makes the right one of another protocol.
    """

    replies: list[Reply] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    base_url: str = ""
    answer: Callable[[dict[str, Any]], bytes] | None = None
    embed: Callable[[list[str]], list[list[float]]] = field(
        default=lambda texts: [vector_of(text) for text in texts]
    )


def vector_of(text: str) -> list[float]:
    """The vector this server gives ``text``: not of length 1, and another for each text."""
    number = sum(map(ord, text))
    return [1.0 + number, *(float(number % n) for n in range(2, DIM + 1))]


def right_answer(texts: list[str]) -> bytes:
    """The protocol's answer with this server's own vectors."""
    return answer_of([vector_of(text) for text in texts])


def answer_of(vectors: list[list[float]]) -> bytes:
    """The protocol's answer, in another order than asked, as the protocol allows."""
    data = [{"index": i, "embedding": vector} for i, vector in enumerate(vectors)]
    return json.dumps({"object": "list", "data": data[::-1]}).encode()


@contextmanager
def running() -> Iterator[Endpoint]:
    """Serve on a free port of 127.0.0.1 until the block ends."""
    endpoint = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = {"path": self.path, "key": self.headers["Authorization"], **body}
            endpoint.requests.append(asked)
            reply = endpoint.replies.pop(0) if endpoint.replies else Reply()
            time.sleep(reply.delay)
            content = reply.body
            if content is None and endpoint.answer is not None:
                content = endpoint.answer(body)
            if content is None:
                content = answer_of(endpoint.embed(body["input"]))
            self.send_response(reply.status)
            for name, value in {"Content-Length": str(len(content)), **reply.headers}.items():
                self.send_header(name, value)
            with contextlib.suppress(ConnectionError):  # the client of a slow reply has gone
                self.end_headers()
                self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Keep the tests' output quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        endpoint.base_url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield endpoint
        finally:
            server.shutdown()
            thread.join()
