"""Agents' servers that are told what was erased, and what they are told of."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from memory.admin import webhooks
from memory.models import OutboxMessage
from tests.cast import Api, Cast, operator
from tests.memory.wire import body_of, tell

WHY = "drill OPS-1"


@dataclass
class Listener:
    """What an agent's server was told, and how it answers next; 204 when nothing is left."""

    url: str = ""
    statuses: list[int] = field(default_factory=list)
    told: list[tuple[dict[str, str], bytes]] = field(default_factory=list)


@contextmanager
def listening() -> Iterator[Listener]:
    found = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.told.append(({k.lower(): v for k, v in self.headers.items()}, body))
            self.send_response(found.statuses.pop(0) if found.statuses else 204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Keep quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        found.url = f"http://127.0.0.1:{server.server_port}/erased"
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield found
        finally:
            server.shutdown()
            thread.join()


def register(cast: Cast, url: str, agent: str = "assistant") -> str:
    secret = webhooks.register_target(operator_of(cast), cast.agents[agent].id, reason=WHY, url=url)
    assert secret is not None
    return secret


def erased(api: Api, text: str = "我住在苏州。") -> str:
    """Tell something and erase what was learnt; return the erasure's id."""
    memory = tell(api, text)["decisions"][0]["id"]
    return str(body_of(api("DELETE", f"memories/{memory}"))["id"])


def notice(cast: Cast, erasure: str, agent: str = "assistant") -> OutboxMessage:
    return OutboxMessage.objects.get(erasure_id=erasure, agent_id=cast.agents[agent].id)


def operator_of(cast: Cast) -> Any:
    from accounts.choices import ActorKind

    return operator(cast.acme).using(kind=ActorKind.OPERATOR)
