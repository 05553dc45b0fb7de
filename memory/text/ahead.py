"""Whether a change is told of as one that lies ahead: "we're switching in June", 我们年底换成飞书. Pure.

A day that lies ahead is found by ``memory.text.since``; here are the words that name none, or one that only
the verb puts ahead. What lies ahead is a plan: what holds goes on until it has come to be.
"""

import re

from memory.text.when import MONTH_EN

_B, _E = "(?<![0-9a-z])", "(?![0-9a-z])"
_TIME = (
    rf"(?:{MONTH_EN}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|fall|winter|q[1-4]|20[0-9]{{2}}"
    r"|(?:the )?(?:end|beginning|start|middle) of|(?:the )?(?:first|second) half|(?:the )?(?:new year|coming|next|weekend|holidays)"
    r"|[0-9]+(?:st|nd|rd|th))"
)
_CHANGE = r"(?:switch|mov|migrat|chang|relocat|convert|upgrad|go|start|leav|quitt|stopp)"
_EN = (
    rf"(?:{_B}(?:am|is|are)|'m|'s|'re) {_CHANGE}ing{_E}[^.;!?\n]{{0,60}}? (?:in|on|by|at|this|from|after|before|around|come|early|late|mid)[ -](?:early |late |mid-?)?{_TIME}{_E}"
    rf"|(?:{_B}(?:am|is|are)|'m|'s|'re) {_CHANGE}ing{_E}[^.;!?\n]{{0,60}}? in (?:a|an|one|two|three|four|five|six|a few|a couple of|[0-9]+) (?:day|week|month|year)s?{_E}"
    rf"|{_B}(?:in|on|by|from|starting(?: in)?|as of) (?:early |late |mid-?)?{_TIME}(?: on)?,? (?:i|we)(?:'m|'re| am| are)? {_CHANGE}(?:e|ing)?{_E}"
    rf"|{_B}(?:once|when|after) (?:the |our |my |we |i |it )[\w ]{{1,30}}?(?:is|are|goes|go|gets|have|has|'s|'re)(?: \w+)?,? (?:i|we)(?:'re|'m)? {_CHANGE}"
)
# 了 says that it has come to be: 我们六月换成飞书了.
_ZH = (
    "(?:过|再过)(?:[0-9一二两三四五六七八九十几]+|一阵)个?[天周月年]?(?=[^，。了]*[换改转切迁搬])"
    "|(?:[0-9一二两三四五六七八九十几]+个?[天周月年]|节|假期|过年|春节|考试|毕业|上线|发布|合同到期)之?后(?=[^，。了]*[换改转切迁搬][^，。了]*(?:[，。！,!]|\\Z))"
    "|等[^，。]{1,14}(?:就|再|之?后)[^，。]{0,6}[换改转切迁搬]|快要?(?=[换改转切迁搬])|即将(?=[换改转切迁搬])|马上(?=[要换改转切迁搬])"
    "|(?:(?<![0-9])[0-9]{1,2}|十?[一二三四五六七八九]|十)月(?:份|底|初|中旬?|[0-9]{1,2}[日号])?(?:起|开始)?(?=[^，。了过]{0,12}[换改转切迁搬][^，。了过]*(?:[，。！,!]|\\Z))"
    "|(?:年底|年末|月底|月末|周末|季度末|今年内|年内)(?:之?前)?(?=[^，。了过]{0,12}[换改转切迁搬][^，。了过]*(?:[，。！,!]|\\Z))"
)  # fmt: skip
_AHEAD = re.compile(f"{_ZH}|{_EN}", re.IGNORECASE)
# Words that lie ahead of a change in their own clause: "see you tomorrow" is no change.
_LATER = re.compile(
    rf"{_B}(?:soon|tomorrow|by the end of|later this (?:week|month|year)|next (?:week|month|quarter|year|spring|summer|autumn|winter)){_E}"
    "|明[天年]|(?<!以)后天|下(?:个?[周月]|星期|礼拜|季度|半年|学期)",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    rf"{_B}{_CHANGE}(?:e|es|ing|ting|s)?{_E}|{_B}(?:will|'ll|replac(?:e|ing)|becom(?:e|ing)){_E}|[换改转切迁搬]|入职|上任|开始",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[，。；;!！?？\n]+|,(?!\d)|\.(?=\s|\Z)")


def ahead(text: str) -> bool:
    """Return whether what a text tells of has yet to come to be."""
    clauses = _CLAUSE.split(text.replace("’", "'"))
    return _AHEAD.search(text.replace("’", "'")) is not None or any(
        _LATER.search(one) and _CHANGES.search(one) for one in clauses
    )
