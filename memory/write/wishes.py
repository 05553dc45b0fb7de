"""What a person asks to have forgotten: "forget my phone number", 别再记我的城市.

A wish names a slot, whose values go and are not learnt again, or speaks of something in their own words.
Pure: what is done about it is decided where the memories are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory.choices import Reason
from memory.policy import WRITE
from memory.text.normalise import Span, fold
from memory.write.attributes import CATALOGUE
from memory.write.candidate import Found, Refused, Turn
from memory.write.faithful import supported
from memory.write.matching import best
from memory.write.redact import redact
from memory.write.signs import compiled, group

_POLITE_ZH = "(?:请|麻烦|你|可以|能不能|可不可以|能|帮我|给我|那|就|都|快|现在|以后|从现在起)*"
_POLITE_EN = r"(?:(?:please|would you|could you|can you|you can|now|ok|also|just|i want you to|i'd like you to)[, ]+){0,3}"
# Asked in so many words. To forget is also a person's own failing ("我忘了", "别忘了"): that is none.
_ASKED = compiled(
    rf"\A{_POLITE_EN}(?:forget (?:about )?(?:my|that i|what you know|everything (?:about|you)|me~)"
    r"|(?:delete|remove|erase|drop|clear|wipe) [^.!?]{1,40}~(?:from (?:your |the )?(?:notes|memory|memories|records?)"
    r"|about me|you (?:know|have|remember|stored)|you'?ve stored))"
    rf"|\A{_POLITE_ZH}忘掉[^，。？]{{0,12}}(?:我|记忆|记录|那条|之前)"
    rf"|\A{_POLITE_ZH}(?:忘了|忘记)(?:关于)?我(?:的|[住叫在是有过])[^，。？?吗]*[。！!]?\Z"
    rf"|\A{_POLITE_ZH}(?:删掉|删除|删了|清除|抹掉)[^，。？]{{0,12}}(?:关于我|记忆|记录|记住的|记得的)"
    rf"|\A{_POLITE_ZH}(?:把|将)(?:关于)?我[^，。]{{1,12}}(?:忘掉|忘了)"
)
# Deleting is also a task like any other; of a slot it is a wish.
_DELETE = compiled(
    rf"\A{_POLITE_EN}(?:delete|remove|erase|drop|clear|wipe) (?:my|our|where i)~"
    rf"|\A{_POLITE_ZH}(?:删掉|删除|删了|清除|抹掉)我|\A{_POLITE_ZH}(?:把|将)我[^，。]{{1,12}}(?:删掉|删除|删了|清除|抹掉)"
)
# The words for a slot, the attributes they mean, and the contact detail that shows without an attribute.
_SLOT_WORDS = (
    (r"手机号?码?|电话(?:号码?)?|联系电话|~(?:(?:tele|cell ?)?phone|mobile|cell)(?: numbers?)?~|~my number~", "contact.phone", "PHONE"),
    (r"邮箱(?:地址)?|电子邮件|~e-?mails?(?: address(?:es)?)?~", "contact.email", "EMAIL"),
    (r"(?:家庭|家里的?|收货|详细)?地址|~(?:(?:home|postal|street) )?address~", "contact.address", "ADDRESS"),
    (r"联系方式|~contact (?:details?|info(?:rmation)?)~", "contact.phone contact.email contact.address", "PHONE EMAIL ADDRESS"),
    (r"(?:居住)?城市|住(?:在)?哪[里儿]?|住的地方|住处|~(?:home ?)?(?:city|town)~|~where i live~|~location~", "home.city", ""),
    (r"时区|~time ?zone~", "home.timezone", ""),
    (r"(?<!用户)(?:名字|姓名|叫什么)|~name~", "identity.name identity.form_of_address", ""),
    (r"生日|出生日期|~birth(?:day|date)~|~date of birth~", "identity.birthday", ""),
    (r"年龄|多大|岁数|~age~|~how old i am~", "identity.age", ""),
    (r"性别|~gender~", "identity.gender", ""),
    (r"星座|~(?:star sign|zodiac(?: sign)?)~", "identity.zodiac", ""),
    (r"老家|籍贯|家乡|~home ?town~|~where i(?:'m| am| come) from~", "identity.origin", ""),
    (r"(?:工作)?单位|公司|雇主|~employer~|~(?:where|who) i work(?: for| at)?~|~company~", "work.employer", ""),
    (r"职业|职位|岗位|工作|~job(?: title)?~|~profession~|~occupation~|~role~", "work.role work.employer", ""),
    (r"学校|母校|学历|~(?:school|university|college)~", "education.school", ""),
    (r"老婆|老公|妻子|丈夫|爱人|对象|伴侣|男朋友|女朋友|~(?:wife|husband|partner|spouse|girlfriend|boyfriend)~", "family.partner", ""),
    (r"孩子|儿子|女儿|小孩|~(?:kids?|child(?:ren)?|sons?|daughters?)~", "family.children", ""),
    (r"宠物|~pets?~", "pets", ""),
    (r"过敏|~allerg(?:y|ies)~", "diet.allergy", ""),
    (r"饮食|忌口|~diet(?:ary [a-z]+)?~", "diet.preference", ""),
    (r"病史|病情|健康(?:状况|信息)?|~(?:health|medical)(?: (?:conditions?|history|data|information))?~|~illness~", "health.condition", ""),
    (r"收入|工资|薪水|~(?:income|salary)~", "finance.income", ""),
)  # fmt: skip
_SLOTS = [
    (compiled(words), frozenset(attributes.split()), frozenset(details.split()))
    for words, attributes, details in _SLOT_WORDS
]
_EVERYTHING = compiled(
    r"(?:关于)?我的?(?:一切|所有|全部)(?:的)?(?:事情?|信息|记忆|数据|资料)?|(?:所有|全部|一切)(?:关于)?我的(?:事情?|信息|记忆|数据|资料)?"
    r"|(?:关于我的)(?:所有|全部|一切)(?:记忆|信息|数据|资料)?"
    r"|~(?:everything|all(?: that)?)(?: (?:that )?you (?:know|have|remember|(?:ha)?ve stored|store))?(?: (?:about|on) me)~"
    r"|~everything (?:that )?you (?:know|have|remember|(?:ha)?ve stored|store)~|~all (?:of )?my (?:data|memories|information)~"
    r"|~(?:all )?about me~|~me~"
)
# 把我的手机号删掉: what is meant stands before the verb.
_BEFORE_VERB = compiled(
    r"(?:把|将)(?P<x>.+?)(?:都|全部?|给)*(?:忘掉|忘了|忘记|删掉|删除|删了|清除|抹掉)"
)
_VERB = compiled(
    r"\A.*?(?:忘掉|忘记|忘了|删掉|删除|删了|清除|抹掉|(?:别|不要|不用|不必)再?(?:帮我)?(?:记录?|存|保存))(?:住|下来?|录|着)?(?:关于)?"
    r"|\A.*?~(?:forget|delete|remove|erase|drop|clear|wipe|(?:stop|don'?t|do not|never) (?:ever )?(?:remember|sav|stor"
    r"|record|keep|not|log|memori[sz])(?:e|ing)?)~(?: about| that)?"
)
_TAIL = compiled(
    r"(?:(?:的?(?:记录|记忆|信息|资料|事情?|这件事|那条))?(?:吧|了|好吗|可以吗|[。！？!?.，,])*"
    r"|(?: (?:from|out of) (?:your |the )?(?:notes?|memory|memories|records?|database))?"
    r"(?: (?:please|any ?more|again|for me))*[,.!? ]*)\Z"
)
_LEAD = compiled(
    r"\A(?:我的|我(?=[住叫在是有过])|关于|那条|之前|的|~(?:the |any |that )?(?:notes?|memor(?:y|ies)|facts?|entr(?:y|ies)|records?)"
    r" (?:about|of|that|on)~|~what (?:you know|i (?:said|told you)) about~|~(?:my|the|about)~| )++"
)
_AND = compiled(r"、|和|与|以及|还有|,|~and~(?: my~)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish(Refused):
    """Words by which a person asks to have something forgotten; they are not remembered themselves.

    ``attributes`` are the slots meant, ``details`` the kinds of contact details, ``words`` what was
    named in other words; ``everything``: all there is about the person.
    """

    attributes: frozenset[str] = frozenset()
    details: frozenset[str] = frozenset()
    words: str = ""
    value: str = ""
    everything: bool = False

    @property
    def slots(self) -> frozenset[str]:
        """The attributes that are not to be learnt again: a value that is not true says nothing of them."""
        return frozenset() if self.value else self.attributes

    def names(self, text: str, attribute: str, about: str) -> bool:
        """Whether a memory lies in a slot that was named: there is no doubt that it is meant."""
        if about or self.value:
            return False
        if attribute in self.attributes:
            return True
        if attribute or not self.details:
            return False
        return not self.details.isdisjoint(one.type for one in redact(text).found)

    def may_mean(self, text: str, attribute: str, value: str) -> bool:
        """Whether a memory is most likely meant: it holds the value or the words that were named."""
        if self.everything:
            return True
        if self.value:
            return attribute in self.attributes and fold(value) == fold(self.value)
        return bool(self.words) and supported(self.words, by=text, share=WRITE.wish_support)


def _slots_of(named: str) -> Mapping[str, Any] | None:
    """Return the fields of a wish that names slots and nothing else."""
    found = [_slot(_LEAD.sub("", part.strip())) for part in _AND.split(named)]
    slots = [one for one in found if one is not None]
    if not slots or len(slots) < len(found):
        return None
    return {
        "attributes": frozenset().union(*(attributes for attributes, _ in slots)),
        "details": frozenset().union(*(details for _, details in slots)),
        "words": named,
    }


def _slot(named: str) -> tuple[frozenset[str], frozenset[str]] | None:
    for pattern, attributes, details in _SLOTS:
        if pattern.fullmatch(named):
            return attributes, details
    return None


def wishes(turn: Turn, span: Span, *, asked: bool = False) -> list[Found]:
    """Return the wish of a sentence that asks to forget, if it is one.

    ``asked`` says that it asks not to remember: it then means the slots it names, or else itself alone.
    """
    in_words = not asked and _ASKED.search(span.text) is not None
    if not (asked or in_words or _DELETE.search(span.text)):
        return []
    meant = _meant(span.text, only_slots=not in_words)
    if meant is None:
        return []
    wish = Wish(
        reason=Reason.FORGET_WISH,
        event_id=turn.event_id,
        quote_start=span.start,
        quote_end=span.end,
        **meant,
    )
    return [wish]


def _meant(text: str, *, only_slots: bool) -> Mapping[str, Any] | None:
    before = _BEFORE_VERB.search(text)
    said = (group(before, "x") if before else None) or _VERB.sub("", text, count=1)
    said = _TAIL.sub("", said.strip()).strip()
    named = _LEAD.sub("", said).strip()
    if (slots := _slots_of(named)) is not None or only_slots:
        return slots
    if _EVERYTHING.fullmatch(said):
        return {"everything": True}
    hit = best(said)
    if hit is not None and hit.rule.attribute in CATALOGUE and hit.value and not hit.about:
        return {"attributes": frozenset((hit.rule.attribute,)), "value": hit.value, "words": named}
    return {"words": named}
