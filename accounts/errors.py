"""The base of every error, and the one that is raised down here."""

from typing import ClassVar


class KeepsakeError(Exception):
    """Base of every error a caller can cause or must handle.

    ``code`` is stable and documented, ``status`` is the HTTP status of the problem document and
    ``title`` its summary. ``detail`` says what to do about it and never holds memory text.
    """

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 400
    title: ClassVar[str] = "Bad request"

    def __init__(self, detail: str = "") -> None:
        super().__init__(detail or self.title)
        self.detail = detail or self.title


class LedgerUnavailable(KeepsakeError):
    """The ledger outside the database cannot be written; nothing was erased or taken away."""

    code = "ledger_unavailable"
    status = 503
    title = "The ledger cannot be written"
