"""From when what a text tells of holds: "since March", 三月起, 下个月初开始. Pure.

A month or a year begins with its first day. One without a year is the nearest, but "since" never lies
ahead; what lies ahead ("next month") begins with its stretch, what is past keeps the day `when` gives it.
"""

import re
from datetime import datetime, timedelta

from memory.text.calendar import first, whole
from memory.text.when import MONTH_EN, MONTHS_EN, chinese_number, find

_HALF_A_YEAR = 6
_B, _E = "(?<![0-9a-z])", "(?![0-9a-z])"
_YEAR = "(?:19|20)[0-9]{2}"
_EN = re.compile(
    rf"{_B}(?P<from>since|from|(?:start|starting|beginning|began|started) (?:in|from)|as of)"
    r" (?:early |late |mid-?|the (?:start|beginning|end) of )?"
    rf"(?:(?P<m>{MONTH_EN})(?! ?[0-9]{{1,2}}(?![0-9]))(?:,? (?P<y>{_YEAR}))?|(?P<year>{_YEAR})){_E}",
    re.IGNORECASE,
)
_ZH = re.compile(
    rf"(?:(?P<y>{_YEAR})年|(?P<rel>[前去今明]年))?(?<![0-9个])(?P<m>[0-9]{{1,2}}|十?[一二三四五六七八九]|十)月份?[初底]?"
    r"(?:开始|以来|(?<!一)起(?![床来]))"
    rf"|(?P<year>{_YEAR})年(?:开始|以来|起)"
)
_END = re.compile("底|末")


def since(text: str, at: datetime) -> datetime | None:
    """Return the day, as midnight in ``at``'s zone, from which the told holds; None: no time is named."""
    match = _EN.search(text) or _ZH.search(text)
    if match is not None:
        return _named(match, at)
    found = find(text, at)
    if found is None or found.day <= at:
        return found.day if found else None
    begin, end = whole(found.day, found.unit)
    return end - timedelta(days=1) if _END.match(text[found.end :]) else begin


def _named(match: re.Match[str], at: datetime) -> datetime | None:
    if match["year"]:
        return first(at, int(match["year"]), 1)
    name = match["m"]
    english = name[:3].lower() in MONTHS_EN
    month = MONTHS_EN.index(name[:3].lower()) + 1 if english else chinese_number(name)
    if not 1 <= month <= len(MONTHS_EN):
        return None
    if match["y"]:
        return first(at, int(match["y"]), month)
    if relative := match.groupdict().get("rel"):
        return first(at, at.year + "前去今明".index(relative[0]) - 2, month)
    past = match.group().lower().startswith("since") or match.group().endswith("以来")
    ahead = (month - at.month) % 12
    near = 0 if past else _HALF_A_YEAR
    return first(at, at.year, at.month + (ahead if ahead <= near else ahead - 12))
