"""Months, seasons, quarters, weekends and days by name, in either language."""

import re
from datetime import datetime, timedelta

from memory.text.calendar import Span, first, span, whole
from memory.text.when import Unit, chinese_number, find

_B, _E = "(?<![0-9a-z])", "(?![0-9a-z])"
_YEAR = "(?:19|20)[0-9]{2}"
_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
        start=1,
    )
}
# "may" and "march" are verbs too: the first needs a word before it or a year after.
_MONTH_EN = (
    "january|february|march|april|june|july|august|september|october|november|december"
    "|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    rf"|may(?= {_YEAR})|(?:(?<=in )|(?<=last )|(?<=this )|(?<=next )|(?<=of )|(?<=since ))may"
)
_MONTH_ZH = "1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九]|正"
_DAY_ZH = "[0-9]{1,2}|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九]"
_NO_DAY_ZH = rf"(?! ?(?:{_DAY_ZH}) ?[日号])"
_YEAR_ZH = rf"(?:(?P<yz>{_YEAR}) ?年|(?P<wz>去年|前年|今年|明年))?的?"
_YEARS = {"去年": -1, "前年": -2, "今年": 0, "明年": 1, "last ": -1, "this ": 0, "next ": 1}
AHEAD = re.compile(
    _B + r"(?:will|going to|plan(?:s|ned|ning)?|upcoming|next|coming|schedule[ds]?|booked)" + _E
    + "|将|要去|打算|计划|安排|准备|即将|下个?(?:周|月|年|星期|礼拜)|明|后天"
)  # fmt: skip
PAST = re.compile(
    _B + r"(?:did|was|were|had|ago|have (?:i|we|you)|has|talked|said|told|mentioned|happened"
    r"|discussed)" + _E + "|[了过]|聊|说|提到|讲|谈|昨|前天|上次"
)  # fmt: skip

_MONTH = re.compile(
    _B + rf"(?<![0-9] )(?<!th )(?<!st )(?<!nd )(?<!rd )"
    rf"(?:(?P<part>early|late|mid|the (?:beginning|start|middle|end) of)[ -])?(?P<w>last |this |next )?"
    rf"(?P<m>{_MONTH_EN})(?! [0-9]{{1,2}}(?![0-9]))(?:,? (?:of )?(?P<y>{_YEAR}))?" + _E
    + rf"|{_YEAR_ZH}(?<![0-9个第半])(?P<mz>{_MONTH_ZH}) ?月(?:份)?{_NO_DAY_ZH}"
    r"(?P<pz>初|上旬|中旬?|底|末|下旬)?"
)  # fmt: skip
_ONLY_YEAR = re.compile(
    rf"(?<![0-9])(?P<z>{_YEAR}) ?年(?! ?[0-9一二三四五六七八九十])"
    rf"|(?:^|{_B}(?:in|during|since|before|until|throughout|of) )(?P<e>{_YEAR})(?![0-9./:年-])"
)


def by_month(text: str, at: datetime) -> tuple[Span, ...]:
    """Read "in March", "early May 2024", 去年三月, 5月底 and "in 2023"."""
    if match := _MONTH.search(text):
        month = _number_of_month(match)
        year = _year_of_month(match, month, at, ahead=bool(AHEAD.search(text)))
        begin, end = first(at, year, month), first(at, year, month + 1)
        return span(_part(match["part"] or match["pz"], begin, end), match)
    if match := _ONLY_YEAR.search(text):
        return span(whole(first(at, int(match["z"] or match["e"]), 1), Unit.YEAR), match)
    return ()


def _number_of_month(match: re.Match[str]) -> int:
    if match["m"]:
        return _MONTHS[match["m"][:3]]
    return 1 if match["mz"] == "正" else chinese_number(match["mz"])


