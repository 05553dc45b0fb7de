"""What the words of a text say, in either language: words of one meaning become one concept.

The list beside this file (``concepts.txt``) holds words that say the same of a person. Whatever is
not on it stays itself: an English word as its stem, Chinese as its characters, a name as it is
written. So a word that nobody listed can only keep two texts apart.
"""

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import snowballstemmer

LISTED = Path(__file__).with_name("concepts.txt")
SECTION = "# --- "  # then the section's name
NOTHING, OPTIONAL, PERSON, ANIMAL = "-", "?", "@", "%"
_FILLERS = frozenset(
    """
    a an the i me my mine we us our ours of in on at to for from with by as and or so but than then
    that this these those it its there here into onto about s m t d re ve ll
    i'm i've i'd i'll we're we've we'll it's that's there's
    his her their he she they them him who whom whose which what when where if while during every
    each
    """.split()  # noqa: SIM905 - a list of words reads better
)
_FILLERS_ZH = frozenset(
    "我你您咱们的了呢吧啊呀哦嘛是在着过地得和跟与那这里也都就还又对为把给于及并之所被从到向将每最更太上里"
)
# Where something was taken out (NUL), a phrase ends.
_PIECE = re.compile(
    r"(?P<gap>\x00)|(?P<han>[\u3400-\u9fff]+)"
    r"|(?P<word>[a-z0-9\u00c0-\u024f][a-z0-9\u00c0-\u024f+#]*(?:['\-._/@&][a-z0-9\u00c0-\u024f+#]+)*)"
    r"|(?P<sign>[\U0001f300-\U0001faff\u2600-\u27bf])"
)
_stemmer = snowballstemmer.stemmer("english")
_stemming = threading.Lock()


@dataclass(frozen=True, slots=True)
class Token:
    """One concept of a text. ``mark`` is how it is listed; ``word`` what is not listed reads."""

    name: str
    mark: str = ""
    word: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """The listed words: English phrases by their stems, Chinese words as they are.

    ``begins`` maps the first word of a phrase, or the first character of a word, to the lengths there are,
    the longest first. ``topics`` maps a concept to the section of the list in which it stands, ``written`` to its first
    Chinese word.
    """

    english: MappingProxyType[tuple[str, ...], Token]
    chinese: MappingProxyType[str, Token]
    topics: MappingProxyType[str, str]
    written: MappingProxyType[str, str]
    begins: MappingProxyType[str, tuple[int, ...]]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return the stem of an English word (Snowball)."""
    with _stemming:  # the stemmer keeps the word it works on in itself
        return str(_stemmer.stemWord(word))


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the listed words, read once."""
    english: dict[tuple[str, ...], Token] = {}
    chinese: dict[str, Token] = {}
    topics: dict[str, str] = {}
    written: dict[str, str] = {}
    section = ""
    for line in LISTED.read_text("utf-8").splitlines():
        if line.startswith(SECTION):
            section = re.split("[^a-z]", line.removeprefix(SECTION))[0]
        if not line.strip() or line.startswith("#"):
            continue
        mark = line[0] if line[0] in (NOTHING, OPTIONAL, PERSON, ANIMAL) else ""
        left, _, right = line.removeprefix(mark).partition("|")
        phrases = left.split()
        token = Token(phrases[0], mark)
        english |= {tuple(map(stem, phrase.split("_"))): token for phrase in phrases}
        chinese |= dict.fromkeys(right.split(), token)
        topics[token.name] = section
        written |= dict.fromkeys([token.name] if right else [], " ".join(right.split()[:1]))
    return Lexicon(
        english=MappingProxyType(english),
        chinese=MappingProxyType(chinese),
        topics=MappingProxyType(topics),
        written=MappingProxyType(written),
        begins=MappingProxyType(_lengths([*english, *chinese])),
    )


def _lengths(listed: Iterable[Sequence[str]]) -> dict[str, tuple[int, ...]]:
    found: dict[str, set[int]] = {}
    for one in listed:
        found.setdefault(one[0], set()).add(len(one))
    return {first: tuple(sorted(lengths, reverse=True)) for first, lengths in found.items()}


def tokens(text: str) -> list[Token]:
    """Return the concepts of a text in their order, without what carries nothing.

    The text should be free of numbers and times, which are compared on their own.
    """
    found: list[Token] = []
    words: list[str] = []
    for piece in _PIECE.finditer(text.lower().replace("’", "'")):
        if piece["word"]:
            words.append(piece["word"])
            continue
        found += _english(words)
        words = []
        found += _chinese(piece["han"] or "")
        found += [Token(piece["sign"])] if piece["sign"] else []
    found += _english(words)
    return [token for token in found if token.mark != NOTHING]


def topics_of(text: str) -> frozenset[str]:
    """Return the sections of the list in which the concepts of a text stand."""
    known = lexicon().topics
    return frozenset(known[one.name] for one in tokens(text) if not one.word and one.name in known)


@lru_cache(maxsize=20_000)
def _unlisted(name: str, word: str) -> Token:
    return Token(name, word=word)


def _english(words: list[str]) -> Iterator[Token]:
    """Longest listed phrase first; what is not listed is its stem."""
    plain = [word.removesuffix("'s") for word in words]
    stems = [stem(word) for word in plain]
    known, start = lexicon(), 0
    while start < len(stems):
        for length in known.begins.get(stems[start], ()):
            if token := known.english.get(tuple(stems[start : start + length])):
                yield token
                start += length
                break
        else:
            if plain[start] not in _FILLERS:
                yield _unlisted(stems[start], plain[start])
            start += 1


def _chinese(run: str) -> Iterator[Token]:
    """Longest listed word first; what is not listed is its characters."""
    known, start = lexicon(), 0
    while start < len(run):
        for length in known.begins.get(run[start], ()):
            if token := known.chinese.get(run[start : start + length]):
                yield token
                start += length
                break
        else:
            if run[start] not in _FILLERS_ZH:
                yield _unlisted(run[start], run[start])
            start += 1
