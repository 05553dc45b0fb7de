"""Vectors in the background: of what was stored while the embedder was down, and of a new embedder."""

from collections.abc import Callable

from accounts.acting import acting
from accounts.principal import Principal
from memory import access
from memory.index import store
from memory.models.version import VersionQuerySet
from memory.policy import WORK
from memory.providers import deadline
from memory.providers.embedding import get_embedder
from memory.vault import open_vault
from memory.write.redact import redact


def embed_waiting(principal: Principal) -> None:
    """Embed the subject's current wordings that wait for a vector.

    Raises:
        EmbedderUnavailable: if the embedder still does not answer; the job is retried.
        OutOfTime: if it takes too long; the job goes on later.
    """
    while _embed(principal, store.without_vector(principal, pending=True)):
        pass


def reembed(principal: Principal, *, progress: Callable[[int, int], None]) -> None:
    """Embed all the subject's wordings anew, past ones too, then drop the former embedder's vectors.

    Those serve until then. ``progress`` hears of how many wordings how many are done. Safe to run
    twice and to be killed anywhere. Raises as `embed_waiting` does; what is done stays done.
    """
    with acting(principal.unlimited()):
        total = store.count_wordings(principal)
        done = total - store.without_vector(principal).count()
    progress(done, total)
    while count := _embed(principal, store.without_vector(principal)):
        done += count
        progress(min(done, total), total)
    with acting(principal.unlimited()):
        store.drop_others(principal)


def _embed(principal: Principal, due: VersionQuerySet) -> int:
    """Embed the next wordings; return how many. No transaction is open while the embedder works."""
    deadline.check()
    with acting(principal.unlimited()):
        versions = list(due.select_related("memory")[: WORK.batch])
        if not versions:
            return 0
        memories = [version.memory for version in versions]
        opened = access.open_versions(open_vault(principal), memories, versions)
    texts = [redact(one.text).index_text for one in opened]
    vectors = list(get_embedder().passage(texts))
    with acting(principal.unlimited()):
        store.add_vectors(versions, vectors)
    return len(versions)