def _year_of_month(match: re.Match[str], month: int, at: datetime, *, ahead: bool) -> int:
    if given := match["y"] or match["yz"]:
        return int(given)
    word = match["w"] or match["wz"]
    if word == "last ":  # the latest that is over
        return at.year if month < at.month else at.year - 1
    if word == "next ":
        return at.year if month > at.month else at.year + 1
    if word:
        return at.year + _YEARS[word]
    if ahead:
        return at.year if month >= at.month else at.year + 1
    return at.year if month <= at.month else at.year - 1


def _part(word: str | None, begin: datetime, end: datetime) -> tuple[datetime, datetime]:
    if not word:
        return begin, end
    tenth, twentieth = begin.replace(day=11), begin.replace(day=21)
    if "early" in word or "begin" in word or "start" in word or word in ("初", "上旬"):
        return begin, tenth
    if "mid" in word or word.startswith("中"):
        return tenth, twentieth
    return twentieth, end


_SEASON = re.compile(
    _B + rf"(?P<w>last|this|next|in|during)(?: the)? (?P<s>spring|summer|autumn|fall|winter)"
    rf"(?: (?:of )?(?P<y>{_YEAR}))?" + _E + rf"|{_YEAR_ZH}(?P<sz>(?<=年)[春夏秋冬]|(?<=年的)[春夏秋冬])(?:天|季)?"
)  # fmt: skip
_SEASONS = {
    "spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "春": 3, "夏": 6, "秋": 9, "冬": 12,
}  # fmt: skip
_LONG = 3  # months in a season, and in a quarter


def by_season(text: str, at: datetime) -> tuple[Span, ...]:
    """Read "last summer", "in winter 2024", 去年夏天; a season begins with March, June…"""
    match = _SEASON.search(text)
    if match is None:
        return ()
    month = _SEASONS[match["s"] or match["sz"]]
    year = int(match["y"] or match["yz"] or at.year) + _YEARS.get(match["wz"] or "", 0)
    if not (match["y"] or match["yz"] or match["wz"]):
        over = first(at, at.year, month + _LONG) <= at
        begun = first(at, at.year, month) <= at
        year += {"last": -(not over), "next": int(begun)}.get(match["w"], -(not begun))
    return span((first(at, year, month), first(at, year, month + _LONG)), match)


_QUARTER = re.compile(
    _B + rf"(?:(?P<w>last|this|next) quarter|q(?P<q>[1-4])(?: (?:of )?(?P<y>{_YEAR}))?)" + _E
    + rf"|(?P<wz>[上这本下])个?季度?(?!节)|(?:(?P<yz>{_YEAR})年)?第(?P<qz>[1-4一二三四])季度"
)  # fmt: skip
_STEP = {"last": -1, "past": -1, "上": -1, "this": 0, "这": 0, "本": 0, "next": 1, "下": 1}


def by_quarter(text: str, at: datetime) -> tuple[Span, ...]:
    """Read "Q3 2025", "last quarter", 上季度, 第二季度."""
    match = _QUARTER.search(text)
    if match is None:
        return ()
    year = int(match["y"] or match["yz"] or at.year)
    if word := match["w"] or match["wz"]:
        month = (at.month - 1) // _LONG * _LONG + 1 + _LONG * _STEP[word]
    else:
        month = (chinese_number(match["q"] or match["qz"]) - 1) * _LONG + 1
        named = match["y"] or match["yz"]
        year -= not named and first(at, year, month) > at
    return span((first(at, year, month), first(at, year, month + _LONG)), match)


_WEEKEND = re.compile(
    _B + r"(?P<w>last|this|next|past) weekend" + _E + r"|(?P<wz>[上这本下])个?周末"
)
_SATURDAY = 5


def by_weekend(text: str, at: datetime) -> tuple[Span, ...]:
    """Read "last weekend", 上周末."""
    match = _WEEKEND.search(text)
    if match is None:
        return ()
    monday = whole(at, Unit.WEEK)[0]
    saturday = monday + timedelta(days=_SATURDAY + 7 * _STEP[match["w"] or match["wz"]])
    return span((saturday, saturday + timedelta(days=2)), match)


