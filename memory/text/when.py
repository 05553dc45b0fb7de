"""When something happened, from the words people use, counted from a given moment in their zone."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

_ZH_DIGIT = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_WEEKDAYS_EN = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTHS_EN = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH_EN = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_DAY = (
    "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?"
    "|sat(?:urday)?|sun(?:day)?"
)
_N_ZH = "[0-9]{1,3}|[一二两三四五六七八九十]{1,3}"
_UNIT_ZH = {"天": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}
_COUNTING = "zero one two three four five six seven eight nine ten"
_ROUGHLY = {"a": 1, "an": 1, "a couple of": 2, "a few": 3}
_NUMBERS_EN = {word: n for n, word in enumerate(_COUNTING.split())} | _ROUGHLY


class Unit(StrEnum):
    """How exactly a time is named."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A day that stands for the time a text names, how exact it is, and where the words stand."""

    day: datetime
    unit: Unit
    start: int
    end: int


def chinese_number(text: str) -> int:
    """A small number written in Chinese or in digits (十二 is 12); 0 when it is none."""
    if text.isdigit():
        return int(text)
    tens, sep, ones = text.partition("十")
    if not sep:
        digits = [_ZH_DIGIT.get(c, -1) for c in text]
        return int("".join(map(str, digits))) if digits and min(digits) >= 0 else 0
    return _ZH_DIGIT.get(tens, 1 if not tens else 0) * 10 + _ZH_DIGIT.get(ones, 0)


def _days(n: int) -> Callable[[re.Match[str], datetime], datetime]:
    return lambda _, at: at + timedelta(days=n)


def _ago_zh(m: re.Match[str], at: datetime) -> datetime | None:
    n = chinese_number(m["n"])
    return _back(at, n, _UNIT_ZH[m["u"]]) if n else None


def _ago_en(m: re.Match[str], at: datetime) -> datetime | None:
    word = m["n"].lower()
    n = int(word) if word.isdigit() else _NUMBERS_EN[word]
    return _back(at, n, m["u"].lower())


