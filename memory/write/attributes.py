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
from memory.text.concepts import tokens
from memory.text.normalise import fold

INSTRUCTION, PREFERENCE, RELATION = Subtype.INSTRUCTION, Subtype.PREFERENCE, Subtype.RELATION
GENERAL, PERSONAL = Sensitivity.GENERAL, Sensitivity.PERSONAL
CONTACT, SPECIAL = Sensitivity.CONTACT, Sensitivity.SPECIAL


@dataclass(frozen=True, slots=True)
class Attribute:
    """What is known about a slot before anything is in it.

    ``whole``: the value says all there is to say, so that equal values are one memory in any words, and
    a circumstance ("when I fly") goes without saying.
    """

    name: str
    sensitivity: Sensitivity
    subtype: Subtype = Subtype.FACT
    _: KW_ONLY
    single: bool
    pinned: bool = False
    profile: bool = False
    whole: bool = False
    normalise: Callable[[str], str] = fold


_PARTICLES = re.compile(r"(?:了|啦|呢|的|哦|哈|吧|噢|呀|嘛|就行|就好|就可以|即可)+\Z")
_LEAD = re.compile(r"\A(?:the|a|an|my|是|在|到|于|为)\s*(?=\S)", re.IGNORECASE)
_LANGUAGES = {
    "中文": "zh", "汉语": "zh", "简体中文": "zh", "普通话": "zh", "chinese": "zh", "mandarin": "zh",
    "英文": "en", "英语": "en", "english": "en", "日语": "ja", "日文": "ja", "japanese": "ja",
    "法语": "fr", "french": "fr", "德语": "de", "german": "de", "西班牙语": "es", "spanish": "es",
    "韩语": "ko", "korean": "ko", "俄语": "ru", "russian": "ru",
}  # fmt: skip


_SEATS = {
    "window": ("window", "窗"),
    "aisle": ("aisle", "道", "走廊"),
    "middle": ("middle", "中间"),
    "front": ("front row", "第一排", "前排"),
    "quiet": ("quiet", "安静", "静音"),
}


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


def meaning(value: str) -> str:
    """A value for comparison by what it says in either language: 蓝色 and blue are one."""
    said = " ".join(token.name for token in tokens(tidy(value)))
    return said or words(value)


def seat(value: str) -> str:
    """A seat for comparison."""
    return next(
        (name for name, signs in _SEATS.items() if any(s in fold(value) for s in signs)),
        fold(value),
    )


_one = partial(Attribute, single=True)
_many = partial(Attribute, single=False)

