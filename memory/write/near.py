"""Where to look at all: an expensive pattern runs only next to what it needs, so that prose stays cheap."""

import re
from collections.abc import Callable, Iterable, Iterator

_DIGIT = re.compile("[0-9]+")
_ASCII_LOWER = {ord(c): c.lower() for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
# What tells a number, or belongs to an address with one, stands within so many characters of a digit.
_BEFORE, _AFTER = 120, 120


def lowered(text: str) -> str:
    """Return the text in lower case, each character where it was."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text.translate(_ASCII_LOWER)


def starting_at(
    pattern: re.Pattern[str], text: str, lower: str, words: Iterable[str]
) -> Iterator[re.Match[str]]:
    """Yield the matches that begin with one of ``words`` (lower case), without overlaps of one word."""
    for word in words:
        at = lower.find(word)
        while at >= 0:
            match = pattern.match(text, at)
            if match:
                yield match
            at = lower.find(word, max(at + 1, match.end() if match else 0))


def near_digits[Hit: tuple[str, int, int]](
    text: str, find: Callable[[str], Iterable[Hit]]
) -> Iterator[tuple[str, int, int]]:
    """Yield what is found in the stretches around digits."""
    for start, end in _stretches(text):
        for kind, left, right in find(text[start:end]):
            yield kind, start + left, start + right


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    start, end = 0, -1
    for m in _DIGIT.finditer(text):
        if end < 0 or m.start() - _BEFORE > end:
            if end >= 0:
                yield start, end
            start = max(0, m.start() - _BEFORE)
        end = min(len(text), m.end() + _AFTER)
    if end >= 0:
        yield start, end