def _back(at: datetime, n: int, unit: str) -> datetime | None:
    if unit in ("day", "week"):
        return at - timedelta(days=n * (7 if unit == "week" else 1))
    months = at.year * 12 + at.month - 1 - n * (12 if unit == "year" else 1)
    return _date(at, months // 12, months % 12 + 1, min(at.day, 28))


def _date(at: datetime, year: int, month: int, day: int) -> datetime | None:
    try:
        return at.replace(year=year, month=month, day=day)
    except ValueError:
        return None


def _weekday(at: datetime, day: int, weeks: int) -> datetime:
    return at - timedelta(days=at.weekday()) + timedelta(days=day + 7 * weeks)


def _last_day_zh(m: re.Match[str], at: datetime) -> datetime:
    day = "一二三四五六日天".index(m["d"])
    return _weekday(at, min(day, 6), {"上": -1, "这": 0, "本": 0, "下": 1}[m["w"]])


def _last_day_en(m: re.Match[str], at: datetime) -> datetime:
    """ "Last Friday" and "on Friday" mean the most recent one, "next Friday" the coming one."""
    day = _WEEKDAYS_EN.index(m["d"][:3].lower())
    behind = (at.weekday() - day) % 7 or 7
    return (
        at + timedelta(days=7 - behind) if m["w"].lower() == "next" else at - timedelta(days=behind)
    )


def _full(m: re.Match[str], at: datetime) -> datetime | None:
    return _date(at, int(m["y"]), int(m["m"]), int(m["d"]))


def _month_day(m: re.Match[str], at: datetime) -> datetime | None:
    """A day without a year is the latest such day that is not in the future."""
    name = m["m"]
    month = int(name) if name.isdigit() else MONTHS_EN.index(name[:3].lower()) + 1
    given = m.groupdict().get("y")
    found = _date(at, int(given or at.year), month, int(m["d"]))
    if found is None or given or found <= at + timedelta(days=1):
        return found
    return _date(at, at.year - 1, month, int(m["d"]))


def _r(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_B, _E = "(?<![0-9A-Za-z])", "(?![0-9A-Za-z])"
_AGO_EN = (
    _B
    + r"(?P<n>[0-9]{{1,3}}|a couple of|a few|an?|one|two|three|four|five|six|seven|eight|nine|ten)"
    r" (?P<u>{unit})s? (?:ago|back)"
)
_Resolver = Callable[[re.Match[str], datetime], datetime | None]
_WORDS: tuple[tuple[re.Pattern[str], _Resolver, Unit], ...] = (
    (
        _r(_B + r"(?P<y>(?:19|20)[0-9]{2})[-/.](?P<m>[0-9]{1,2})[-/.](?P<d>[0-9]{1,2})" + _E),
        _full,
        Unit.DAY,
    ),
    (_r(r"(?P<y>(?:19|20)[0-9]{2})年(?P<m>[0-9]{1,2})月(?P<d>[0-9]{1,2})[日号]"), _full, Unit.DAY),
    (
        _r(
            _B
            + rf"(?P<d>[0-9]{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<m>{MONTH_EN})(?:,? (?P<y>(?:19|20)[0-9]{{2}}))?"
            + _E
        ),
        _month_day,
        Unit.DAY,
    ),
    (
        _r(
            _B
            + rf"(?P<m>{MONTH_EN}) (?P<d>[0-9]{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<y>(?:19|20)[0-9]{{2}}))?"
            + _E
        ),
        _month_day,
        Unit.DAY,
    ),
    (_r(r"(?<![0-9])(?P<m>[0-9]{1,2})月(?P<d>[0-9]{1,2})[日号]"), _month_day, Unit.DAY),
    (_r(_B + r"the day before yesterday"), _days(-2), Unit.DAY),
    (_r(_B + r"(?:yesterday|last night)" + _E), _days(-1), Unit.DAY),
    (_r(r"大前天"), _days(-3), Unit.DAY),
    (_r(r"前天|前晚"), _days(-2), Unit.DAY),
    (_r(r"昨天|昨晚|昨日|昨夜"), _days(-1), Unit.DAY),
    (_r(rf"(?P<n>{_N_ZH})个?(?P<u>天)(?:之|以)?前"), _ago_zh, Unit.DAY),
    (_r(rf"(?P<n>{_N_ZH})个?(?P<u>周|星期|礼拜)(?:之|以)?前"), _ago_zh, Unit.WEEK),
    (_r(rf"(?P<n>{_N_ZH})个?(?P<u>月)(?:之|以)?前"), _ago_zh, Unit.MONTH),
    (_r(rf"(?P<n>{_N_ZH})个?(?P<u>年)(?:之|以)?前"), _ago_zh, Unit.YEAR),
    *((_r(_AGO_EN.format(unit=unit)), _ago_en, unit) for unit in Unit),
    (_r(r"(?P<w>[上这本下])个?(?:周|星期|礼拜)(?P<d>[一二三四五六日天])"), _last_day_zh, Unit.DAY),
    (_r(_B + rf"(?P<w>last|this past|on|next) (?P<d>{_DAY})" + _E), _last_day_en, Unit.DAY),
    (_r(r"上个?(?:周|星期|礼拜)|" + _B + r"last (?:week|weekend)"), _days(-7), Unit.WEEK),
    (_r(r"上个?月|" + _B + r"last month"), lambda _, at: _back(at, 1, "month"), Unit.MONTH),
    (
        _r(r"去年|" + _B + r"last (?:year|spring|summer|autumn|fall|winter)"),
        lambda _, at: _back(at, 1, "year"),
        Unit.YEAR,
    ),
    (
        _r(r"前年|" + _B + r"the year before last"),
        lambda _, at: _back(at, 2, "year"),
        Unit.YEAR,
    ),
    (_r(r"下个?月|" + _B + r"next month"), lambda _, at: _back(at, -1, "month"), Unit.MONTH),
    (_r(r"下个?(?:周|星期|礼拜)|" + _B + r"next week"), _days(7), Unit.WEEK),
    (_r(r"明年|" + _B + r"next year"), lambda _, at: _back(at, -1, "year"), Unit.YEAR),
    (_r(r"后天|" + _B + r"the day after tomorrow"), _days(2), Unit.DAY),
    (_r(r"明天|明晚|" + _B + r"tomorrow"), _days(1), Unit.DAY),
    (
        _r(
            r"今天|今早|今晚|今日|刚刚|刚才|"
            + _B
            + r"(?:today|tonight|this (?:morning|afternoon|evening)|just now)"
        ),
        _days(0),
        Unit.DAY,
    ),
)


def find(text: str, at: datetime) -> Named | None:
    """The time a text speaks of, counted from ``at`` in its zone; None when it names none."""
    for pattern, resolver, unit in _WORDS:
        match = pattern.search(text)
        if match is None:
            continue
        try:
            found = resolver(match, at)
        except OverflowError:
            found = None
        if found is not None:
            day = found.replace(hour=0, minute=0, second=0, microsecond=0)
            return Named(day=day, unit=unit, start=match.start(), end=match.end())
    return None


def resolve(text: str, at: datetime) -> datetime | None:
    """The day a text speaks of, as midnight in `at`'s zone; None when it names none."""
    found = find(text, at)
    return found.day if found else None


_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")


def is_relative(text: str) -> bool:
    """Whether a text names a time by words that mean another day each day they are read."""
    words = any(pattern.search(text) for pattern, *_ in _WORDS)
    return words and not _YEAR.search(text)
