"""Vectors for what was stored while the embedder was down."""

from accounts.acting import acting
from accounts.principal import Principal
from memory import access
from memory.index import store
from memory.vault import open_vault
from memory.write.redact import redact


def embed_waiting(principal: Principal) -> int:
    """Embed the subject's wordings that wait for a vector; return how many.

    Raises:
        EmbedderUnavailable: if the embedder still does not answer; the job is retried.
    """
    done = 0
    while True:
        with acting(principal.unlimited()):
            versions = store.waiting(principal)
            if not versions:
                return done
            memories = [version.memory for version in versions]
            opened = access.open_versions(open_vault(principal), memories, versions)
            texts = [redact(one.text).index_text for one in opened]
            store.add_vectors([one.version for one in opened], texts)
            done += len(opened)
