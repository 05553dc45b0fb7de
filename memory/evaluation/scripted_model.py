"""A language model that plays a part: a real local server which speaks the chat protocol.

It answers from a script, then as its part says: by default as a model would that sees what the rules
see. Stories and tests ask it where a real model would cost money and answer otherwise each time.
"""

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from memory.choices import Role
from memory.write.attributes import CATALOGUE
from memory.write.candidate import Candidate, Turn
from memory.write.rules import extract

type Json = dict[str, Any]


@dataclass(slots=True)
class Reply:
    """One answer. ``said`` are the model's words (None: as its part says); ``body`` the raw answer."""

    said: str | None = None
    status: int = 200
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    pause: float = 0.0  # seconds before it comes
    finish: str = "stop"


@dataclass(slots=True)
class ScriptedModel:
    """What the server was asked, and what it will answer next; its part when nothing is left."""

    part: Callable[[Json], str]
    replies: list[Reply] = field(default_factory=list)
    requests: list[Json] = field(default_factory=list)
    pause: float = 0.0
    base_url: str = ""

    def answer(self, asked: Json) -> Reply:
        """Return the next answer, with the words filled in."""
        reply = self.replies.pop(0) if self.replies else Reply(pause=self.pause)
        if reply.body is None and reply.status == HTTPStatus.OK:
            said = self.part(asked) if reply.said is None else reply.said
            message = {"role": "assistant", "content": said}
            choice = {"index": 0, "message": message, "finish_reason": reply.finish}
            reply.body = json.dumps({"object": "chat.completion", "choices": [choice]}).encode()
        return reply


@contextmanager
def running(part: Callable[[Json], str] | None = None) -> Iterator[ScriptedModel]:
    """Serve on a free port of 127.0.0.1 until the block ends."""
    model = ScriptedModel(part=part or by_the_rules)

    class Handler(BaseHTTPRequestHandler):
        """Answers one request."""

        def do_POST(self) -> None:
            """Note what was asked, and answer."""
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            head = {"path": self.path, "key": self.headers["Authorization"]}
            model.requests.append(head | asked)
            reply = model.answer(asked)
            time.sleep(reply.pause)
            content = reply.body or b""
            with contextlib.suppress(ConnectionError):  # who asked a slow one has gone
                self.send_response(reply.status)
                for name, value in {"Content-Length": str(len(content)), **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Say nothing: it would be somebody's words."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        model.base_url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield model
        finally:
            server.shutdown()
            thread.join()


def messages(asked: Json) -> list[Json]:
    """Return the rows of the conversation that a question shows."""
    rows: list[Json] = json.loads(asked["messages"][1]["content"])
    return rows


def memory(message: int, quote: str, **more: Any) -> Json:
    """Return one memory in the form that is asked for."""
    nothing = dict.fromkeys(
        (
            "attribute",
            "value",
            "about",
            "condition",
            "importance",
            "confidence",
            "sensitivity",
            "occurred",
            "valid_from",
        )
    )
    return {
        "message": message,
        "quote": quote,
        "text": quote,
        "subtype": "fact",
        **nothing,
        **more,
    }


def memories(*found: Json) -> str:
    """Return memories as a model says them."""
    return json.dumps({"memories": found}, ensure_ascii=False)


def by_the_rules(asked: Json) -> str:
    """Answer as a model that finds what the rules find."""
    rows = [row for row in messages(asked) if "message" in row and row["speaker"] != "other"]
    return memories(*(one for row in rows for one in _found(row)))


def _found(row: Json) -> Iterator[Json]:
    at = datetime.strptime(row["at"].partition(",")[0], "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
    for one in extract(Turn(role=Role(row["speaker"]), text=row["text"], at=at), at=at):
        if isinstance(one, Candidate):
            yield memory(
                row["message"],
                one.quote,
                text=one.text,
                subtype=one.subtype.value,
                attribute=one.attribute if one.attribute in CATALOGUE else None,
                value=one.value,
                about=one.about,
                condition=one.condition,
                importance=one.importance,
                confidence=one.confidence,
            )
