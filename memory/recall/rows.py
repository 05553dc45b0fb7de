"""Fetching what a recall hands over: wordings, memories, keys, sources, disputes, in one statement."""

import uuid
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Model
from django.db.models.base import ModelState

from accounts.principal import Principal
from memory import access
from memory.choices import ConflictState
from memory.index.planning import Part, hashed, one_of, part
from memory.models import Memory, Version
from memory.models.memory import MemoryQuerySet
from memory.recall.prepared import prepared
from memory.recall.question import Question
from memory.recall.scope import in_times
from memory.vault import SubjectVault

IDS = ("id", "memory_id")
NOTHING = Part("SELECT id, memory_id FROM memory_version WHERE false", {})
PASSING = "ARRAY(SELECT id FROM passing)"  # the memories that others may be linked to
VERSION = [field.attname for field in Version._meta.concrete_fields]
MEMORY = [field.attname for field in Memory._meta.concrete_fields]
MINE = "tenant_id = %(tenant)s AND subject_id = %(subject)s"
# What is wanted is found first; then each table gives the rows of those ids (memory.index.planning).
SQL = f"""
WITH passing AS MATERIALIZED (SELECT unnest(%(to)s::uuid[]) AS id),
named AS MATERIALIZED ({{named}}), wanted AS MATERIALIZED (
  SELECT id, memory_id FROM memory_version WHERE id = ANY (%(wordings)s) AND {MINE}
  UNION SELECT id, memory_id FROM named UNION ({{besides}}) UNION ({{linked}})
),
ids AS MATERIALIZED (SELECT array_agg(id) AS wordings, array_agg(memory_id) AS memories FROM wanted),
rivals AS MATERIALIZED (
  SELECT current_id AS id, challenger_id AS other FROM memory_conflict
  WHERE current_id = ANY ((SELECT memories FROM ids)::uuid[]) AND state = %(open)s AND {MINE}
  UNION ALL SELECT challenger_id, current_id FROM memory_conflict
  WHERE challenger_id = ANY ((SELECT memories FROM ids)::uuid[]) AND state = %(open)s AND {MINE}
),
contested AS (SELECT DISTINCT rivals.id FROM rivals JOIN ({{rivals}}) AS other ON other.id = rivals.other),
cited AS (
  SELECT memory_id AS id, array_agg(event_id ORDER BY created_at) AS events FROM memory_evidence
  WHERE memory_id = ANY ((SELECT memories FROM ids)::uuid[]) AND event_id IS NOT NULL AND {MINE}
  GROUP BY memory_id
),
link AS (
  SELECT source_id AS id, target_id AS other FROM memory_memorylink
  WHERE source_id = ANY ((SELECT memories FROM ids)::uuid[]) AND target_id = ANY (%(to)s) AND {MINE}
  UNION ALL SELECT target_id, source_id FROM memory_memorylink
  WHERE target_id = ANY ((SELECT memories FROM ids)::uuid[]) AND source_id = ANY (%(to)s) AND {MINE}
),
links AS (SELECT id, array_agg(other) AS others FROM link GROUP BY id)
SELECT key.wrapped, coalesce(cited.events, '{{{{}}}}'), coalesce(links.others, '{{{{}}}}'),
  contested.id IS NOT NULL, {{timely}}, v.id IN (SELECT id FROM named),
  {", ".join(f'v."{one}"' for one in VERSION)}, {", ".join(f'm."{one}"' for one in MEMORY)}
FROM (SELECT * FROM memory_version WHERE id = ANY ((SELECT wordings FROM ids)::uuid[]) AND {MINE}) AS v
JOIN (SELECT * FROM memory_memory WHERE id = ANY ((SELECT memories FROM ids)::uuid[]) AND {MINE}) AS m
  ON m.id = v.memory_id
JOIN (
  SELECT object_id, wrapped FROM memory_objectkey
  WHERE object_id = ANY ((SELECT memories FROM ids)::uuid[]) AND {MINE}
) AS key ON key.object_id = m.id
LEFT JOIN contested ON contested.id = m.id
LEFT JOIN cited ON cited.id = m.id
LEFT JOIN links ON links.id = m.id
"""  # noqa: S608 - names of our own columns


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One wording, opened, with the events behind it.

    ``timely``: it lies in a time the question names. ``named``: it fills a slot the question names.
    ``contested``: what disagrees with it waits. ``linked``: which of the memories that passed it is
    linked to.
    """

    opened: access.OpenedMemory
    events: Collection[uuid.UUID]
    timely: bool
    named: bool
    contested: bool
    linked: Collection[uuid.UUID]


def fetch(
    principal: Principal,
    vault: SubjectVault,
    wordings: Collection[uuid.UUID],
    *,
    question: Question,
    besides: Part = NOTHING,
    named: Part = NOTHING,
    linked: Part = NOTHING,
    to: Collection[uuid.UUID] = (),
) -> list[Row]:
    """Return the wordings of these ids, and those of ``besides``, in no order; all come out of a scope.

    Those of ``named`` as well, marked if they are about the person.
    With those of ``linked``, which may speak of `PASSING`, it is said which of ``to`` they are linked to.
    What was erased a moment ago has no key and is left out.
    """
    parts = {
        "rivals": prepared("rival", _rivals, principal, "id"),
        "named": named,
        "besides": besides,
        "linked": linked,
        "timely": _timely(principal, question),
    }
    values: dict[str, Any] = {
        "tenant": principal.tenant_id,
        "subject": principal.person_id,
        "wordings": list(wordings),
        "to": list(to),
        "open": ConflictState.OPEN,
    }
    for one in parts.values():
        values |= one.values
    sql = SQL.format(**{name: one.sql for name, one in parts.items()})
    return list(_opened(vault, hashed(sql, values)))


def _rivals(principal: Principal, _: datetime) -> MemoryQuerySet:
    visible = Memory.objects.visible_to(principal)
    return visible.filter(one_of("id", "ARRAY(SELECT other FROM rivals)"))


def _timely(principal: Principal, question: Question) -> Part:
    """Return the expression for whether a wording lies in a time that the question names."""
    if not question.times:
        return Part("false", {})
    mine = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    wanted = Version.objects.filter(one_of("id", "(SELECT wordings FROM ids)::uuid[]"), **mine)
    found = part("timely", wanted.filter(in_times(question.times, said=question.said)), "id")
    return Part(f"v.id IN ({found.sql})", found.values)


def _made[Found: Model](model: type[Found], names: Sequence[str], values: Sequence[Any]) -> Found:
    """Return a row as an instance, as ``from_db`` does, which sets each column by a call of its own."""
    row = model.__new__(model)
    row.__dict__.update(zip(names, values, strict=False))
    row._state = ModelState()
    row._state.adding, row._state.db = False, connection.alias
    return row


def _opened(vault: SubjectVault, rows: Collection[tuple[Any, ...]]) -> Iterator[Row]:
    for wrapped, events, linked, contested, timely, named, *columns in rows:
        version = _made(Version, VERSION, columns)
        version._state.fields_cache["memory"] = _made(Memory, MEMORY, columns[len(VERSION) :])
        vault.keep(version.memory_id, wrapped)
        opened = access.open_version(vault, version)
        yield Row(
            opened=opened,
            events=events,
            timely=timely,
            named=named and not opened.details.get("about"),
            contested=contested,
            linked=linked,
        )