_ALL = (
    # who they are
    _one("identity.name", PERSONAL, profile=True, normalise=words),
    _one("identity.form_of_address", PERSONAL, INSTRUCTION, profile=True, normalise=words),
    _one("identity.birthday", PERSONAL),
    _one("identity.age", PERSONAL),
    _one("identity.gender", PERSONAL),
    _one("identity.zodiac", GENERAL),
    _one("identity.origin", PERSONAL, normalise=place),
    _one("identity.nationality", PERSONAL, normalise=meaning),
    _one("identity.belief", SPECIAL, normalise=words),
    _many("identity.language", PERSONAL, normalise=language_code),
    _one("contact.phone", CONTACT),
    _one("contact.email", CONTACT),
    _one("contact.address", CONTACT),
    # where they live
    _one("home.city", PERSONAL, profile=True, normalise=place),
    _one("home.timezone", PERSONAL, profile=True),
    _one("home.commute", PERSONAL, normalise=meaning),
    # what they do
    _one("work.role", PERSONAL, normalise=words),
    _one("work.employer", PERSONAL, normalise=words),
    _one("work.hours", PERSONAL, normalise=meaning),
    _one("work.place", PERSONAL, normalise=meaning),
    _one("education.school", PERSONAL, normalise=words),
    _one("education.degree", PERSONAL, normalise=words),
    _one("education.major", PERSONAL, normalise=meaning),
    _many("skills", GENERAL, normalise=words),
    # who is near them
    _one("family.partner", PERSONAL, RELATION, normalise=words),
    _one("family.status", PERSONAL, RELATION, normalise=meaning),
    _many("family.children", SPECIAL, RELATION, normalise=words),
    _one("family.siblings", PERSONAL, RELATION, normalise=meaning),
    _one("family.anniversary", PERSONAL, normalise=words),
    _many("pets", PERSONAL, normalise=words),
    # how they are
    _many("diet.allergy", SPECIAL, pinned=True, profile=True, normalise=words),
    _many("diet.preference", PERSONAL, PREFERENCE, profile=True, normalise=words),
    _many("health.condition", SPECIAL, normalise=words),
    _many("health.medication", SPECIAL, normalise=words),
    _one("health.blood_type", SPECIAL, normalise=words),
    _one("health.height", SPECIAL, normalise=words),
    _one("health.weight", SPECIAL, normalise=words),
    _one("finance.income", SPECIAL, normalise=words),
    # what they like
    _many("taste.likes", GENERAL, PREFERENCE, normalise=words),
    _many("taste.dislikes", GENERAL, PREFERENCE, normalise=words),
    _many("taste.food", GENERAL, PREFERENCE, normalise=words),
    _one("travel.seat", GENERAL, PREFERENCE, whole=True, normalise=seat),
    # when
    _many("schedule.habit", PERSONAL, PREFERENCE, normalise=words),
    _many("schedule.event", PERSONAL, normalise=words),
    _one("schedule.wake", PERSONAL, PREFERENCE, normalise=words),
    _one("schedule.sleep", PERSONAL, PREFERENCE, normalise=words),
    # what they have
    _many("devices.owned", GENERAL, normalise=words),
    _one("devices.phone", GENERAL, normalise=words),
    _one("devices.computer", GENERAL, normalise=words),
    _one("devices.car", GENERAL, normalise=meaning),
    _many("subscriptions", GENERAL, normalise=words),
    # what they work with
    _many("project.stack", GENERAL, normalise=words),
    _many("project.constraint", GENERAL, Subtype.CONSTRAINT, normalise=words),
    _one("project.name", GENERAL, normalise=words),
    _one("project.repository", GENERAL, normalise=words),
    # how they want to be served
    _one("instruction.language", GENERAL, INSTRUCTION, profile=True, normalise=language_code),
    _many("instruction.style", GENERAL, INSTRUCTION, profile=True, normalise=words),
    _one("instruction.units", GENERAL, INSTRUCTION, profile=True, normalise=meaning),
    _many("instruction.boundary", GENERAL, INSTRUCTION, profile=True, normalise=words),
)

# Slots that are named by what is in them: favourite.colour, own.parking_space, list.shopping.
_FAMILIES = (
    _one("favourite", GENERAL, PREFERENCE, whole=True, normalise=meaning),
    _one("own", GENERAL, normalise=meaning),
    _many("list", GENERAL, normalise=words),
)

# The attribute that a kind of contact detail belongs to, whoever writes it without one.
OF_DETAIL = MappingProxyType(
    {"PHONE": "contact.phone", "EMAIL": "contact.email", "ADDRESS": "contact.address"}
)

CATALOGUE: MappingProxyType[str, Attribute] = MappingProxyType({a.name: a for a in _ALL})


FAMILIES: MappingProxyType[str, Attribute] = MappingProxyType({a.name: a for a in _FAMILIES})


def known_attribute(name: str) -> Attribute | None:
    """Return what is known of a slot: of the catalogue, or of a family's ("favourite.colour")."""
    family, _, rest = name.partition(".")
    return CATALOGUE.get(name) or (FAMILIES.get(family) if rest else None)


def member(family: str, called: str) -> str:
    """Return the slot of a family for what it is called in either language: the concepts of its name."""
    said = [token.name for token in tokens(called)]
    key = "_".join(dict.fromkeys(said)) or fold(called).replace(" ", "_")
    return f"{family}.{key}"[:100]


def same_value(name: str, one: str, other: str) -> bool:
    """Whether two values of this attribute are the same thing."""
    known = known_attribute(name)
    normalise = known.normalise if known else fold
    return normalise(one) == normalise(other)