_DAY_OF_MONTH = re.compile(
    rf"(?<![0-9])(?P<mz>{_MONTH_ZH}) ?月 ?(?P<dz>{_DAY_ZH}) ?[日号]"
    rf"|(?<![0-9月零一二三四五六七八九十])(?P<only>{_DAY_ZH}) ?[日号](?!线|楼|院|机|店|码|房|门|公|电)"
    rf"|{_B}(?:on )?the (?P<e>[0-9]{{1,2}})(?:st|nd|rd|th)(?! (?:of|floor|street|birthday|century|time|anniversary|grade|[a-z]+ary))"
)  # fmt: skip
_YEAR_BEFORE = re.compile(rf"(?:{_YEAR} ?|去|今|前|明)年 ?$")
_WEEKDAY_ZH = re.compile("(?<![上这本下每个])(?:周|星期|礼拜)(?P<d>[一二三四五六日天])(?![到至])")
_WITHOUT_YEAR = re.compile(
    rf"{_B}on (?:mon|tue|wed|thu|fri|sat|sun)[a-z]*$"
    rf"|(?:st|nd|rd|th|[0-9])(?: of)? [a-z]{{3,9}}$|[a-z]{{3,9}} [0-9]{{1,2}}(?:st|nd|rd|th)?$"
    r"|(?<![0-9年])[0-9]{1,2}月[0-9]{1,2}[日号]$"
)


def by_day(text: str, at: datetime) -> tuple[Span, ...]:
    """Read whatever names one day, week, month or year, from "yesterday" to 4月27日.

    Without year and tense, "on 3 June" and "on Friday" are the last or the coming one.
    """
    match = _DAY_OF_MONTH.search(text)
    if match and not _YEAR_BEFORE.search(text[: match.start()]):
        return _either(*_numbered(match, at), text)
    found = find(text, at)
    if found is None:
        return _weekday(text, at)
    begin, end = whole(found.day, found.unit)
    one = Span(begin=begin, end=end, start=found.start, stop=found.end)
    if found.unit != Unit.DAY or not _WITHOUT_YEAR.search(text[: found.end]):
        return (one,)
    weekly = text[found.start :].startswith("on ")
    again = found.day + timedelta(days=7) if weekly else found.day.replace(year=found.day.year + 1)
    return _either(one, Span(begin=again, end=whole(again, Unit.DAY)[1]), text)


def _weekday(text: str, at: datetime) -> tuple[Span, ...]:
    match = _WEEKDAY_ZH.search(text)
    if match is None:
        return ()
    behind = (at.weekday() - min("一二三四五六日天".index(match["d"]), 6)) % 7
    begin, end = whole(at - timedelta(days=behind or 7), Unit.DAY)
    week = timedelta(days=7)
    one = Span(begin=begin, end=end, start=match.start(), stop=match.end())
    return _either(one, Span(begin=begin + week, end=end + week), text)


def _numbered(match: re.Match[str], at: datetime) -> tuple[Span, Span]:
    """Return the last and the coming day of a number, or of a month and a number."""
    day = chinese_number(match["dz"] or match["only"] or match["e"])
    month = chinese_number(match["mz"]) if match["mz"] else 0
    starts = [first(at, at.year, month or at.month + step) for step in (-1, 0, 1)]
    if month:
        starts = [first(at, at.year + step, month) for step in (-1, 0, 1)]
    days = [start.replace(day=day) for start in starts]
    last = days[1] if days[1] <= at else days[0]
    coming = days[2] if days[1] <= at else days[1]
    begin, end = whole(last, Unit.DAY)
    one = Span(begin=begin, end=end, start=match.start(), stop=match.end())
    return one, Span(begin=coming, end=whole(coming, Unit.DAY)[1])


def _either(last: Span, coming: Span, text: str) -> tuple[Span, ...]:
    if PAST.search(text):
        return (last,)
    return (last, coming)
