"""From a file to its text: one reader for each format, the same limits for all."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from memory.choices.documents import DocumentFault, DocumentFormat
from memory.knowledge.blocks import Reading
from memory.knowledge.faults import Unreadable
from memory.knowledge.markdown import read_markdown, read_text
from memory.knowledge.pdf import read_pdf
from memory.knowledge.web import read_html
from memory.policy import KNOWLEDGE


def read(content: bytes, form: DocumentFormat) -> Reading:
    """Return the text of a file and its blocks.

    Raises:
        Unreadable: says why it gives no text.
    """
    reading = _read(content, form)
    if len(reading.text) > KNOWLEDGE.max_characters:
        raise Unreadable(DocumentFault.TOO_LARGE)
    if not reading.text.strip():
        raise Unreadable(DocumentFault.NO_TEXT)
    return reading


def _read(content: bytes, form: DocumentFormat) -> Reading:
    if form == DocumentFormat.PDF:
        return read_pdf(content)
    return READERS[form](decoded(content, form))


READERS: Mapping[DocumentFormat, Callable[[str], Reading]] = MappingProxyType(
    {
        DocumentFormat.MARKDOWN: read_markdown,
        DocumentFormat.TEXT: read_text,
        DocumentFormat.HTML: read_html,
    }
)
# As an old page names its encoding in its head; browsers read the newer form of each.
_DECLARED = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([a-z0-9_-]{2,20})", re.IGNORECASE)
_HEAD = 2048
_NEWER = MappingProxyType(
    {"gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252", "latin1": "cp1252"}
)


def decoded(content: bytes, form: DocumentFormat) -> str:
    """Return a text file's text: UTF-8, UTF-16 with its mark, or what an HTML page declares.

    Raises:
        Unreadable: for anything else; guessing would turn one language into another.
    """
    marked = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    encodings = ["utf-16" if marked else "utf-8-sig"]
    if form == DocumentFormat.HTML and (found := _DECLARED.search(content[:_HEAD])):
        name = found[1].decode().lower()
        encodings.append(_NEWER.get(name, name))
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
        if "\0" not in text:
            return text
    raise Unreadable(DocumentFault.NOT_UTF8)
