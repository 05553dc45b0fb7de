"""The numbers, times and weekdays of a text in one form, whichever way they are written."""

import re
from itertools import zip_longest

from memory.text.when import chinese_number

_WEEKDAY_ZH = {c: i for i, c in enumerate("一二三四五六日")} | {"天": 6}
_WEEKDAY_EN = {d: i for i, d in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))}
_COUNTING = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
_TENS = {"thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1000, "million": 10**6}
_TIMES = {"twice": 2, "thrice": 3, "once": 1}
_NUMBER_WORDS = {word: n for n, word in enumerate(_COUNTING.split())} | _TENS
_MONTH_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS = {name: i for i, name in enumerate(_MONTH_NAMES.split(), start=1)}
_MONTH_EN = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_N_ZH = "[0-9]{1,2}|[一二三四五六七八九十]{1,3}"
_HOUR_EN = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[0-9]{1,2}"

_WEEKDAY = re.compile(
    r"(?:周|星期|礼拜)(?P<z>[一二三四五六日天])|(?<![a-z])(?P<e>mon|tue|wed|thu|fri|sat|sun)(?:s|sday"
    r"|nesday|rs|rsday|urday|day)?s?(?![a-z])"
)
_CLOCK = re.compile(
    r"(?P<half>早上|上午|早晨|凌晨|清晨|中午|下午|傍晚|晚上|夜里|今晚|明晚)?(?<![0-9.])(?:(?P<h>[0-9]{1,2}"
    r"|[一二三四五六七八九十两]{1,3})(?:点|时)(?!钟?半?小)(?P<m>半|一刻|三刻|[0-9]{1,2}|[一二三四五六七八九十]{1,3})?"
    r"|(?<![0-9:])(?P<h2>[0-9]{1,2})(?::(?P<m2>[0-9]{2}))? ?(?P<ap>am|pm|a\.m|p\.m)(?![a-z])"
    r"|(?<![0-9:])(?P<h3>[0-9]{1,2}):(?P<m3>[0-9]{2})(?![0-9])"
    rf"|(?<![a-z])half past (?P<past>{_HOUR_EN})(?![a-z0-9])"
    rf"|(?<![a-z0-9])(?P<sharp>{_HOUR_EN}) o'?clock)"
)
# A day of a month, a month: one mark each, so that 3 August is not 8 March.
_DATE = re.compile(
    rf"(?<![0-9])(?P<mz>{_N_ZH})月(?P<dz>{_N_ZH})[日号]?"
    rf"|(?<![0-9一二三四五六七八九十])(?P<mz1>{_N_ZH})月(?:份|初|底|中旬|上旬|下旬)?"
    rf"|(?<![0-9a-z])(?P<d1>[0-9]{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<m1>{_MONTH_EN})(?![a-z])"
    rf"|(?<![a-z])(?P<m2>{_MONTH_EN}) (?P<d2>[0-9]{{1,2}})(?:st|nd|rd|th)?(?![0-9])"
    rf"|(?<![a-z])(?:in|since|by|until|till|of|last|next|this|from|end of|early|late|mid) (?P<m3>{_MONTH_EN})(?![a-z])"
)
_PLAIN = re.compile(r"[0-9]+(?:[.:/\-][0-9]+)*")
_CHINESE = re.compile("[零一二三四五六七八九十百千万两亿]+")
_WORD = re.compile("[a-z]+")
_THOUSANDS = re.compile("(?<=[0-9]),(?=[0-9]{3})")
_NOT_NUMBERS = re.compile(
    "一(?:下|直|般|些|起|样|定|点儿?|切|旦|致|家人?|向|边|共|只|条|个(?!月|小时|星期|礼拜)|名|位|辆|台|种|律|周|星期)|万一|十分(?!钟)|统一|唯一|周一|千万|三文鱼|四川"
    "|九寨|两个人|初[一二三](?=[^0-9]|\\Z)"
)
# A classifier after a number says nothing that the noun does not; a year's, day's or number's sign neither.
_CLASSIFIED = re.compile(
    r"(?:(?<=[0-9])|(?<=[一二三四五六七八九十百千万两]))(?:个(?!月|小时|星期)|只|条|名|位|辆|台|头|匹|号(?!线)|年(?=[^0-9]*(?:毕业|出生|开始|到期|结婚|入职|搬|起)))"
)
# What a text must have for the pattern before it to find anything. Most texts have none of it, and looking
# for one of a few characters is ten times as quick.
_WEEKDAYS = (_WEEKDAY, re.compile("[周星礼]|mon|tue|wed|thu|fri|sat|sun"))
_CLOCKS = (_CLOCK, re.compile("[点时:]|[0-9] ?[ap]\\.?m|half past|clock"))
_DATES = (_DATE, re.compile("月|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"))
_CLASSIFIERS = (_CLASSIFIED, re.compile("[个只条名位辆台头匹号年]"))
# "One" that only means "a".
_ARTICLE = re.compile(
    "(?<![十百千万零第])一(?:个(?!月|小时|星期)|家(?!人)|名|位|只|条|辆|台|种|套|份|部|些|下|枚)"
)
_NOON = 12
_MIDDAY = (12, 1, 2)
_AFTERNOON = frozenset(("下午", "傍晚", "晚上", "夜里", "今晚", "明晚"))


def signature(text: str) -> tuple[frozenset[str], tuple[tuple[int, bool | None], ...]]:
    """What must agree: numbers, weekdays and dates as written forms made one, and times of day."""
    days, rest = _taken(_WEEKDAYS, " ", text.lower())
    times, rest = _taken(_CLOCKS, " ", rest)
    dates, rest = _taken(_DATES, " ", rest)
    clocks = tuple(sorted(map(_clock, times), key=str))
    marks = {f"day{_weekday(m)}" for m in days} | {_date(m) for m in dates}
    rest = _THOUSANDS.sub("", rest) if "," in rest else rest
    marks |= {_plain(m.group()) for m in _PLAIN.finditer(rest)}
    marks |= {str(_COUNTED[w]) for w in _WORD.findall(rest) if w in _COUNTED}
    if _CHINESE.search(rest):
        marks |= {_chinese(m.group()) for m in _CHINESE.finditer(_NOT_NUMBERS.sub(" ", rest))}
    return frozenset(marks - {""}), clocks


_COUNTED = _NUMBER_WORDS | _TIMES


def without_numbers(text: str) -> str:
    """The rest, once numbers, weekdays and times have been compared on their own.

    Where one stood there is a NUL now, so that the words around it form no phrase.
    """
    lower = _ARTICLE.sub("", text.lower()) if "一" in text else text.lower()
    for look in (_WEEKDAYS, _CLOCKS, _DATES):
        _, lower = _taken(look, "\x00", lower)
    _, lower = _taken(_CLASSIFIERS, "", lower)
    lower = _PLAIN.sub("\x00", lower)
    if not _COUNTED.keys().isdisjoint(_WORD.findall(lower)):
        lower = _WORD.sub(lambda m: _uncounted(m[0]), lower)
    if not _CHINESE.search(lower):
        return lower
    kept = [one.group() for one in _NOT_NUMBERS.finditer(lower)]
    rest = [_CHINESE.sub("\x00", piece) for piece in _NOT_NUMBERS.split(lower)]
    return "".join(a + b for a, b in zip_longest(rest, kept, fillvalue=""))


def _taken(
    look: tuple[re.Pattern[str], re.Pattern[str]], by: str, text: str
) -> tuple[list[re.Match[str]], str]:
    """Return what a pattern finds where there is a sign of it, and the text with ``by`` in its place."""
    pattern, sign = look
    if not sign.search(text):
        return [], text
    found = list(pattern.finditer(text))
    return found, pattern.sub(by, text) if found else text


def _uncounted(word: str) -> str:
    return "times" if word in _TIMES else "\x00" if word in _NUMBER_WORDS else word


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


def _date(m: re.Match[str]) -> str:
    name = m["m1"] or m["m2"] or m["m3"]
    month = _MONTHS[name[:3]] if name else chinese_number(m["mz"] or m["mz1"])
    day = m["d1"] or m["d2"] or m["dz"]
    return f"month{month}" + (f"-{chinese_number(day)}" if day else "")


def _clock(m: re.Match[str]) -> tuple[int, bool | None]:
    """Minutes within a half day, and whether it is the second half where that is said."""
    spoken = m["past"] or m["sharp"]
    if spoken:
        hour = _NUMBER_WORDS[spoken] if spoken in _NUMBER_WORDS else int(spoken)
        return hour % _NOON * 60 + (30 if m["past"] else 0), None
    hour = chinese_number(m["h"] or m["h2"] or m["h3"])
    minute = _minute(m["m"] or m["m2"] or m["m3"] or "0")
    late: bool | None = None
    if m["half"]:
        late = m["half"] in _AFTERNOON or (m["half"] == "中午" and hour in _MIDDAY)
    elif m["ap"]:
        late = m["ap"][0] == "p"
    elif hour > _NOON or (m["h3"] and hour == _NOON):
        late = True
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
