"""One form for text at the door: clean it, fold it for comparison, find its sentences.

`clean` is what gets stored; every offset elsewhere in the write path counts in cleaned text.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

# Kept as typed: NFKC would turn Chinese punctuation into ASCII and a superscript into a plain digit.
_KEEP = re.compile("([，：；！？（）…²³¹⁰⁴-⁹①-⑳½¼¾]+)")
# Zero-width, bidi, soft hyphen, variation selectors but FE0F, tag characters, control characters.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e0fff\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]"
)
# What a terminal reads as an order (ECMA-48): colours, cursor moves, titles, links. Data here, no text.
_TERMINAL = re.compile(
    "\x1b+(?:\\[[0-?]{0,64}[ -/]{0,8}[@-~]"
    "|[\\]PX^_][^\x07\x1b\x9c]{0,4000}(?:\x07|\x1b\\\\|\x9c)|[ -/]{0,8}[0-~])"
    "|\x9b[0-?]{0,64}[ -/]{0,8}[@-~]"
)
_EMOJI = "\u2190-\u2bff\u3030\u303d\U0001f000-\U0001faff"
# A joiner means something only between two emoji; elsewhere it hides words from a filter.
_LOOSE_JOINER = re.compile(f"(?<![{_EMOJI}\ufe0f])\u200d|\u200d(?![{_EMOJI}])")
_LOOSE_SELECTOR = re.compile(f"(?<![{_EMOJI}0-9#*\u00a9\u00ae])\ufe0f")
_BREAK = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_SPACE = re.compile(r"[^\S\n]+")
_AROUND_BREAK = re.compile(" ?\n ?")
_MANY_BREAKS = re.compile("\n{3,}")
_SURROGATE = re.compile("[\ud800-\udfff]")

CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_CJK_CHAR = re.compile(f"[{CJK}]")
_KANA = re.compile("[\u3040-\u30ff]")
_HANGUL = re.compile("[\uac00-\ud7af]")
_LATIN_WORD = re.compile("[A-Za-z\u00c0-\u024f]+(?:['’][A-Za-z]+)?")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a text and where it stands in it."""

    start: int
    end: int
    text: str


def clean(text: str) -> str:
    """The stored form: NFKC without its damage to punctuation, nothing invisible, calm spaces."""
    for _ in range(4):  # taking a character out may let its neighbours compose once more
        new = _clean_once(text)
        if new == text:
            break
        text = new
    return text


def visible(text: str) -> str:
    """A text without what no reader sees; its letters and its layout stay as they were typed."""
    text = _SURROGATE.sub("\ufffd", _BREAK.sub("\n", text))
    text = _TERMINAL.sub("", text) if "\x1b" in text or "\x9b" in text else text
    return _LOOSE_SELECTOR.sub("", _LOOSE_JOINER.sub("", _INVISIBLE.sub("", text)))


def _clean_once(text: str) -> str:
    text = _SURROGATE.sub("\ufffd", _BREAK.sub("\n", text))
    text = _INVISIBLE.sub("", _TERMINAL.sub("", text) if "\x1b" in text or "\x9b" in text else text)
    parts = _KEEP.split(text)
    parts[::2] = [unicodedata.normalize("NFKC", part) for part in parts[::2]]
    text = _LOOSE_SELECTOR.sub("", _LOOSE_JOINER.sub("", _INVISIBLE.sub("", "".join(parts))))
    text = _AROUND_BREAK.sub("\n", _SPACE.sub(" ", text))
    return _MANY_BREAKS.sub("\n\n", text).strip()


_KEPT_IN_FOLD = frozenset("#%@&+$€£¥*=<>/")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def fold(text: str) -> str:
    """The form two texts share when they are the same words: for exact duplicates only.

    A mark that carries meaning stays (`C++`, `-5`, `1.5`, `10:30`), as does a space between Latin words.
    """
    text = _THOUSANDS.sub("", clean(unicodedata.normalize("NFKC", clean(text)).casefold()))
    out: list[str] = []
    for i, char in enumerate(text):
        if _bears_meaning(text, i, char):
            out.append(char)
        elif char not in "'’" and out and out[-1] != " ":
            out.append(" ")
    return _join("".join(out))


