"""Whether a statement says no more than the words it rests on. Pure."""

from memory.index.terms import terms
from memory.policy import WRITE
from memory.text.concepts import tokens
from memory.text.names import latin_names
from memory.text.normalise import fold, language
from memory.text.numbers import signature

# The concepts that turn a statement round.
DENIALS = ("not", "stop", "dislike")


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
    named = all(fold(name) in heard for name in latin_names(text))
    return named and supported(text, by=said)


def _denials(text: str) -> list[str]:
    return sorted(token.name for token in tokens(text) if token.name in DENIALS)


def supported(claim: str, *, by: str, share: float = WRITE.quote_support) -> bool:
    """Whether enough of a claim's terms (``share`` of them) stand in other words."""
    claimed = terms(claim)
    if not claimed:
        return False
    return len(claimed.keys() & terms(by).keys()) / len(claimed) >= share
