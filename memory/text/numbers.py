"""The numbers, times and weekdays of a text in one form, whichever way they are written."""

import re

from memory.text.when import chinese_number

_WEEKDAY_ZH = {c: i for i, c in enumerate("一二三四五六日")} | {"天": 6}
_WEEKDAY_EN = {d: i for i, d in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))}
_COUNTING = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
_TENS = {"thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1000, "million": 10**6}
_NUMBER_WORDS = {word: n for n, word in enumerate(_COUNTING.split())} | _TENS
_MONTH_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS = {name: i for i, name in enumerate(_MONTH_NAMES.split(), start=1)}

_WEEKDAY = re.compile(
    r"(?:周|星期|礼拜)(?P<z>[一二三四五六日天])|(?<![a-z])(?P<e>mon|tue|wed|thu|fri|sat|sun)(?:s|sday"
    r"|nesday|rs|rsday|urday|day)?s?(?![a-z])"
)
_CLOCK = re.compile(
    r"(?P<half>早上|上午|凌晨|清晨|中午|下午|傍晚|晚上|夜里|今晚|明晚)?(?<![0-9.])(?P<h>[0-9]{1,2}"
    r"|[一二三四五六七八九十两]{1,3})(?:点|时)(?P<m>半|一刻|三刻|[0-9]{1,2}|[一二三四五六七八九十]{1,3})?"
    r"|(?<![0-9:])(?P<h2>[0-9]{1,2})(?::(?P<m2>[0-9]{2}))? ?(?P<ap>am|pm|a\.m|p\.m)(?![a-z])"
    r"|(?<![0-9:])(?P<h3>[0-9]{1,2}):(?P<m3>[0-9]{2})(?![0-9])"
)
_MONTH = re.compile(
    r"(?<![a-z])(?P<m>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov"
    r"|dec)(?:[a-z]{0,6})(?![a-z])(?= ?[0-9])|(?<=[0-9] )(?P<m2>jan|feb|mar|apr|may|jun|jul"
    r"|aug|sep|oct|nov|dec)[a-z]{0,6}(?![a-z])"
)
_PLAIN = re.compile(r"[0-9]+(?:[.:/\-][0-9]+)*")
_CHINESE = re.compile("[零一二三四五六七八九十百千万两亿]+")
_WORD = re.compile("[a-z]+")
_NOT_NUMBERS = re.compile(
    "一(?:下|直|般|些|起|样|定|点儿?|切|旦|致|家人|向|边|共|只|条|个(?!月|小时|星期|礼拜))|万一|十分(?!钟)|统一|唯一|周一|千万|三文鱼|四川"
    "|九寨|两个人"
)
_NOON = 12
_MIDDAY = (12, 1, 2)
_AFTERNOON = frozenset(("下午", "傍晚", "晚上", "夜里", "今晚", "明晚"))


def signature(text: str) -> tuple[frozenset[str], tuple[tuple[int, bool | None], ...]]:
    """What must agree: numbers and weekdays as written forms made one, and times of day."""
    lower = text.lower()
    marks = {f"day{_weekday(m)}" for m in _WEEKDAY.finditer(lower)}
    rest = _WEEKDAY.sub(" ", lower)
    clocks = tuple(sorted((_clock(m) for m in _CLOCK.finditer(rest)), key=str))
    rest = _CLOCK.sub(" ", rest)
    marks |= {str(_MONTHS[m["m"] or m["m2"]]) for m in _MONTH.finditer(rest)}
    rest = re.sub(r"(?<=[0-9]),(?=[0-9]{3})", "", rest)
    marks |= {_plain(m.group()) for m in _PLAIN.finditer(rest)}
    marks |= {str(_NUMBER_WORDS[w]) for w in _WORD.findall(rest) if w in _NUMBER_WORDS}
    marks |= {_chinese(m.group()) for m in _CHINESE.finditer(_NOT_NUMBERS.sub(" ", rest))}
    return frozenset(marks - {""}), clocks


def without_numbers(text: str) -> str:
    """The rest, once numbers, weekdays and times have been compared on their own."""
    lower = _CLOCK.sub(" ", _WEEKDAY.sub(" ", text.lower()))
    lower = _MONTH.sub(" ", lower)
    return _CHINESE.sub("", _PLAIN.sub(" ", lower))


def same_times(
    one: tuple[tuple[int, bool | None], ...], other: tuple[tuple[int, bool | None], ...]
) -> bool:
    """Whether the times of day agree; "five" agrees with 5 and with 17 o'clock, 5 does not with 17."""
    return len(one) == len(other) and all(
        a[0] == b[0] and (a[1] is None or b[1] is None or a[1] == b[1])
        for a, b in zip(sorted(one, key=str), sorted(other, key=str), strict=True)
    )


def _weekday(m: re.Match[str]) -> int:
    return _WEEKDAY_ZH[m["z"]] if m["z"] else _WEEKDAY_EN[m["e"]]


def _clock(m: re.Match[str]) -> tuple[int, bool | None]:
    """Minutes within a half day, and whether it is the second half where that is said."""
    hour = chinese_number(m["h"] or m["h2"] or m["h3"])
    minute = _minute(m["m"] or m["m2"] or m["m3"] or "0")
    late: bool | None = None
    if m["half"]:
        late = m["half"] in _AFTERNOON or (m["half"] == "中午" and hour in _MIDDAY)
    elif m["ap"]:
        late = m["ap"][0] == "p"
    elif hour > _NOON or m["h3"]:
        late = hour >= _NOON
    return hour % _NOON * 60 + minute, late


def _minute(text: str) -> int:
    return {"半": 30, "一刻": 15, "三刻": 45}.get(text) or chinese_number(text)


def _plain(text: str) -> str:
    if text.isdigit():
        return text.lstrip("0") or "0"
    return text.rstrip("0").rstrip(".") if re.fullmatch(r"[0-9]+\.[0-9]+", text) else text


def _chinese(text: str) -> str:
    total, section, digit = 0, 0, 0
    units = {"十": 10, "百": 100, "千": 1000}
    for char in text:
        if char in units:
            section += (digit or 1) * units[char]
            digit = 0
        elif char in "万亿":
            total = (total + section + digit) * (10_000 if char == "万" else 100_000_000)
            section = digit = 0
        else:
            digit = chinese_number(char)
    return str(total + section + digit)
