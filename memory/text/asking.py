"""What a question asks for, besides its topic: whom, when, how it was before, or more of the same.

Signs, not grammar: each is a short list of words of both languages.
"""

import re
from datetime import datetime

from memory.policy import QUESTION
from memory.text.calendar import Span
from memory.text.named_spans import PAST
from memory.text.spans import spans, without

_B, _E = "(?<![0-9a-z])", "(?![0-9a-z])"
# Somebody asks about themselves, or an agent about its user. "Tell me" and 帮我 name only the asker.
_PERSON = re.compile(
    _B + r"(?:i|i'm|i've|i'd|my|mine|myself|we|we're|our|ours|us|the user(?:'s)?|users?'s?)" + _E
    + r"|(?<!tell )(?<!give )(?<!show )(?<!teach )" + _B + "me" + _E
    + r"|(?<![帮给为替教])我(?![国帮给])|咱|用户|本人"
)  # fmt: skip
_ASKS = re.compile(
    _B + r"(?:what|which|who|whom|whose|when|where|why|how|did|do|does|was|were|is|are|have|has|can"
    r"|could|any(?:thing|one|body)?|tell|list|show|find|recall|remember|remind|summari[sz]e|recap"
    r"|continue|resume)" + _E
    + "|什么|啥|哪|谁|几|多少|吗|呢|怎么|为何|是否|有没有|是不是|总结|回顾|列出|告诉|记得|继续|接着|查|找"
)  # fmt: skip
_TALK = re.compile(
    _B + r"(?:talk(?:ed|ing)?|discuss(?:ed|ing)?|say|said|tell|told|mention(?:ed)?|chat(?:ted)?"
    r"|conversations?|spoke)" + _E + "|聊|谈|讨论|说|讲|提[到过起及]|对话|话题"
)  # fmt: skip
_CONTINUES = re.compile(
    _B + r"(?:continue|resume|carry on|go on with|pick (?:it )?up|where (?:did )?we (?:left|leave) off)" + _E
    + "|继续|接着|接上|续上|上次(?:做|说|聊|讲|写|弄)?到哪"
)  # fmt: skip
_BEFORE = re.compile(
    _B + r"(?:used to|did (?:i|we|you) use to|previously|formerly|former|originally|in the past|back then|at first|earlier"
    r"|before[?!. ]*$)" + _E + "|" + _B + r"(?:(?:my|our) (?:old|last|first)|(?:my|our|the) previous) (?!week|month|year|night"
    r"|time|summer|winter|spring|autumn|fall|weekend|quarter|few|couple|one|name|[0-9])"
    r"|以前|从前|曾经|原先|原来(?!如此)|旧的?(?=住址|地址|号码|手机|公司|名|密|工作|电话|版)|过去(?![0-9一二三四五六七八九十几半这的]*(?:天|周|个|年|月))"
    r"|(?<![天周月年日号点])之前(?=[的是住在用叫做])"
)  # fmt: skip
# What a question is made of besides its topic: what is left of "what did we talk about" is nothing.
_FRAME_EN = frozenset(
    """
    a about again all and any anything are at be been can carry chat chatted continue conversation
    conversations could day days did discuss discussed discussing do doing done everything few
    from give go going had happen happened happening has have help i i'm in is it last left let
    like list me memories mention mentioned more most much my of off on one ones our out over pick
    please previous recall recap remember remind resume s said say show some something stuff
    summarise summarize summary talk talked talking tell than that the them then there these they
    thing things this those time to told topic topics up us was we we're week were what what's
    whatever when where where's which who with work working would you your yours
    """.split()  # noqa: SIM905 - a hundred quoted words read worse
)
_FRAME_ZH = re.compile(
    "什么|哪些|哪里|哪儿|哪个|啥|一起|一下|一些|一直|主要|都|聊天|聊|谈话|谈|讨论|说|讲|提到|提过|提起|提及|提|做|干|发生|内容|话题|事情|事儿?"
    "|东西|记录|安排|日程|记得|记忆|回忆|还|总结|回顾|列出|告诉|继续|接着|接上|上次|那次|那个|那些|这个|这些|那天|当天|时候|到|过|了|的|在|吗|呢|吧|是|有|没|我们|咱们|咱|我|你们|你|请|帮|把|给|和|跟|与|次|回|哪|到"
)
_WORD = re.compile("[a-z0-9]+(?:'[a-z]+)*")
_LEAN = re.compile(
    _B + r"(?:it|its|that|this|those|these|them|they|their|he|she|him|her|his|one|ones|same|there"
    r"|the (?:first|second|third|last|other|latter|former|next)|instead|again|too|also|else|another"
    r"|continue|resume)" + _E
    + r"|它|他们|她们|(?<![吉其])他(?!人)|她|那个|这个|那些|这些|那样|这样|那边|上面|刚才|刚刚|前者|后者|第[一二三四五六1-6]个|继续|接着|再来|还有吗|同样|一样的|另一个|换一个|别的"
    r"|那(?=[么它他她]|呢|.{0,6}呢)|.{0,8}呢[？?]?$"
)  # fmt: skip
_SHORT = 3  # words; fewer say too little by themselves
# A question of a few words ("who pays postage?", 谁出邮费？) is asked of what was talked about.
_BRIEF = re.compile(
    r"\A(?:(?:and|but|so) )?(?:who|how much|how many|how long|when|where|which)(?: [a-z']+){1,2} ?\?*\Z"
    r"|\A(?=[^a-z0-9]{2,7}\Z)(?!.*我).*(?:谁|多少|几|哪|何时|吗|什么时候).*\Z"
)
_QUESTION = re.compile("[^?？]+[?？]")
_CLAUSE = re.compile(r"[^,.;!?，。；！？\n]+[,.;!?，。；！？\n]*")


