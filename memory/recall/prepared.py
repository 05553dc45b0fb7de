"""The sets of a plain question as SQL, worked out once for each kind of rights.

What somebody may be told is said in the words of query sets, in one place. Turning these into SQL takes
longer than running it, and gives the same for all who have the same rights: only whose rows they are, who
asks and when is filled in.
"""

import uuid
from collections.abc import Callable, Hashable
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet

from accounts.principal import Principal
from memory.index.planning import Part, part

# Who stands in for tenant, person and actor, and for now, while the SQL is worked out.
TENANT, PERSON, ACTOR = (uuid.UUID(int=number) for number in (1, 2, 3))
NOW = datetime(1, 1, 1, tzinfo=UTC)

# A set of rows, given who asks, when, and numbers of a recipe.
type Build = Callable[..., QuerySet[Any]]


def prepared(
    name: str,
    build: Build,
    principal: Principal,
    *columns: str,
    now: datetime = NOW,
    given: tuple[Hashable, ...] = (),
) -> Part:
    """Return ``build(principal, now, *given)`` as a part of a statement, as `part` does."""
    made = _made(name, build, _anybody(principal), columns, given)
    for_ = {
        TENANT: principal.tenant_id,
        PERSON: principal.subject_id,
        ACTOR: principal.actor_id,
        NOW: now,
    }
    return Part(made.sql, {key: for_.get(value, value) for key, value in made.values.items()})


@lru_cache(maxsize=512)
def _made(
    name: str,
    build: Build,
    anybody: Principal,
    columns: tuple[str, ...],
    given: tuple[Hashable, ...],
) -> Part:
    return part(name, build(anybody, NOW, *given), *columns)


def _anybody(principal: Principal) -> Principal:
    """Return whoever has the same rights: of a purpose only how far it lets them reach is left."""
    return replace(
        principal,
        tenant_id=TENANT,
        subject_id=PERSON,
        actor_id=ACTOR,
        clearance=principal.reach,
        purposes=frozenset(),
        purpose="",
        label="",
        key_prefix="",
        time_zone="UTC",
        address="",
    )
