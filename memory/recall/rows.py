"""Fetching what a recall hands over: wordings, memories, keys, sources, disputes, in one query."""

import uuid
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, Subquery

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
    besides: VersionQuerySet | None = None,
    named: VersionQuerySet | None = None,
    linked: VersionQuerySet | None = None,
    to: Collection[uuid.UUID] = (),
) -> list[Row]:
    """Return the wordings of these ids, and those of ``besides``, in no order; all come out of a scope.

    Those of ``named`` as well, marked if they are about the person.
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
        Version.objects.filter(id__in=_ids(wordings, besides, named, linked), **mine)
        .select_related("memory")
        .annotate(
            wrapped=Subquery(keys.values("wrapped")[:1]),
            events=ArraySubquery(cited.order_by("created_at").values("event_id")),
            contested=Exists(rivals),
        )
    )
    if linked is not None:
        rows = rows.annotate(linked=links.ends(vault, to))
    if named is not None:
        among = Q(id__in=named.values("id"))
        rows = rows.annotate(named=ExpressionWrapper(among, output_field=BooleanField()))
    if question.times:
        rows = rows.annotate(timely=in_times(question.times, said=question.said))
    return list(_opened(vault, rows))


def _ids(wordings: Collection[uuid.UUID], *more: VersionQuerySet | None) -> Any:
    """Return the ids of all; as one list, for an OR would look at every wording of the person."""
    found = Version.objects.filter(id__in=wordings).values("id")
    others = [one.values("id") for one in more if one is not None]
    return found.union(*others) if others else found


def _opened(vault: SubjectVault, rows: Any) -> Iterator[Row]:
    for row in rows:
        if row.wrapped is None:  # erased a moment ago
            continue
        vault.keep(row.memory_id, row.wrapped)
        opened = access.open_version(vault, row)
        yield Row(
            opened=opened,
            events=row.events,
            timely=bool(getattr(row, "timely", False)),
            named=bool(getattr(row, "named", False)) and not opened.details.get("about"),
            contested=row.contested,
            linked=getattr(row, "linked", ()),
        )