def asks_about_person(text: str) -> bool:
    """Whether a question names the one it is about: me, my, our, the user, 我, 用户."""
    return _PERSON.search(text.lower()) is not None


def asks_for_before(text: str) -> bool:
    """Whether a question asks how things were before they changed."""
    return _BEFORE.search(text.lower()) is not None


def asks_what_was_said(text: str) -> bool:
    """Whether the time a question names is that of a talk, not of what was talked about."""
    return _TALK.search(text.lower()) is not None


def looks_back(text: str) -> bool:
    """Whether a question is put in the past tense."""
    return PAST.search(text.lower()) is not None


def continues(text: str) -> bool:
    """Whether a question asks to go on with something."""
    return _CONTINUES.search(text.lower()) is not None


def leans(text: str) -> bool:
    """Whether a question leans on what was said before it: "the first one", 那个, "and in June?"."""
    lower = text.lower()
    if _LEAN.search(lower) or _BRIEF.search(lower.strip()):
        return True
    return len(_WORD.findall(lower)) < _SHORT and not re.search("[\u3400-\u9fff]{3}", lower)


def asked_spans(text: str, at: datetime) -> tuple[Span, ...]:
    """Return the stretches a question asks about; those a story merely tells of are none.

    "What did I repair last week?" asks about a week; "I fell yesterday, what helps?" does not.
    """
    clauses = [match.group() for match in _CLAUSE.finditer(text)]
    for position, clause in enumerate(clauses):
        found = spans(clause, at)
        if not found:
            continue
        rest = without(clause.lower(), found)
        if not has_topic(rest) and position + 1 < len(clauses):
            rest += clauses[position + 1].lower()  # "Last week, what did I repair?"
        if _ASKS.search(rest) or "?" in rest or "？" in rest or not _PERSON.search(rest):
            return found
    return ()


def questions(text: str) -> tuple[str, ...]:
    """Return the questions of a line that asks several at once; nothing for one, or a conversation."""
    line = text.strip()
    if "\n" in line:
        return ()
    found = [one.strip() for one in _QUESTION.findall(line) if has_topic(one)]
    return tuple(found) if 1 < len(found) <= QUESTION.at_once else ()


def has_topic(text: str) -> bool:
    """Whether a question names anything besides a time and that something is asked."""
    lower = text.lower()
    if any(word not in _FRAME_EN for word in _WORD.findall(lower)):
        return True
    return bool(re.search("[\u3400-\u9fff]", _FRAME_ZH.sub("", lower)))


def topic_of(text: str, at: datetime) -> str:
    """Return ``text`` without the time it names, or nothing if nothing else is asked for."""
    lower = text.lower()
    rest = without(lower, spans(text, at))
    return text if has_topic(rest) else ""
