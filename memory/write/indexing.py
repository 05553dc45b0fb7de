"""Vectors in the background: of what was stored while the embedder was down, and of a new embedder."""

import uuid
from collections.abc import Callable, Sequence

from accounts.acting import acting
from accounts.principal import Principal
from memory import access
from memory.choices import Sensitivity
from memory.index import store
from memory.index.context import Before, embed_all
from memory.models import Evidence, Version
from memory.models.version import VersionQuerySet
from memory.policy import WORK
from memory.providers import deadline
from memory.vault import SubjectVault, open_vault
from memory.write.answered import answered
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


def rebuild_terms(principal: Principal) -> int:
    """Index all the subject's wordings by their terms, where none is left; return how many.

    Every one is opened on the way. Raises VaultError if one does not open.
    """
    with acting(principal.unlimited()):
        vault = open_vault(principal)
        versions = list(store.wordings(principal).select_related("memory"))
        opened = access.open_versions(vault, [one.memory for one in versions], versions)
        for one in opened:
            store.add_terms(vault, one.version, redact(one.text).index_text)
    return len(opened)


def _embed(principal: Principal, due: VersionQuerySet) -> int:
    """Embed the next wordings; return how many. No transaction is open while the embedder works."""
    deadline.check()
    with acting(principal.unlimited()):
        versions = list(due.select_related("memory")[: WORK.batch])
        if not versions:
            return 0
        memories = [version.memory for version in versions]
        vault = open_vault(principal)
        opened = access.open_versions(vault, memories, versions)
        before = _before(principal, vault, [one.version for one in opened])
    texts = [redact(one.text).index_text for one in opened]
    meanings = embed_all(texts, before)
    with acting(principal.unlimited()):
        store.add_vectors([one.version for one in opened], meanings)
    return len(versions)


def _before(
    principal: Principal, vault: SubjectVault, versions: Sequence[Version]
) -> list[Before | None]:
    """Return for each wording the turn that the message it comes from answers, if any."""
    quotes = Evidence.objects.filter(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        memory_id__in=[version.memory_id for version in versions],
        event_id__isnull=False,
    ).order_by("-created_at")  # the first that a wording rests on is kept
    events = {(one.memory_id, one.version_number): one.event_id for one in quotes}
    levels: dict[uuid.UUID, Sensitivity] = {}
    for version in versions:
        if event_id := events.get((version.memory_id, version.number)):
            level = Sensitivity(version.memory.sensitivity)
            levels[event_id] = min(level, levels.get(event_id, level))
    turns = answered(principal, vault, levels)
    rests_on = (events.get((version.memory_id, version.number)) for version in versions)
    return [turns.get(event_id) if event_id else None for event_id in rests_on]
