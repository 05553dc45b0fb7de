"""Who acts now, as a frozen value."""

import uuid
from dataclasses import dataclass, field, replace
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from accounts.choices import Action, ActorKind, Learning

ALL_ACTIONS = frozenset(Action.values)
ALL_KINDS = frozenset({"semantic", "episodic", "procedural"})
FULL_CLEARANCE = 40
# The highest level an agent may read whatever for.
ANY_PURPOSE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """An actor inside one tenant, and, once the person is known, its rights for that person.

    ``clearance`` is the highest sensitivity it may hold (0 = none), ``kinds`` the kinds of memory,
    ``purpose`` what it says it acts for, ``purposes`` what it may read above `ANY_PURPOSE` for
    (none: whatever for).
    ``mode_off``/``may_learn`` fold the memory mode of the person and of the grant.
    """

    kind: ActorKind
    tenant_id: uuid.UUID
    actor_id: uuid.UUID | None
    label: str = ""
    key_prefix: str = ""
    subject_id: uuid.UUID | None = None
    actions: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    clearance: int = 0
    purposes: frozenset[str] = frozenset()
    purpose: str = ""
    may_use: bool = True
    may_learn: bool = True
    learning: Learning = Learning.ORDINARY
    time_zone: str = "UTC"
    system_of_record: bool = False
    # The subject may become part of a person while this principal works for it.
    anonymous: bool = False
    # The look that lets an operator read; ``only`` is the one memory it is about, if it is about one.
    look_id: uuid.UUID | None = None
    only: uuid.UUID | None = None
    # The service itself looks at all of the subject's rows (dedupe, erasure); the actor stays.
    unrestricted: bool = False
    address: str = field(default="", compare=False)

    @property
    def agent_id(self) -> uuid.UUID | None:
        """The agent's id when an agent acts."""
        return self.actor_id if self.kind == ActorKind.AGENT else None

    @property
    def person_id(self) -> uuid.UUID:
        """The subject's id, where a person must be known.

        Raises:
            RuntimeError: before one is; a step was called without naming the person.
        """
        if self.subject_id is None:
            raise RuntimeError("No person is known yet.")
        return self.subject_id

    @property
    def zone(self) -> ZoneInfo:
        """The person's time zone; UTC where it is not known."""
        try:
            return ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo("UTC")

    @property
    def is_operator(self) -> bool:
        """Whether an operator acts."""
        return self.kind == ActorKind.OPERATOR

    @property
    def is_person(self) -> bool:
        """Whether the person acts."""
        return self.kind == ActorKind.PERSON

    @property
    def reach(self) -> int:
        """The highest sensitivity it may read for what it says it acts for."""
        if not self.purposes or self.purpose in self.purposes:
            return self.clearance
        return min(self.clearance, ANY_PURPOSE)

    def at_most(self) -> Self:
        """Return a copy for whichever purpose lets it read the most."""
        return replace(self, purpose=min(self.purposes, default=""))

    def unlimited(self) -> Self:
        """Return a copy whose reach is the whole subject, for the service's own steps."""
        return replace(self, unrestricted=True)

    def may(self, action: Action) -> bool:
        """Whether this principal may do ``action`` for its subject."""
        return action.value in self.actions

    def using(self, **changes: object) -> Self:
        """Return a changed copy."""
        return replace(self, **changes)  # type: ignore[arg-type]  # replace checks the names
