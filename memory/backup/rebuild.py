"""What a dump leaves out or brings back: the indexes are made anew, what has no key is dropped."""

import uuid
from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from accounts.acting import acting
from accounts.choices import ActorKind
from accounts.models import Subject, Tenant
from accounts.principal import Principal
from accounts.subjects import system
from memory.backup.files import INDEX_TABLES, KEYED
from memory.choices import GONE, ErasureState
from memory.errors import BackupFault
from memory.forget.fence import fence
from memory.index import store
from memory.knowledge.documents import delete
from memory.knowledge.index import rebuild_terms as rebuild_passage_terms
from memory.knowledge.reembedding import reembed as reembed_passages
from memory.models import (
    Document,
    DocumentKey,
    Erasure,
    Event,
    Memory,
    Message,
    ObjectKey,
    Passage,
    PassageVector,
    Tombstone,
)
from memory.write.indexing import rebuild_terms, reembed


def drop_keyless() -> int:
    """Drop what no key opens: it was erased or had ended before the newest keys were saved.

    A memory without a key is erased as such; messages, documents and what else is sealed end as if
    their time were over. Returns how many there were.
    """
    dropped = 0
    for principal in _people():
        with acting(principal):
            dropped += _drop_of_person(principal)
    for tenant_id in _tenants():
        operator = _service(tenant_id, ActorKind.OPERATOR)
        with acting(operator):
            have = DocumentKey.objects.filter(document_id=OuterRef("id"))
            rows = Document.objects.filter(~Exists(have), tenant_id=tenant_id)
            ids = list(rows.values_list("id", flat=True))
        for document_id in ids:
            delete(operator, document_id)
        dropped += len(ids)
    return dropped


def _drop_of_person(principal: Principal) -> int:
    mine = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    events = list(_keyless(Event, mine).values_list("id", flat=True))
    Message.objects.filter(**mine, event_id__in=events).delete()
    Event.objects.filter(**mine, id__in=events).delete()
    ended = len(events)
    for model in KEYED:
        if model in (Event, Memory):
            continue
        ended += _keyless(model, mine).delete()[0]
    memories = list(_keyless(Memory, mine).exclude(state__in=GONE))
    if memories:
        fence(principal, memories, carriers=False)
    return ended + len(memories)


def _keyless(model: Any, mine: dict[str, uuid.UUID]) -> QuerySet[Any]:
    have = ObjectKey.every.filter(**mine, object_id=OuterRef("id"))
    found: QuerySet[Any] = model._default_manager.filter(~Exists(have), **mine)
    return found


def rebuild_indexes() -> tuple[int, int]:
    """Make terms and vectors anew, opening every text; return how many wordings and passages.

    Raises:
        VaultError: if a text does not open.
        EmbedderUnavailable: if the embedder does not answer.
    """
    for model in INDEX_TABLES:  # what an interrupted restore has made already
        model._default_manager.all().delete()
    wordings = passages = 0
    for principal in _people():
        wordings += rebuild_terms(principal)
        reembed(principal, progress=lambda *_: None)
    for tenant_id in _tenants():
        service = _service(tenant_id, ActorKind.SYSTEM)
        ids = Document.objects.filter(tenant_id=tenant_id).values_list("id", flat=True)
        passages += sum(rebuild_passage_terms(service, one) for one in ids)
        reembed_passages(service, progress=lambda *_: None)
    return wordings, passages


def verify() -> None:
    """Look once more whether the erased is gone and the rest can be found.

    Raises:
        BackupFault: naming what is wrong, by count.
    """
    waiting = Erasure.objects.filter(state=ErasureState.ON_HOLD).values("id")
    buried = Tombstone.objects.exclude(erasure_id__in=waiting).values("object_id")
    have = PassageVector.objects.filter(passage=OuterRef("pk"))
    found = {
        "keys of erased objects": ObjectKey.objects.filter(object_id__in=buried).count(),
        "erased memories in use": Memory.objects.filter(id__in=buried)
        .exclude(state__in=GONE)
        .count(),
        "erased messages": Event.objects.filter(id__in=buried).count(),
        "wordings without a vector": sum(store.without_vector(one).count() for one in _people()),
        "passages without a vector": Passage.objects.filter(~Exists(have)).count(),
    }
    wrong = [f"{count} {what}" for what, count in found.items() if count]
    if wrong:
        raise BackupFault(f"The restored rows are not in order: {', '.join(wrong)}.")


def _people() -> Iterator[Principal]:
    living = Subject.objects.filter(erased_at__isnull=True).order_by("tenant_id", "id")
    for tenant_id, subject_id in living.values_list("tenant_id", "id"):
        yield system(tenant_id, subject_id, label="restore").unlimited()


def _tenants() -> list[uuid.UUID]:
    return list(Tenant.objects.order_by("id").values_list("id", flat=True))


def _service(tenant_id: uuid.UUID, kind: ActorKind) -> Principal:
    return Principal(kind=kind, tenant_id=tenant_id, actor_id=None, label="restore")
