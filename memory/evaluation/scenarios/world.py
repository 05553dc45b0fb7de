"""Everything one story has to do with: clock, cast, faults, its requests and what it calls things."""

import re
import threading
import uuid
from collections.abc import Mapping
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from urllib.parse import urlencode

from django.db import DatabaseError, connection, transaction
from django.test import Client

from memory.evaluation.clock import Clock
from memory.evaluation.scenarios.cast import Cast
from memory.evaluation.scenarios.faults import Faults
from memory.evaluation.scenarios.reply import Label, Malformed, Reply, Who

NAME = re.compile(r"\{([A-Za-z_][A-Za-z0-9_-]*)(?:\.([a-z_]+))?\}")
PREFIX = "/api/v1/"


class World:
    """One story's world. Steps change it, checks look at it."""

    def __init__(self, faults: Faults) -> None:
        self.clock = Clock(datetime.now(UTC).replace(microsecond=0))
        self.cast = Cast()
        self.faults = faults
        self.labels: dict[str, Label] = {}
        self.saved: dict[str, str] = {}
        self.replies: list[tuple[int, bool]] = []  # (status, under a fault)
        self.offsets: list[tzinfo] = []
        self.sent: list[str] = []  # wake-up calls to workers
        self.logged: list[str] = []
        self.notes: list[str] = []
        self.parallel = threading.local()

    # --- time ---

    def at(self, text: str) -> datetime:
        """Return a moment as the story writes it; a time without offset is UTC."""
        try:
            found = datetime.fromisoformat(text)
        except ValueError as error:
            raise Malformed(f"{text!r} is no time") from error
        if found.tzinfo is None:
            return found.replace(tzinfo=UTC)
        if found.tzinfo not in self.offsets:
            self.offsets.append(found.tzinfo)
        return found

    def begin(self, step: Mapping[str, Any]) -> None:
        """Move the clock to the step's ``at``, else a second on."""
        if step.get("at"):
            self.clock.set(self.at(str(step["at"])))
        else:
            self.clock.advance(timedelta(seconds=1))

    # --- words ---

    def filled(self, value: Any) -> Any:
        """Return ``value`` with saved values and fields of labels in place of their names."""
        if isinstance(value, str):
            return NAME.sub(self._word, value)
        if isinstance(value, dict):
            return {name: self.filled(one) for name, one in value.items()}
        if isinstance(value, list):
            return [self.filled(one) for one in value]
        return value

    def _word(self, match: re.Match[str]) -> str:
        name, field = match.groups()
        if field is None:
            return self.saved.get(name, match.group())
        label = self.labels.get(name)
        known = {"version": label.version, "id": label.memory_id} if label else {}
        return str(known[field]) if field in known else match.group()

    # --- requests ---

    def call(
        self,
        key: str,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Send one request through the service's own addresses and return its answer."""
        address = f"{PREFIX}{path}" + (f"?{urlencode(query)}" if query else "")
        sent = dict(headers or {}) | {"Authorization": f"Bearer {key}"}
        given: dict[str, Any] = {"headers": sent}
        if body is not None:
            given |= {"data": body, "content_type": "application/json"}
        client = Client(SERVER_NAME="localhost", raise_request_exception=False)
        response = self._request(client, method.lower(), address, given)
        found = response.json() if "json" in response.get("Content-Type", "") else None
        self.replies.append((response.status_code, bool(self.faults.on)))
        if "client_timeout" in self.faults.on:  # the service went on, the client did not wait
            return Reply()
        content = response.content.decode(errors="replace")
        return Reply(status=response.status_code, body=found, content=content)

    def _request(self, client: Client, method: str, address: str, given: dict[str, Any]) -> Any:
        """Send it; inside the story's own transaction a failed statement must not end that one."""
        response: Any = None
        try:
            inner = transaction.atomic() if connection.in_atomic_block else nullcontext()
            with inner, self.faults.around_a_request():
                response = getattr(client, method)(address, **given)
        except DatabaseError:  # the savepoint of a request that had failed inside
            if response is None:
                raise
        return response

    def label(self, name: str, who: Who, reply: Reply) -> None:
        """Note what a write's answer calls a memory."""
        subject = self.cast.find(who)
        body = reply.body if isinstance(reply.body, dict) else {}
        self.labels[name] = Label(
            tenant_id=self.cast.tenant(who).id,
            subject_id=subject.id if subject else None,
            memory_id=uuid.UUID(str(body["id"])) if body.get("id") else None,
            version=int(body.get("version") or 0),
        )

    def labelled(self, name: str) -> Label:
        """Return what the story calls ``name``.

        Raises:
            Malformed: if no step has used that name.
        """
        if name not in self.labels:
            raise Malformed(f"no step has named {name!r}")
        return self.labels[name]
