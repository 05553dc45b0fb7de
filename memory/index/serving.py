"""Which embedder's vectors serve a person or an organisation while an embedder is being changed.

New texts get vectors of today's embedder alone. As long as one vector of the former embedder is left,
that one answers: `manage.py reembed` makes all new ones first and then drops the former ones of one
person at once, which is the switch. What is new meanwhile is found by words. Vectors of two embedders
are never compared, nor is a list ever ranked by both.
"""

import uuid
from typing import Any

from django.db import connections
from django.db.models import Max, Min, QuerySet

from memory.errors import EmbedderUnavailable
from memory.providers.embedding import Embedder, get_former_embedder

CENSUS = "console"  # the role that may count across people, and sees no vector
OUTDATED = """
SELECT DISTINCT tenant_id, subject_id FROM memory_vector WHERE model <> %(model)s
UNION ALL SELECT DISTINCT tenant_id, NULL::uuid FROM memory_passagevector WHERE model <> %(model)s
"""


def former_of(vectors: QuerySet[Any]) -> Embedder | None:
    """Return the former embedder if it still serves these vectors; None: today's does."""
    try:
        former = get_former_embedder()
    except EmbedderUnavailable:
        return None
    return former if former and vectors.filter(model=former.id).exists() else None


def has_others(vectors: QuerySet[Any], model: int) -> bool:
    """Whether vectors of another model than ``model`` are among these."""
    found = vectors.aggregate(least=Min("model"), most=Max("model"))
    return not {found["least"], found["most"]} <= {model, None}


def outdated(model: int) -> list[tuple[uuid.UUID, uuid.UUID | None]]:
    """Return tenant and person (None: the tenant's documents) of all vectors not of ``model``."""
    with connections[CENSUS].cursor() as cursor:
        cursor.execute(OUTDATED, {"model": model})
        return [(tenant, person) for tenant, person in cursor.fetchall()]
