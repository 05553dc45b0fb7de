"""Text to terms, for the lexical half of the search; pure, and the same for texts and questions.

Runs of letters and digits are words: English words become Snowball stems, identifiers and numbers
stay whole. Scripts written without spaces (Chinese, Japanese, Korean, Thai...) become overlapping
pairs of characters, which find as well as a dictionary of words would and need none. The two kinds
are told apart by character, never by ``\\b``: Python sees no boundary between 汉 and 8.

The index stores no term but its keyed digest, so nothing readable lies in the database.
"""

import hmac
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

import snowballstemmer

# Scripts without spaces between words. Hangul has spaces, but its particles are glued to the words.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai and Lao, Burmese, Khmer
    "\u2e80-\u2fdf\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"  # radicals, kana
    "\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"  # Han
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"  # Hangul, more Han
)
# A letter or digit, or a mark that belongs to one: without the Indic block, vowel signs would cut
# Hindi words in pieces.
_LETTER = rf"(?:[^\W_{_UNSPACED}]|[\u0300-\u036f\u0900-\u0dff])"
_TOKEN = re.compile(
    rf"(?P<unspaced>[{_UNSPACED}]+)|{_LETTER}+(?:[-_.@:/+#&'](?={_LETTER}){_LETTER}+)*"
)
_JOINTS = re.compile(r"[-_.@:/+#&]")
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_DIGIT = re.compile(r"\d")
_IDENTIFIER = re.compile(r"[\d@._&]")
_CLITIC = re.compile(r"'(?:s|m|re|ve|ll|d)$")

# Words of grammar, which say nothing about what a text is about. Our own short list: pronouns,
# articles, prepositions, auxiliaries and question words; "don't" and its like need no entry. No
# numbers, no adjectives, no verbs with a meaning of their own, and not the month of May.
STOP_WORDS = frozenset(
    """
    a about am an and any are as at be because been being but by can could did do does doing done
    for from had has have having he her here hers herself him himself his how i if in into is it its
    itself just me might must my myself nor not of on or our ours ourselves shall she should so some
    such than that the their theirs them themselves then there these they this those to too us very
    was we were what when where which who whom whose why will with would you your yours yourself
    yourselves
    """.split()  # noqa: SIM905 - a hundred quoted words read worse
)

# The same for Chinese: particles, pronouns and copulas of one character. A run of characters ends
# at each, else most pairs of a question would be half grammar ("的猫"). Only characters that hardly
# ever stand inside a word: 他 (吉他), 吧 (酒吧), 和, 有 and 都 (成都) do; 目的 and 了解 are spared.
# So do words of grammar of two: a text that says 关于 is not about what a question asks with 关于.
_GLUE = re.compile(
    "(?<!目)的|了(?!解)|[吗嗎呢啊我你您妳她它们們这這是在很]|(?<!海)[关關]于|[对對]于|由于|如何|什么|怎么样?|怎[样樣]|哪些"
    "|是否|能否|或者|而且|因[为為](?!素)|(?<!究)所以|如果(?!汁)|但是|以及|一下|一些|可以"
)

# Longer runs of letters are no words (encoded data); they would only fill the cache of stems.
LONGEST_WORD = 40

_stemmer = snowballstemmer.stemmer("english")
_stemming = threading.Lock()


def terms(text: str) -> Counter[str]:
    """Terms of ``text`` and how often each occurs; `Counter.total` is the length BM25 speaks of.

    >>> sorted(terms("INV-2024-0017 的发票，please"))
    ['0017', '2024', 'inv', 'inv-2024-0017', 'pleas', '发票']
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    folded = _THOUSANDS.sub("", folded.replace("\u2019", "'"))
    found: Counter[str] = Counter()
    for match in _TOKEN.finditer(folded):
        run = match["unspaced"]
        found.update(_pairs(run) if run else _words(match[0]))
    return found


def digests(counted: Mapping[str, int], key: bytes) -> dict[int, int]:
    """The terms without their letters: digest → frequency.

    A digest is the first 8 bytes of HMAC-SHA256 under ``key`` (one key per subject) as a signed
    integer, PostgreSQL's ``bigint``. Whoever reads the table learns neither the terms nor whether
    two people share one. Should two terms ever meet in one digest, their frequencies add up.
    """
    hidden: dict[int, int] = {}
    for term, frequency in counted.items():
        mac = hmac.digest(key, term.encode("utf-8", "replace"), "sha256")
        digest = int.from_bytes(mac[:8], "big", signed=True)
        hidden[digest] = hidden.get(digest, 0) + frequency
    return hidden


def is_rare_shape(term: str) -> bool:
    """Whether ``term`` looks like a name for one thing: an identifier, an address, a longer number.

    Such a term in a question means exactly the text that holds it, however far the meaning is.
    """
    return len(term) > 1 and _IDENTIFIER.search(term) is not None


def _pairs(run: str) -> Iterator[str]:
    """Overlapping pairs of characters between grammar; a single character stays alone."""
    for piece in _GLUE.split(run):
        yield from (a + b for a, b in pairwise(piece)) if len(piece) > 1 else piece


def _words(token: str) -> Iterator[str]:
    """The words in ``token``, and the whole of it when it is an identifier or a joined word."""
    parts = _JOINTS.split(token)
    if len(parts) == 1:
        yield from _word(token)
        return
    if _IDENTIFIER.search(token):
        yield token
    elif "-" in token:
        yield from _word("".join(parts))  # "wi-fi" is also found as "wifi"
    for part in parts:
        if len(part) > 1:  # the 1, 2 and 3 of "v1.2.3" stand in every text
            yield from _word(part)


def _word(word: str) -> Iterator[str]:
    if _DIGIT.search(word):
        yield word
        return
    plain = _CLITIC.sub("", word)
    if plain not in STOP_WORDS and not plain.endswith("n't"):
        yield _stem(plain) if len(plain) <= LONGEST_WORD else plain


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    with _stemming:  # the stemmer keeps the word it works on in itself
        stem: str = _stemmer.stemWord(word)
    return stem
