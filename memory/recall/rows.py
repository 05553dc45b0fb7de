"""Fetching what a recall hands over: wordings, memories, keys, sources, disputes, in one query."""

import uuid
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, OuterRef, Q, Subquery

from accounts.principal import Principal
from memory import access
from memory.choices import ConflictState
from memory.models import Conflict, Evidence, Memory, ObjectKey, Version
from memory.models.version import VersionQuerySet
from memory.recall import links
from memory.recall.question import Question
from memory.recall.scope import in_times
from memory.vault import SubjectVault


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One wording, opened, with the events behind it.

    ``timely``: it lies in a time the question names. ``contested``: what disagrees with it waits.
    ``linked``: which of the memories that passed it is linked to.
    """

    opened: access.OpenedMemory
    events: Collection[uuid.UUID]
    timely: bool
    contested: bool
    linked: Collection[uuid.UUID]


def fetch(
    principal: Principal,
    vault: SubjectVault,
    wordings: Collection[uuid.UUID],
    *,
    question: Question,
    besides: VersionQuerySet,
    linked: VersionQuerySet | None = None,
    to: Collection[uuid.UUID] = (),
) -> list[Row]:
    """Return the wordings of these ids, and those of ``besides``, in no order.

    With those of ``linked`` as well it is said which of the memories ``to`` they are linked to.
    """
    mine: dict[str, Any] = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    keys = ObjectKey.objects.filter(**mine, object_id=OuterRef("memory_id"))
    cited = Evidence.objects.filter(**mine, memory_id=OuterRef("memory_id"), event_id__isnull=False)
    visible = Memory.objects.visible_to(principal)
    rivals = Conflict.objects.filter(
        Q(current_id=OuterRef("memory_id"), challenger__in=visible)
        | Q(challenger_id=OuterRef("memory_id"), current__in=visible),
        **mine,
        state=ConflictState.OPEN,
    )
    rows = (
        Version.objects.filter(id__in=_ids(wordings, besides, linked), **mine)
        .filter(memory__in=visible)
        .select_related("memory")
        .annotate(
            wrapped=Subquery(keys.values("wrapped")[:1]),
            events=ArraySubquery(cited.order_by("created_at").values("event_id")),
            contested=Exists(rivals),
        )
    )
    if linked is not None:
        rows = rows.annotate(linked=links.ends(vault, to))
    if question.times:
        rows = rows.annotate(timely=in_times(question.times, said=question.said))
    return list(_opened(vault, rows))


def _ids(
    wordings: Collection[uuid.UUID], besides: VersionQuerySet, linked: VersionQuerySet | None
) -> Any:
    """Return the ids of all; as one list, for an OR would look at every wording of the person."""
    more = [besides.values("id")] + ([] if linked is None else [linked.values("id")])
    return Version.objects.filter(id__in=wordings).values("id").union(*more)


def _opened(vault: SubjectVault, rows: Any) -> Iterator[Row]:
    for row in rows:
        if row.wrapped is None:  # erased a moment ago
            continue
        vault.keep(row.memory_id, row.wrapped)
        yield Row(
            opened=access.open_version(vault, row),
            events=row.events,
            timely=bool(getattr(row, "timely", False)),
            contested=row.contested,
            linked=getattr(row, "linked", ()),
        )
