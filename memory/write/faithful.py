"""Whether a statement says no more than the words it rests on. Pure."""

import re

from memory.index.terms import terms
from memory.policy import WRITE
from memory.text.concepts import tokens
from memory.text.normalise import fold, language
from memory.text.numbers import signature

# A word that names: capital inside a sentence, or letters with digits.
_NAME = re.compile(r"(?<![0-9A-Za-z])(?=[A-Z]|[a-z]+[0-9])[0-9A-Za-z][0-9A-Za-z.+#_-]*")
# The concepts that turn a statement round.
DENIALS = ("not", "stop", "dislike")
_FIRST_WORD = re.compile(r"\A\W*\w+")


def faithful(text: str, *, quote: str, said: str) -> bool:
    """Whether ``text`` may stand for ``quote``, with ``said``, the talk around it, to understand it by.

    It is in the quote's language, as positive or negative as the quote, and brings no number and no
    name that nobody said; most of its terms were said.
    """
    if language(text) != language(quote) or _denials(text) != _denials(quote):
        return False
    if not signature(text)[0] <= signature(said)[0]:
        return False
    heard = fold(said)
    names = _NAME.findall(_FIRST_WORD.sub("", text))
    return all(fold(name) in heard for name in names) and supported(text, by=said)


def _denials(text: str) -> list[str]:
    return sorted(token.name for token in tokens(text) if token.name in DENIALS)


def supported(claim: str, *, by: str, share: float = WRITE.quote_support) -> bool:
    """Whether enough of a claim's terms (``share`` of them) stand in other words."""
    claimed = terms(claim)
    if not claimed:
        return False
    return len(claimed.keys() & terms(by).keys()) / len(claimed) >= share
