"""What a step gives back, and the ways a story ends early."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


class Skipped(Exception):
    """The story needs what this version or this run does not offer; the text says what."""


class Stuck(Exception):
    """A step cannot be done because of what the steps before it made of the world."""


class Malformed(Exception):
    """The story itself is not understood; the text says where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """For whom and as whom a step acts."""

    tenant: str = "acme"
    user: str = "u_main"
    agent: str = "ag_main"
    session: str = "s1"
    role: str = ""

    def using(self, step: Mapping[str, Any]) -> "Who":
        """Return the actor of a step: its ``as``, its ``session``, else the defaults."""
        own = {name: str(value) for name, value in dict(step.get("as") or {}).items()}
        if "session" in step:
            own["session"] = str(step["session"])
        return Who(**own)


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What the story calls a memory; without ``memory_id`` the gate refused it."""

    tenant_id: uuid.UUID
    subject_id: uuid.UUID | None
    memory_id: uuid.UUID | None
    version: int


@dataclass(slots=True, kw_only=True)
class Reply:
    """An answer: HTTP status (0 if the step makes no request), body, content as sent, items,
    and the whole as text."""

    status: int = 0
    body: Any = None
    content: str = ""
    items: Sequence[Mapping[str, Any]] = ()
    output: str = ""
    who: Who = field(default_factory=Who)
    parts: Sequence["Reply"] = ()

    @property
    def ok(self) -> bool:
        """Whether the request succeeded."""
        return 200 <= self.status < 300  # noqa: PLR2004 - the class of HTTP statuses

    @property
    def text(self) -> str:
        """The whole output: the text made for a model if there is one, else the body as JSON."""
        return self.output or json.dumps(self.body, ensure_ascii=False, default=str)
