"""Text to token numbers as multilingual-e5-small wants them: a unigram language model over pieces.

Of all ways to cut a text into pieces of the vocabulary the likeliest is taken (Kudo 2018, found by
Viterbi's algorithm). A character outside the vocabulary is one unknown piece.
"""

import re
from collections import defaultdict
from functools import lru_cache

from memory.providers.e5_onnx.weights import Weights

_SPACES = re.compile(" {2,}")
# The vocabulary writes a space like this, and puts one before every text.
_SPACE = "\u2581"
_WORDS = re.compile(f"{_SPACE}?[^{_SPACE}]+|{_SPACE}")
_NEVER = float("-inf")


class Tokeniser:
    """Cuts texts with the vocabulary of ``weights``."""

    def __init__(self, weights: Weights) -> None:
        self._folding = weights.folding
        self._unknown = weights.unknown
        self._numbers = {
            piece: number
            for number, piece in enumerate(weights.pieces)
            if piece and number != weights.unknown
        }
        self._scores = weights.scores
        self._unknown_score = min(weights.scores) - 10.0
        self._longest = defaultdict[str, int](int)
        for piece in self._numbers:
            self._longest[piece[0]] = max(self._longest[piece[0]], len(piece))
        # No piece goes on beyond a space, so words are cut one by one, and most come again.
        self._cut_word = lru_cache(maxsize=20_000)(self._likeliest)

    def cut(self, text: str) -> list[int]:
        """Return the numbers of the pieces of ``text``, without those that begin and end a window."""
        folded = _SPACES.sub(" ", text.translate(self._folding))
        spaced = (folded if folded.startswith(" ") else f" {folded}").replace(" ", _SPACE)
        return [number for word in _WORDS.findall(spaced) for number in self._cut_word(word)]

    def _likeliest(self, word: str) -> tuple[int, ...]:
        length, longest = len(word), self._longest
        best = [0.0] + [_NEVER] * length
        came = [(0, self._unknown)] * (length + 1)
        numbers, scores = self._numbers, self._scores
        for begin in range(length):
            so_far = best[begin]
            # Always possible, so that every place is reached.
            if so_far + self._unknown_score > best[begin + 1]:
                best[begin + 1] = so_far + self._unknown_score
                came[begin + 1] = (begin, self._unknown)
            for end in range(begin + 1, min(length, begin + longest.get(word[begin], 0)) + 1):
                number = numbers.get(word[begin:end])
                if number is not None and so_far + scores[number] > best[end]:
                    best[end] = so_far + scores[number]
                    came[end] = (begin, number)
        return _walk_back(came)


def _walk_back(came: list[tuple[int, int]]) -> tuple[int, ...]:
    at, pieces = len(came) - 1, list[int]()
    while at > 0:
        at, number = came[at]
        pieces.append(number)
    return tuple(reversed(pieces))
