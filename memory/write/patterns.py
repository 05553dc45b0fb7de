"""What a rule is, and the parts that the Chinese and English tables share."""

import re
from dataclasses import dataclass

from memory.choices import Subtype
from memory.write.signs import compiled

KIN_ZH = (
    "(?:大|小|二|老)?(?:妹妹|姐姐|哥哥|弟弟|表[哥姐弟妹]|堂[哥姐弟妹]|妈妈|爸爸|老妈|老爸|母亲|父亲|爸妈|父母|老婆|老公|妻子|丈夫|爱人|媳妇|先生|太太"
    "|女儿|儿子|孩子|闺女|宝宝|老大|老二|老三|爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔|阿姨|舅舅|舅妈|姑姑|姨妈|伯伯|侄子|侄女|外甥女?|婆婆|公公|岳父|岳母"
    "|男朋友|女朋友|男友|女友|对象|未婚[妻夫]|前任|室友|舍友|同学|同桌|同事|朋友|闺蜜|发小|邻居|老板|上司|领导|下属|主管|客户|导师|老师|师傅|搭档|合伙人"
    "|妈|爸|哥|姐|弟|妹)"
)
KIN_EN = (
    "(?:(?:older|younger|little|big|elder|eldest|youngest|twin|step|half|best|close|old|dear"
    "|late|new|ex)[- ]?)*"
    "(?:sister|brother|mom|mum|mother|dad|father|parents|wife|husband|partner|spouse"
    "|fianc[eé]e?|girlfriend|boyfriend|son|daughter|kids?|child(?:ren)?|baby"
    "|grandm(?:a|other)|grandp(?:a|arents|ather)|gran|aunt|uncle|cousin|niece|nephew|in-laws"
    "|mother-in-law|father-in-law|family|folks"
    "|friends?|roommate|flatmate|colleague|coworker|co-worker|boss|manager|neighbou?r|teacher"
    "|mentor|client|doctor|coach|team(?:mate)?|twins|siblings?)s?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One look of a memory point.

    Group `v` is the attribute's value, group `who` a third party. `weak` rules do not count in a turn
    that only leads up to a request.
    """

    name: str
    pattern: re.Pattern[str]
    subtype: Subtype
    attribute: str | None = None
    confidence: float = 0.8
    weak: bool = False
    tag: str | None = None


def rule(
    name: str,
    subtype: Subtype,
    pattern: str,
    *,
    attribute: str | None = None,
    confidence: float = 0.8,
    weak: bool = False,
    tag: str | None = None,
    **parts: str,
) -> Rule:
    """A line of a rule table."""
    return Rule(
        name=name,
        pattern=compiled(pattern, **parts),
        subtype=subtype,
        attribute=attribute,
        confidence=confidence,
        weak=weak,
        tag=tag,
    )
