"""The vocabulary of documents."""

from django.db import models


class DocumentFormat(models.TextChoices):
    """What sort of file a document came as."""

    MARKDOWN = "markdown", "Markdown"
    TEXT = "text", "Plain text"
    HTML = "html", "HTML"
    PDF = "pdf", "PDF"


class DocumentState(models.TextChoices):
    """Where a document stands. While a newer file waits or fails, the one before serves on."""

    PENDING = "pending", "Waiting to be read"
    INDEXING = "indexing", "Found by words, waiting for vectors"
    READY = "ready", "Indexed"
    FAILED = "failed", "Could not be read"


class DocumentFault(models.TextChoices):
    """Why a document's file could not be read."""

    BROKEN = "broken", "Not a whole file of its format"
    ENCRYPTED = "encrypted", "Asks for a password"
    NO_TEXT = "no_text", "Holds no text, pictures perhaps"
    NOT_UTF8 = "not_utf8", "Not UTF-8"
    TOO_LARGE = "too_large", "Over the limit of pages, characters or time"
