"""The slots a semantic memory can fill: how many values, how sensitive, shown in the profile or not.

To add one: a line in CATALOGUE. A single-valued attribute holds one current value, and a newer one
supersedes it; a many-valued one collects.
"""

import re
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import partial
from types import MappingProxyType

from memory.choices import Sensitivity, Subtype
from memory.text.normalise import fold

GENERAL, PERSONAL = Sensitivity.GENERAL, Sensitivity.PERSONAL
CONTACT, SPECIAL = Sensitivity.CONTACT, Sensitivity.SPECIAL


@dataclass(frozen=True, slots=True)
class Attribute:
    """What is known about a slot before anything is in it."""

    name: str
    sensitivity: Sensitivity
    subtype: Subtype = Subtype.FACT
    _: KW_ONLY
    single: bool
    pinned: bool = False
    profile: bool = False
    normalise: Callable[[str], str] = fold


_PARTICLES = re.compile(r"(?:了|啦|呢|的|哦|哈|吧|噢|呀|嘛|就行|就好|就可以|即可)+\Z")
_LEAD = re.compile(r"\A(?:the|a|an|my|是|在|到|于|为)\s*(?=\S)", re.IGNORECASE)
_LANGUAGES = {
    "中文": "zh", "汉语": "zh", "简体中文": "zh", "普通话": "zh", "chinese": "zh", "mandarin": "zh",
    "英文": "en", "英语": "en", "english": "en", "日语": "ja", "日文": "ja", "japanese": "ja",
    "法语": "fr", "french": "fr", "德语": "de", "german": "de", "西班牙语": "es", "spanish": "es",
    "韩语": "ko", "korean": "ko", "俄语": "ru", "russian": "ru",
}  # fmt: skip


def tidy(value: str) -> str:
    """A value as shown: without a trailing particle, quotes or punctuation; words untouched."""
    value = value.strip(" \t\n，。,.!！?？;；:：、\"'“”「」()（）~～")
    return _PARTICLES.sub("", value).strip() or value


def place(value: str) -> str:
    """A place for comparison: 上海市 and 上海 are one."""
    folded = fold(_LEAD.sub("", tidy(value)))
    return folded[:-1] if folded[2:] and folded[-1] in "市省" else folded


def language_code(value: str) -> str:
    """A language for comparison: 中文 and Chinese are one."""
    folded = fold(tidy(value))
    return _LANGUAGES.get(folded, folded)


def words(value: str) -> str:
    """Any other value for comparison."""
    return fold(_LEAD.sub("", tidy(value)))


_one = partial(Attribute, single=True)
_many = partial(Attribute, single=False)

_ALL = (
    _one("identity.name", PERSONAL, profile=True, normalise=words),
    _one("identity.form_of_address", PERSONAL, Subtype.INSTRUCTION, profile=True, normalise=words),
    _one("identity.birthday", PERSONAL),
    _one("identity.age", PERSONAL),
    _one("identity.gender", PERSONAL),
    _one("identity.zodiac", GENERAL),
    _one("identity.origin", PERSONAL, normalise=place),
    _many("identity.language", PERSONAL, normalise=language_code),
    _one("contact.phone", CONTACT),
    _one("contact.email", CONTACT),
    _one("contact.address", CONTACT),
    _one("home.city", PERSONAL, profile=True, normalise=place),
    _one("home.timezone", PERSONAL, profile=True),
    _one("work.role", PERSONAL, normalise=words),
    _one("work.employer", PERSONAL, normalise=words),
    _one("education.school", PERSONAL, normalise=words),
    _one("family.partner", PERSONAL, Subtype.RELATION, normalise=words),
    _many("family.children", SPECIAL, Subtype.RELATION, normalise=words),
    _many("relation.person", PERSONAL, Subtype.RELATION, normalise=words),
    _many("pets", PERSONAL, normalise=words),
    _many("diet.allergy", SPECIAL, pinned=True, profile=True, normalise=words),
    _many("diet.preference", PERSONAL, Subtype.PREFERENCE, profile=True, normalise=words),
    _many("health.condition", SPECIAL, normalise=words),
    _one("finance.income", SPECIAL, normalise=words),
    _many("taste.likes", GENERAL, Subtype.PREFERENCE, normalise=words),
    _many("taste.dislikes", GENERAL, Subtype.PREFERENCE, normalise=words),
    _many("taste.food", GENERAL, Subtype.PREFERENCE, normalise=words),
    _many("skills", GENERAL, normalise=words),
    _many("schedule.habit", PERSONAL, Subtype.PREFERENCE, normalise=words),
    _many("schedule.event", PERSONAL, normalise=words),
    _many("devices.owned", GENERAL, normalise=words),
    _many("project.stack", GENERAL, normalise=words),
    _many("project.constraint", GENERAL, Subtype.CONSTRAINT, normalise=words),
    _one(
        "instruction.language", GENERAL, Subtype.INSTRUCTION, profile=True, normalise=language_code
    ),
    _many("instruction.style", GENERAL, Subtype.INSTRUCTION, profile=True, normalise=words),
)

# The attribute that a kind of contact detail belongs to, whoever writes it without one.
OF_DETAIL = MappingProxyType(
    {"PHONE": "contact.phone", "EMAIL": "contact.email", "ADDRESS": "contact.address"}
)

CATALOGUE: MappingProxyType[str, Attribute] = MappingProxyType({a.name: a for a in _ALL})


def same_value(name: str, one: str, other: str) -> bool:
    """Whether two values of this attribute are the same thing."""
    known = CATALOGUE.get(name)
    normalise = known.normalise if known else fold
    return normalise(one) == normalise(other)
