"""Passages and a new embedder: all of a tenant's are embedded anew, then the former vectors go."""

from collections.abc import Callable

from django.db.models import Exists, OuterRef

from accounts.acting import acting
from accounts.principal import Principal
from memory.knowledge.index import embed
from memory.models import Passage, PassageVector
from memory.providers import deadline
from memory.providers.embedding import get_embedder


def reembed(service: Principal, *, progress: Callable[[int, int], None]) -> None:
    """Embed all the tenant's passages anew, then drop the former embedder's vectors.

    Those serve until then. ``progress`` hears of how many passages how many are done. Safe to run
    twice and to be killed anywhere.

    Raises:
        EmbedderUnavailable: if the embedder does not answer; what is done stays done.
        OutOfTime: if it takes too long; the job goes on later.
    """
    have = PassageVector.objects.filter(passage=OuterRef("pk"), model=get_embedder().id)
    every = Passage.objects.filter(tenant_id=service.tenant_id)
    while True:
        deadline.check()
        with acting(service):
            due = every.filter(~Exists(have))
            left, total = due.count(), every.count()
            document = due.order_by("document_id").values_list("document_id", flat=True).first()
            if document is None:
                mine = PassageVector.objects.filter(tenant_id=service.tenant_id)
                mine.exclude(model=get_embedder().id).delete()
        progress(total - left, total)
        if document is None:
            return
        embed(service, document)
