"""How contact and identity details look (level 30): kept in the text, masked in the index."""

import re
from collections.abc import Iterator

from memory.write.addresses import addresses, addresses_zh
from memory.write.doors import door_codes
from memory.write.ids import ids
from memory.write.near import lowered, near_digits, starting_at
from memory.write.phones import phones

Hit = tuple[str, int, int]

_EMAIL = re.compile(
    r"(?<![\w.%+\-])[\w.%+\-]{1,64}@[0-9A-Za-z\-]{1,63}(?:\.[0-9A-Za-z\-]{1,63}){1,5}", re.ASCII
)
_HANDLE = re.compile(
    r"(?:微信号?|(?<![a-z])wechat(?: id)?|(?<![a-z])qq号?|(?<![a-z])telegram|(?<![a-z])line id)(?:号码?)?"
    r"(?: is|是|为|[:：])? ?(?P<v>@?[A-Za-z][\w\-]{5,19}|[1-9][0-9]{5,10})(?![0-9A-Za-z])",
    re.ASCII | re.IGNORECASE,
)
_HANDLE_WORDS = ("微信", "wechat", "qq", "telegram", "line id")
_COORDINATES = re.compile(
    r"(?<![0-9.])-?[0-9]{1,3}\.[0-9]{3,10}°? ?[NSns]?[,，] ?-?[0-9]{1,3}\.[0-9]{3,10}(?![0-9])"
)


def contacts(text: str) -> Iterator[Hit]:
    """Contact and identity details with their spans, surest kinds first; they may overlap."""
    if "@" in text:
        yield from (("EMAIL", *m.span()) for m in _EMAIL.finditer(text))
    handles = starting_at(_HANDLE, text, lowered(text), _HANDLE_WORDS)
    yield from (("HANDLE", *m.span("v")) for m in handles)
    yield from near_digits(text, _numbered)
    if not text.isascii():
        yield from addresses_zh(text)


def exact_places(text: str) -> Iterator[tuple[int, int]]:
    """Exact places given as latitude and longitude, and what opens their doors."""
    if "." in text:
        yield from (m.span() for m in _COORDINATES.finditer(text))
    yield from door_codes(text)


def _numbered(text: str) -> Iterator[Hit]:
    yield from ids(text)
    yield from (("PHONE", start, end) for start, end in phones(text))
    yield from addresses(text)
