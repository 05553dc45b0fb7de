"""Putting documents on a tenant's shelf and asking for them, as programs do."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accounts.models import Tenant
    from accounts.principal import Principal
    from memory.knowledge.values import KnowledgeAnswer


def pipeline(tenant: Tenant) -> Principal:
    """Return a pipeline of the tenant."""
    from accounts.choices import ActorKind
    from accounts.principal import Principal

    return Principal(
        kind=ActorKind.PIPELINE, tenant_id=tenant.id, actor_id=uuid.UUID(int=5), label="docs"
    )


def put(tenant: Tenant, source: str, content: str | bytes, **more: Any) -> uuid.UUID:
    """Take a document in, do the work that waits, and return its id."""
    from memory import jobs
    from memory.knowledge.documents import store
    from memory.knowledge.upload import Upload, format_of

    data = content.encode() if isinstance(content, str) else content
    form = more.pop("format", None) or format_of(source)
    stored = store(pipeline(tenant), Upload(source=source, content=data, format=form, **more))
    if stored.job is not None:
        jobs.run_job(stored.job.id)
    return stored.document.id


def look(tenant: Tenant, text: str, **more: Any) -> KnowledgeAnswer:
    """Search the tenant's documents."""
    from memory.knowledge.search import search
    from memory.knowledge.values import KnowledgeQuery

    return search(pipeline(tenant), KnowledgeQuery(text=text, **more))


def away() -> Any:
    """Stand for an embedder whose model does not load (``EMBEDDER=tests.memory.knowledge.shelf.away``)."""
    raise OSError("no such model")


@contextmanager
def without_embedder() -> Iterator[None]:
    """Let no model answer."""
    from django.test import override_settings

    from memory.providers.embedding import reset_embedder

    with override_settings(EMBEDDER="tests.memory.knowledge.shelf.away"):
        reset_embedder()
        yield
    reset_embedder()
