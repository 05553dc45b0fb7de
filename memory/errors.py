"""Errors the services raise; each carries the code and status its problem document shows."""

import uuid

from psycopg.errors import QueryCanceled

from accounts.errors import KeepsakeError as KeepsakeError  # noqa: PLC0414 - errors are found here
from accounts.errors import LedgerUnavailable as LedgerUnavailable  # noqa: PLC0414 - likewise


class InvalidInput(KeepsakeError):
    """The input does not have the documented shape."""

    code = "invalid_input"
    title = "The request is not understood"


class NotFound(KeepsakeError):
    """The object does not exist, or the caller may not know that it does."""

    code = "not_found"
    status = 404
    title = "Not found"


class Forbidden(KeepsakeError):
    """The caller is known but has no right to this action; ``about`` is the person it was about, if known."""

    code = "forbidden"
    status = 403
    title = "Not allowed"

    def __init__(self, detail: str = "", *, about: uuid.UUID | None = None) -> None:
        super().__init__(detail)
        self.about = about


class StaleState(KeepsakeError):
    """The object changed state meanwhile; read it again."""

    code = "stale_state"
    status = 409
    title = "The object has changed meanwhile"


class SaidAlready(StaleState):
    """Another memory in use has the very wording; a wording has one holder."""

    title = "Another memory already says exactly this"


class StaleVersion(KeepsakeError):
    """``If-Match`` named a version that is no longer current."""

    code = "stale_version"
    status = 412
    title = "A newer version exists"


class VersionRequired(KeepsakeError):
    """A change needs ``If-Match``."""

    code = "version_required"
    status = 428
    title = "Send If-Match with the version you read"


class IdempotencyConflict(KeepsakeError):
    """The same ``Idempotency-Key`` came with another body."""

    code = "idempotency_conflict"
    status = 422
    title = "This Idempotency-Key was used for another request"


class IdempotencyInFlight(KeepsakeError):
    """The first request with this ``Idempotency-Key`` is still running."""

    code = "idempotency_in_flight"
    status = 409
    title = "The first request with this Idempotency-Key is still running"


class Gone(KeepsakeError):
    """The object was erased or has expired."""

    code = "gone"
    status = 410
    title = "Erased or expired"


class TooLarge(KeepsakeError):
    """The body or a text is over its limit."""

    code = "too_large"
    status = 413
    title = "Too large"


class QuotaExceeded(KeepsakeError):
    """The tenant has brought as much as an operator lets it; ``wait`` seconds, if time helps."""

    code = "quota_exceeded"
    status = 429
    title = "Your organisation has reached its quota"

    def __init__(self, detail: str = "", *, wait: int = 0) -> None:
        super().__init__(detail)
        self.wait = wait


class BelongsInMemory(KeepsakeError):
    """A person's preference was sent as a document; it belongs to memory."""

    code = "belongs_in_memory"
    status = 422
    title = "This belongs in memory"


class EmbedderUnavailable(KeepsakeError):
    """The embedder cannot answer now; lexical search still works."""

    code = "embedder_unavailable"
    status = 503
    title = "Meaning search is off right now"


class RerankerUnavailable(KeepsakeError):
    """The reranker cannot answer now; the order stays as it was measured here."""

    code = "reranker_unavailable"
    status = 503
    title = "The reranker is off right now"


class DatabaseSlow(KeepsakeError):
    """The database took longer than a request may wait; nothing was changed."""

    code = "database_slow"
    status = 503
    title = "The database took too long"


class DatabaseUnavailable(KeepsakeError):
    """The database does not answer."""

    code = "database_unavailable"
    status = 503
    title = "The database does not answer"


class ServiceClosed(KeepsakeError):
    """A backup is being restored; nothing is shown until the erased is gone from it."""

    code = "closed"
    status = 503
    title = "The service is closed while a backup is restored"


class BackupFault(Exception):
    """A backup cannot be made or read; only the owner's commands meet it."""


class VaultError(KeepsakeError):
    """A sealed text cannot be opened: its key is gone, wrong, or the text was moved."""

    code = "vault"
    status = 503
    title = "The vault cannot open this"


class KeyDestroyed(VaultError):
    """A sealed text has no key any more: what was read was erased, perhaps while it was read."""


def of_database(error: Exception) -> KeepsakeError:
    """Return what a caller is told of an error of the database's: too slow, or not there."""
    if isinstance(error.__cause__, QueryCanceled):
        return DatabaseSlow("The database took too long; nothing was changed. Try again.")
    return DatabaseUnavailable("The database does not answer; nothing was changed. Try again.")
