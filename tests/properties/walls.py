"""Taking one of the two walls down, to see that the other holds alone."""

import contextlib
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import models
from django.db.models.query import QuerySet

from accounts.walls import RowWall
from memory.index import search
from memory.knowledge import candidates
from memory.models.base import TenantRow
from memory.models.memory import MemoryQuerySet
from tests.conftest import owner_connection

SQL = [(search, "SQL"), (search, "VERSIONS"), (candidates, "SQL"), (candidates, "PASSAGES")]
WHOSE = re.compile(r"(?:\w\.)?(?:tenant|subject)_id = %\((?:tenant|subject)\)s")
SCOPE = {"tenant", "tenant_id", "subject", "subject_id"}


def walled() -> list[type[models.Model]]:
    """Return the tables whose rows are shown to one person only, and those of documents."""
    return [
        model
        for model in apps.get_models()
        for rule in model._meta.constraints
        if isinstance(rule, RowWall)
        and ("subject_id" in rule.columns or issubclass(model, TenantRow))
    ]


@contextlib.contextmanager
def without_filters() -> Iterator[None]:
    """Let no query say whose rows it wants: only the row policies are left.

    Every ``filter(tenant…, subject…)`` on a personal table loses these words, wherever it stands,
    so that no place can be forgotten here; ``visible_to`` and the search's SQL lose theirs too.
    """
    original: Any = QuerySet._filter_or_exclude_inplace  # type: ignore[attr-defined]  # Django's own
    personal = set(walled())

    def blind(self: Any, negate: bool, args: Any, kwargs: dict[str, Any]) -> None:
        if self.model in personal:
            kwargs = {name: value for name, value in kwargs.items() if name not in SCOPE}
        original(self, negate, args, kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QuerySet, "_filter_or_exclude_inplace", blind)
        patch.setattr(MemoryQuerySet, "visible_to", lambda self, principal: self.all())
        for module, name in SQL:
            patch.setattr(module, name, _unasked(getattr(module, name)))
        yield


def _unasked(sql: str) -> str:
    """Return a statement without the words that say whose rows it wants."""
    bare, found = WHOSE.subn("true", sql)
    assert found
    return bare


@contextlib.contextmanager
def without_policies() -> Iterator[None]:
    """Let the database show every row to everybody: only the queries' own words are left.

    Nothing may have touched the tables in an open transaction before.
    """
    with owner_connection() as owner:
        rows = owner.execute(
            "SELECT relname FROM pg_class WHERE relrowsecurity "
            "AND relnamespace = 'public'::regnamespace"
        ).fetchall()
        tables = [name for (name,) in rows]
        assert len(tables) > 15
        try:
            for table in tables:
                owner.execute(f'ALTER TABLE "{table}" DISABLE ROW LEVEL SECURITY')
            yield
        finally:
            for table in tables:
                owner.execute(f'ALTER TABLE "{table}" ENABLE ROW LEVEL SECURITY')
