"""Reading PDF: the text of its pages. What it would run or fetch is not looked at."""

import io
import time
from collections.abc import Iterator

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from memory.choices.documents import DocumentFault
from memory.knowledge.blocks import Reading, Writer
from memory.knowledge.faults import Unreadable
from memory.policy import KNOWLEDGE

MAGIC = b"%PDF-"


def read_pdf(content: bytes) -> Reading:
    """Return the text of a PDF, page by page.

    Raises:
        Unreadable: if it is broken, asks for a password, or is too much to read.
    """
    try:
        return _read(PdfReader(io.BytesIO(content)))
    except Unreadable:
        raise
    # A made-up file brings the parser to errors of every kind; all of them mean the same.
    except (PyPdfError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError,
            RecursionError, NotImplementedError, AssertionError, OSError) as error:  # fmt: skip
        raise Unreadable(DocumentFault.BROKEN) from error


def _read(reader: PdfReader) -> Reading:
    if reader.is_encrypted and not reader.decrypt(""):
        raise Unreadable(DocumentFault.ENCRYPTED)
    if len(reader.pages) > KNOWLEDGE.max_pages:
        raise Unreadable(DocumentFault.TOO_LARGE)
    writer = Writer()
    for number, text in _pages(reader):
        writer.add(text, page=number)
    title = reader.metadata.title if reader.metadata else None
    return writer.reading(title.strip() if isinstance(title, str) else "")


def _pages(reader: PdfReader) -> Iterator[tuple[int, str]]:
    ends = time.monotonic() + KNOWLEDGE.max_seconds
    length = 0
    for number, page in enumerate(reader.pages, start=1):
        text = page.extract_text()
        length += len(text)
        if length > KNOWLEDGE.max_characters or time.monotonic() > ends:
            raise Unreadable(DocumentFault.TOO_LARGE)
        yield number, text
