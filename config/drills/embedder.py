"""A server of embeddings that can be stopped and started again: a vector of hashed pieces of a text."""

import json
import math
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from zlib import crc32

DIM = 64


def vector(text: str) -> list[float]:
    """Return a unit vector in which texts that share pairs of letters are close."""
    found = [0.0] * DIM
    for pair in pairwise(text):
        found[crc32("".join(pair).encode()) % DIM] += 1.0
    length = math.hypot(*found) or 1.0
    return [one / length for one in found] if any(found) else [1.0, *found[1:]]


class _Answers(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
        data = [{"index": n, "embedding": vector(text)} for n, text in enumerate(texts)]
        body = json.dumps({"object": "list", "data": data}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Write nothing down."""


class Embedder:
    """The server; ``stop`` refuses connections until ``start``."""

    def __init__(self) -> None:
        self.port = 0
        self.server: ThreadingHTTPServer | None = None
        self.start()

    @property
    def settings(self) -> dict[str, str]:
        """What a service needs to use it."""
        return {
            "EMBEDDER": "openai-compatible",
            "EMBEDDING_BASE_URL": f"http://127.0.0.1:{self.port}/v1",
            "EMBEDDING_MODEL": "drill",
            "EMBEDDING_DIM": str(DIM),
        }

    def start(self) -> None:
        """Listen, always at the same port."""
        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), _Answers)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Hang up."""
        if self.server is not None:
            self.server.shutdown()
            self.server.server_close()
            self.server = None
