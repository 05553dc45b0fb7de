"""No word, id or count of a tenant's documents is ever told to another tenant's programs.

The walls are the queries' own words and the row policies; each must hold alone.
"""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from accounts.models import Tenant
from memory import jobs
from memory.choices.documents import DocumentFormat
from memory.errors import NotFound, VaultError
from memory.knowledge import documents
from memory.knowledge.search import search
from memory.knowledge.upload import Upload
from memory.knowledge.values import KnowledgeQuery
from tests.memory.knowledge.shelf import pipeline
from tests.properties.people import canary, flat
from tests.properties.test_cross_person import standing

__all__ = ["standing"]  # the fixture that takes one wall down

# What a tenant does: hand a document in (again), delete one, list, open, read, search.
STEP = st.tuples(
    st.sampled_from(["put", "put", "delete", "list", "open", "text", "search", "search in"]),
    st.integers(0, 1),
    st.integers(0, 2),
)
TOLD = "A tenant was told of another's"
SOURCES = ("a.md", "手册.md", "c.md")


class Shelves:
    """Two tenants with documents under the same names, and who may know which word and id."""

    def __init__(self) -> None:
        self.tenants = [Tenant.objects.create(name=name) for name in ("Acme", "Globex 环球")]
        self.owners: dict[str, int] = {}
        self.ids: dict[tuple[int, int], uuid.UUID] = {}
        self.words: list[str] = []

    def step(self, what: str, tenant: int, place: int) -> None:
        """Do one thing as a pipeline of ``tenant``, then let the other look for it everywhere."""
        do: Callable[[Any, int, int], Any] = getattr(self, what.replace(" ", "_"))
        try:
            self.check(tenant, do(pipeline(self.tenants[tenant]), tenant, place))
        except NotFound:
            return

    def put(self, who: Any, tenant: int, place: int) -> Any:
        english, chinese = canary(len(self.owners) + 1)
        self.owners |= {english: tenant, chinese: tenant}
        self.words += [english, chinese]
        text = f"# {english} 标题\n\nAbout {english} soup, 关于{chinese}汤。\n"
        upload = Upload(
            source=SOURCES[place], content=text.encode(), format=DocumentFormat.MARKDOWN
        )
        stored = documents.store(who, upload)
        self.owners[str(stored.document.id)] = tenant
        self.ids[tenant, place] = stored.document.id
        if stored.job:
            jobs.run_job(stored.job.id)
        return stored

    def _any(self, tenant: int, place: int) -> uuid.UUID:
        """Return the id of a document under this name: one's own, or else the other's."""
        return self.ids.get((tenant, place)) or self.ids.get((1 - tenant, place), uuid.UUID(int=7))

    def delete(self, who: Any, tenant: int, place: int) -> None:
        documents.delete(who, self._any(tenant, place))
        assert (tenant, place) in self.ids, f"{TOLD}: it deleted the other's"
        del self.ids[tenant, place]

    def list(self, who: Any, tenant: int, place: int) -> Any:
        found, _ = documents.listed(who, limit=50, cursor=None)
        mine = [id_ for (owner, _), id_ in self.ids.items() if owner == tenant]
        assert sorted(one.document.id for one in found) == sorted(mine), f"{TOLD}: the list"
        return found

    def open(self, who: Any, tenant: int, place: int) -> Any:
        return documents.opened(who, self._any(tenant, place))

    def text(self, who: Any, tenant: int, place: int) -> Any:
        return documents.text_of(who, self._any(tenant, place), start=0, end=None)

    def search(self, who: Any, tenant: int, place: int) -> Any:
        return search(who, KnowledgeQuery(text=" ".join(["soup 汤", *self.words[-20:]])))

    def search_in(self, who: Any, tenant: int, place: int) -> Any:
        ids = list(self.ids.values())[:2]
        return search(who, KnowledgeQuery(text="soup 汤", documents=ids or None))

    def check(self, tenant: int, answer: Any) -> None:
        told = flat(answer)
        leaked = [word for word, owner in self.owners.items() if owner != tenant and word in told]
        assert not leaked, f"{TOLD}: {self.tenants[tenant]} reads {leaked}"


def play(examples: int, *, deep: bool = False) -> None:
    @settings(
        max_examples=examples,
        derandomize=not deep,
        report_multiple_bugs=False,
        phases=tuple(Phase) if deep else (Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(STEP, min_size=5, max_size=20))
    def run(steps: list[tuple[str, int, int]]) -> None:
        from django.db import transaction

        with transaction.atomic():
            shelves = Shelves()
            for step in steps:
                shelves.step(*step)
            transaction.set_rollback(True)

    run()


def test_no_tenant_learns_of_another_s_documents(
    standing: str, db: None, hash_embedder: None
) -> None:
    if standing != "no wall":
        play(6)


def test_without_any_wall_it_would_be_seen(standing: str, db: None, hash_embedder: None) -> None:
    """The other's rows are reached then: told of, or held back by the vault alone."""
    if standing == "no wall":
        with pytest.raises((AssertionError, VaultError), match=f"{TOLD}|does not open here"):
            play(20)


@pytest.mark.deep
def test_no_tenant_learns_anything_in_long_stories(
    standing: str, db: None, hash_embedder: None
) -> None:
    if standing != "no wall":
        play(100, deep=True)