def _bears_meaning(text: str, i: int, char: str) -> bool:
    if char.isalnum() or char in _KEPT_IN_FOLD:
        return True
    before, after = text[i - 1 : i], text[i + 1 : i + 2]
    if char in ".:-/":
        joins = before.isdigit() and after.isdigit()
        return joins or (char == "-" and after.isdigit() and not before.isalnum())
    return unicodedata.category(char) in ("So", "Mn", "Mc")


_NEEDLESS_SPACE = re.compile("(?<![0-9a-z]) | (?![0-9a-z])")


def _join(text: str) -> str:
    return _NEEDLESS_SPACE.sub("", text.strip())


def language(text: str) -> str:
    """The main language: `zh`, `en`, `ja`, `ko`, or `und` when there are no letters to tell by."""
    han, words = len(_CJK_CHAR.findall(text)), len(_LATIN_WORD.findall(text))
    kana, hangul = len(_KANA.findall(text)), len(_HANGUL.findall(text))
    if max(han, words, kana, hangul) == 0:
        return "und"
    if kana and kana * 4 >= han and kana >= words:
        return "ja"
    if hangul > max(han, words):
        return "ko"
    # A Chinese word is about one and a half characters long.
    return "zh" if han * 2 >= words * 3 else "en"


_SHORT_FORMS = (
    "mr mrs ms dr prof sr jr st mt no vs e.g i.e etc approx dept fig vol inc ltd co corp est "
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun "
    "a.m p.m u.s u.k ph.d gen rep sen rev capt cf al ca resp tel ext"
)
_ABBREVIATIONS = frozenset(_SHORT_FORMS.split())
_QUOTED = re.compile('“[^“”\n]{0,300}”|「[^「」\n]{0,300}」|『[^『』\n]{0,300}』|"[^"\n]{1,300}"')
_STOP = re.compile(r"\n+|[。！？；]+|[.!?…]+")
_CLOSERS = "”’」』）)】》\"'"
_WORD_BEFORE = re.compile(r"[A-Za-z][A-Za-z.]{0,8}\Z")


@lru_cache(maxsize=8)
def _sentences(text: str) -> tuple[Span, ...]:
    quoted = _inside_quotes(text)
    spans: list[Span] = []
    start = 0
    for stop in _STOP.finditer(text):
        if stop.start() in quoted or not _ends_sentence(text, stop):
            continue
        end = stop.end()
        while end < len(text) and text[end] in _CLOSERS and stop.group() != "\n":
            end += 1
        _append(spans, text, start, end)
        start = end
    _append(spans, text, start, len(text))
    return tuple(spans)


def sentences(text: str) -> list[Span]:
    """The sentences of a Chinese, English or mixed text, trimmed, with their offsets."""
    return list(_sentences(text))


def _inside_quotes(text: str) -> set[int]:
    """Where a stop does not end a sentence, because somebody else's words hold it.

    The last character of a quotation does end one, so it is left out.
    """
    inside: set[int] = set()
    for match in _QUOTED.finditer(text):
        last = match.end() - 1
        while last - 1 > match.start() and text[last - 1] in "。！？；.!?…":
            last -= 1
        inside.update(range(match.start(), last))
    return inside


def _ends_sentence(text: str, stop: re.Match[str]) -> bool:
    mark, before, after = (
        stop.group(),
        text[max(0, stop.start() - 10) : stop.start()],
        text[stop.end() : stop.end() + 2],
    )
    if mark[0] in "\n。！？；":
        return True
    following = after[:1]
    glued = following.isascii() and following not in " \n" + _CLOSERS
    if following and glued:
        return False  # 3.5, v1.2.3, example.com/a?b
    if mark == "." and _is_abbreviation(before, following):
        return False
    return not (mark[0] in ".…" and len(mark) + (mark == "…") > 1 and after[1:2].islower())


def _is_abbreviation(before: str, following: str) -> bool:
    word = _WORD_BEFORE.search(before)
    if word is None:
        # "1. First" opens a list item and does not end a sentence.
        return bool(re.search(r"(?:\A|\n)\s?\d{1,2}\Z", before)) and following == " "
    name = word.group().lower()
    initial = len(name) == 1 and word.group().isupper() and word.group() != "I"
    return bool(following) and (name in _ABBREVIATIONS or initial)


def _append(spans: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    if right > left:
        spans.append(Span(left, right, text[left:right]))
