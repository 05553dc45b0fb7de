"""A file on its way in: its name, its format, and what is refused at the door."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from django.conf import settings
from django.utils import timezone

from accounts.subjects import is_printable
from memory.choices import Role, Subtype
from memory.choices.documents import DocumentFormat
from memory.errors import BelongsInMemory, InvalidInput, TooLarge
from memory.knowledge.faults import Unreadable
from memory.knowledge.pdf import MAGIC
from memory.knowledge.reading import decoded
from memory.text.normalise import clean
from memory.write.candidate import Candidate, Turn
from memory.write.rules import extract

MAX_SOURCE = 500
MAX_TITLE = 300
SUFFIXES = {
    ".md": DocumentFormat.MARKDOWN,
    ".markdown": DocumentFormat.MARKDOWN,
    ".txt": DocumentFormat.TEXT,
    ".html": DocumentFormat.HTML,
    ".htm": DocumentFormat.HTML,
    ".pdf": DocumentFormat.PDF,
}
# A text as short as something a person says, and what of it would be theirs.
SHORT = 300
PERSONAL = (Subtype.PREFERENCE, Subtype.FACT, Subtype.GOAL, Subtype.RELATION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file with its sender's own name for it: a path or an address, the same at every sending."""

    source: str
    content: bytes
    format: DocumentFormat
    title: str = ""


def format_of(name: str) -> DocumentFormat:
    """Return the format a file's name tells.

    Raises:
        InvalidInput: if it tells none.
    """
    found = SUFFIXES.get(PurePosixPath(name.lower()).suffix)
    if found is None:
        raise InvalidInput(f"Give format: {', '.join(DocumentFormat.values)}.")
    return found


def check(upload: Upload) -> None:
    """Refuse what can be told to be wrong before it is read.

    Raises:
        InvalidInput, TooLarge, BelongsInMemory: says what to do.
    """
    if not is_printable(upload.source, most=MAX_SOURCE):
        raise InvalidInput(f"source must be printable, 1 to {MAX_SOURCE} characters, not padded.")
    if upload.title and not is_printable(upload.title, most=MAX_TITLE):
        raise InvalidInput(f"title must be printable, 1 to {MAX_TITLE} characters, not padded.")
    if len(upload.content) > settings.MAX_DOCUMENT_BYTES:
        raise TooLarge(f"A document may have {settings.MAX_DOCUMENT_BYTES} bytes.")
    if not upload.content.strip():
        raise InvalidInput("The document is empty.")
    if upload.format == DocumentFormat.PDF:
        if not upload.content.startswith(MAGIC):
            raise InvalidInput("This is no PDF.")
    else:
        _check_text(upload.content, upload.format)


def _check_text(content: bytes, form: DocumentFormat) -> None:
    try:
        text = decoded(content, form)
    except Unreadable:
        raise InvalidInput("The text is not UTF-8; convert it.") from None
    if len(text) <= SHORT and is_personal(text):
        raise BelongsInMemory(
            "This is what a person says about themselves: an agent proposes it with "
            "POST /api/v1/memories."
        )


def is_personal(text: str) -> bool:
    """Whether a short text is somebody's own preference or fact, and so no document."""
    turn = Turn(role=Role.USER, text=clean(text), at=timezone.now())
    found = [one for one in extract(turn, at=turn.at) if isinstance(one, Candidate)]
    return any(one.subtype in PERSONAL and not one.about for one in found)
