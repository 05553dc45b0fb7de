"""Which stretch of time a question speaks of, in either language, counted from a given moment.

A stretch is half open: it begins at midnight of its first day in the zone of ``at`` and ends at the
midnight after its last. What is named without a year is the latest that has begun, unless the words
look ahead.
"""

import re
from datetime import datetime, timedelta

from memory.text.calendar import Span, back, midnight, span, whole
from memory.text.named_spans import by_day, by_month, by_quarter, by_season, by_weekend
from memory.text.when import Unit, chinese_number

_WORDS_EN = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
             "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "few": 3, "couple of": 2,
             "couple": 2, "several": 4}  # fmt: skip
_UNITS = {
    "day": Unit.DAY, "week": Unit.WEEK, "month": Unit.MONTH, "year": Unit.YEAR,
    "天": Unit.DAY, "日": Unit.DAY, "周": Unit.WEEK, "星期": Unit.WEEK, "礼拜": Unit.WEEK,
    "月": Unit.MONTH, "年": Unit.YEAR,
}  # fmt: skip
_B, _E = "(?<![0-9a-z])", "(?![0-9a-z])"


def spans(text: str, at: datetime) -> tuple[Span, ...]:
    """Return the stretches ``text`` may speak of, counted from ``at`` in its zone; none if none.

    More than one are alternatives: "on Friday" without a tense is the last or the coming one.
    """
    lower = text.lower()
    for read in (
        _between,
        _open,
        _rolling,
        _this,
        by_month,
        by_season,
        by_quarter,
        by_weekend,
        by_day,
    ):
        try:
            found = read(lower, at)
        except (ValueError, OverflowError):  # the 31st of February, the year 0
            found = ()
        if found:
            return found
    return ()


def without(text: str, found: tuple[Span, ...]) -> str:
    """Return ``text`` without the words of the stretch."""
    if not found:
        return text
    return text[: found[0].start] + " " + text[found[0].stop :]


# --- readers, the more particular first -----------------------------------------------------------

_BETWEEN = re.compile(
    _B + r"(?:between|from) (?P<a>[^,.?!]{2,30}?) (?:and|to|till|until|through) (?P<b>[^,.?!]{2,30})"
    r"|从?(?P<c>[^，。？！,?!从]{1,12})(?:到|至)(?P<d>[^，。？！,?!]{1,12}?)(?:之间|期间|的?时候|这段时间|，|$|我|你|都|有|的)"
)  # fmt: skip
_SINCE = re.compile(
    _B + r"(?:since|ever since) (?P<a>[^,.?!]{2,30})|(?:自从?|打从|从)(?P<b>[^，。？！,?!]{1,12}?)(?:以来|之后|以后|起|开始)"
    r"|(?P<c>[^，。？！,?!]{1,12}?)以来"
)  # fmt: skip
_UNTIL = re.compile(_B + r"(?:before|until|prior to) (?P<a>[^,.?!]{2,30})")


def _between(text: str, at: datetime) -> tuple[Span, ...]:
    match = _BETWEEN.search(text)
    if match is None:
        return ()
    one = _inner(match["a"] or match["c"] or "", at)
    other = _inner(match["b"] or match["d"] or "", at)
    if one is None or other is None or one.begin is None or other.end is None:
        return ()
    if one.begin >= other.end:  # "from November to February"
        one = _inner(match["a"] or match["c"] or "", other.end - timedelta(days=1)) or one
    if one.begin is None or one.begin >= other.end:
        return ()
    return span((one.begin, other.end), match)


def _open(text: str, at: datetime) -> tuple[Span, ...]:
    if match := _SINCE.search(text):
        inner = _inner(match["a"] or match["b"] or match["c"] or "", at)
        if inner and inner.begin:
            return span((inner.begin, None), match)
    if match := _UNTIL.search(text):
        inner = _inner(match["a"], at)
        if inner and inner.begin:
            return span((None, inner.begin), match)
    return ()


def _inner(words: str, at: datetime) -> Span | None:
    """Return the stretch a part of a range names: the readers that come after the ranges'."""
    for read in (_rolling, _this, by_month, by_season, by_quarter, by_weekend, by_day):
        if found := read(words.strip(), at):
            return found[0]
    return None


_ROLLING = re.compile(
    _B + r"(?:last|past|previous) (?:(?P<n>[0-9]{1,3}|a|one|two|three|four|five|six|seven|eight|nine"
    r"|ten|twelve|few|couple of|couple|several) (?P<u>day|week|month|year)s?"
    r"|(?P<u1>(?<=past )(?:day|week|month|year)))" + _E
    + r"|(?:最近|过去|近|前|这)(?:的|这)?(?P<nz>[0-9]{1,3}|[一二两三四五六七八九十几半]{1,3})个?(?P<uz>天|日|周|星期|礼拜|月|年)(?!前)"
    r"|" + _B + r"(?P<other>the other day|these days|lately)" + _E
)  # fmt: skip


def _rolling(text: str, at: datetime) -> tuple[Span, ...]:
    match = _ROLLING.search(text)
    if match is None:
        return ()
    if match["other"]:
        number, unit = 7, Unit.DAY
    elif match["uz"]:
        unit = _UNITS[match["uz"]]
        if match["nz"] == "半":  # 最近半年, 半个月
            number, unit = (6, Unit.MONTH) if unit == Unit.YEAR else (15, Unit.DAY)
        else:
            number = 5 if "几" in match["nz"] else chinese_number(match["nz"])
    else:
        unit = _UNITS[match["u"] or match["u1"]]
        word = match["n"] or "1"
        number = int(word) if word.isdigit() else _WORDS_EN[word]
    if not number:
        return ()
    return span((back(at, number, unit), midnight(at) + timedelta(days=1)), match)


_THIS = re.compile(
    _B + r"this (?P<u>week|month|year)" + _E
    + r"|(?:这|本|今)(?:个|一)?(?P<uz>周|星期|礼拜|月|年)(?![一二三四五六日天末份0-9])"
)  # fmt: skip


def _this(text: str, at: datetime) -> tuple[Span, ...]:
    match = _THIS.search(text)
    return span(whole(at, _UNITS[match["u"] or match["uz"]]), match) if match else ()
