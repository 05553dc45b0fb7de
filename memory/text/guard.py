"""The guard before a near-duplicate merge: two texts are one fact only if nothing in them differs.

A wrong merge loses a fact for ever, a missed one costs a line in a list. So this answers yes only when
numbers, times, what is quoted, whether it was, is or will be, and every word that carries meaning
agree. Words agree when they are one concept (``concepts``), in one language or two.
"""

import re

from memory.policy import WRITE
from memory.text.concepts import ANIMAL, OPTIONAL, PERSON, Token, tokens
from memory.text.normalise import language
from memory.text.numbers import same_times, signature, without_numbers
from memory.text.perspective import plain

# Was it so, has it changed, how surely, on which half of the day.
_STAGES = tuple(
    re.compile(zh + r"|(?<![a-z])(?:" + en + r")(?![a-z])")
    for zh, en in (
        (
            r"以前|曾经?|过去|原来(?!是)|之前(?!要|交)|过(?=[^敏于程滤期节年夜生来去]|\Z)",
            "used to|formerly|previously|once|was(?! born)|were|had|former|ex|did",
        ),
        (
            "将(?!军)|快要|打算|计划|要去",
            "will|plans?|planning|going to|getting|about to|intends?|might|'ll",
        ),
        ("应该", "(?<![0-9] )may(?! [0-9])|would(?! like| rather)|could|should|considering"),
        (
            "搬|换|改|变|转|升|开始",
            "moved?|moving|switch(?:ed)?|chang(?:ed|ing)|became|replaced|left|migrated|started",
        ),
        ("可能|也许|大概|似乎|好像", "maybe|perhaps|probably|possibly|seems?"),
        ("必须|一定", "must|has to|have to"),
        ("有时|偶尔", "sometimes|occasionally|rarely|seldom"),
        ("(?<![0-9一二三四五六七八九十两几这那])只(?!要)|仅", "only|merely"),
        ("先(?!生)|最早|首先", "first"),
        ("[完死丢]了|好了|去世|卖", "died|dead|sold|finished|lost|done with"),
    )
)
_NOT_PAST = (
    "need|speed|feed|seed|indeed|bed|red|based|called|named|married|employed|located|scared"
    "|interested|supposed|engaged|divorced|retired|detailed|allowed|scheduled|used|preferred"
    "|hundred|united|left-handed|unmarried|wed|breed|fed|need|shed|agreed|embed|tired"
)
_PAST = re.compile(
    rf"(?<![a-z-])(?!(?:{_NOT_PAST})(?![a-z]))(?:[a-z]{{2,}}ed"
    r"|was(?! born)|were|went|bought|taught|met|got|ran|ate|drank|wrote|took|gave|came|saw|spoke"
    r"|grew|built|kept|spent|won|drove|flew|swam|sang|knew|began|broke|chose|fell|paid|read"
    r"|slept|stood|threw|told|wore)(?![a-z])"
)
_PAST_ZH = re.compile(r"[了过]|曾|以前|去年|昨|上个?[周月]|的。?\Z")
# "From A to B", "A over B", "A 比 B": the order of what is named matters.
_DIRECTED = re.compile(
    "从|到|比|给|把|被|于|替|超过|(?<![a-z])(?:from|over|than|before|after|instead|into|by|beats"
    "|versus|vs)(?![a-z])"
)
# "My wife's teacher" is not "my wife is a teacher".
_BELONGS = re.compile(
    r"[\u3400-\u9fff](?<![我你您他她它们家])的|'s (?!an? |the |called|named|going|been|not)|of my"
)
# Comparison with everything else names no second thing ("rather than any other").
_EVERYTHING_ELSE = re.compile("by the way|(?:over|than) any other|[给帮替为跟对]我")
# The person is who does it; the person is whom it is done to.
_SUBJECT = re.compile(
    r"[我咱]们?(?![的家们妈爸哥姐弟妹爷奶叔姨舅姑婆公妻夫女儿孩朋同老客领邻室，。！!.]|\Z)"
    "|(?<![a-z])(?:i|we|i'm|i've|i'd|my favou?rite)(?![a-z])"
)
_OBJECT = re.compile(r"[我咱]们?[，。！!.]?\Z|(?<![a-z])(?:me|us)(?![a-z])")
_QUOTED = re.compile('[“「『《"]([^”」』》"]{1,60})[”」』》"]')
_HAN = re.compile("[\u3400-\u9fff]")
_AGAINST = frozenset(("not", "stop", "refuse", "dislike"))
HAVE, BEING = "have", re.compile(r"我(?:现在)?(?:是|当)|(?<![a-z])(?:i am|i'm)(?![a-z])")


def same_facts(a: str, b: str) -> bool:
    """Whether two texts state the same fact, so that they may be merged."""
    a, b = plain(a), plain(b)
    if max(len(a), len(b)) > WRITE.max_text:
        return a == b
    checks = (_same_numbers, _same_stage, _same_tense, _same_quotes, _same_content)
    return a == b or all(check(a, b) for check in checks)


def covers(known: str, told: str) -> bool:
    """Whether ``known`` holds all that ``told`` says: the same details, and no further concept.

    Only for two texts that are known to give one attribute one value.
    """
    known, told = plain(known), plain(told)
    checks = (_same_numbers, _same_stage, _same_tense, _same_quotes)
    if not all(check(known, told) for check in checks):
        return False
    there, said = _same_names(content(known), content(told))
    return {token for token in said if token.mark != OPTIONAL} <= set(there)


def may_join(a: str, b: str) -> bool:
    """Whether two texts can stand side by side as parts of one: nothing in one contradicts the other.

    Numbers in both, what is over or to come in one alone, and a no in one alone keep them apart.
    """
    a, b = plain(a), plain(b)
    one, other = signature(a), signature(b)
    if one != other and any(one) and any(other):
        return False
    against = (bool(_AGAINST & {token.name for token in content(text)}) for text in (a, b))
    return len(set(against)) == 1 and _same_stage(a, b) and _same_tense(a, b)


def _same_numbers(a: str, b: str) -> bool:
    one, other = signature(a), signature(b)
    return one[0] == other[0] and same_times(one[1], other[1])


def _same_stage(a: str, b: str) -> bool:
    return all(bool(p.search(a)) == bool(p.search(b)) for p in _STAGES)


def _same_tense(a: str, b: str) -> bool:
    """English says by the verb whether it was; Chinese by a particle, which an English past needs."""
    one, other = bool(_PAST.search(a)), bool(_PAST.search(b))
    if language(a) == language(b):
        return one == other
    chinese = a if language(a) == "zh" else b
    return not (one or other) or bool(_PAST_ZH.search(chinese))


def _same_quotes(a: str, b: str) -> bool:
    return set(_QUOTED.findall(a)) == set(_QUOTED.findall(b))


def content(text: str) -> list[Token]:
    """Return what a text says, concept by concept, without numbers and times."""
    return tokens(without_numbers(_EVERYTHING_ELSE.sub(" ", text)))


def _same_content(a: str, b: str) -> bool:
    one, other = content(a), content(b)
    if not one or not other:
        return False
    one, other = _same_names(one, other)
    if not _alike(one, other, a, b):
        return False
    if _spine(one) == _spine(other):
        return True
    if bool(_OBJECT.search(a)) != bool(_OBJECT.search(b)):
        return False
    return all(_reorders(text, said) for text, said in ((a, one), (b, other)))


def _spine(said: list[Token]) -> list[str]:
    return list(dict.fromkeys(token.name for token in said if token.mark != OPTIONAL))


def _same_names(one: list[Token], other: list[Token]) -> tuple[list[Token], list[Token]]:
    """Give a name written in Chinese by one and by its sound by the other (杭州, Hangzhou) one form."""
    mine, theirs = (
        [token for token in said if token.word and token not in rest]
        for said, rest in ((one, other), (other, one))
    )
    sounds = "".join(map(_sound, mine)), "".join(map(_sound, theirs))
    chinese = [bool(_HAN.match("".join(token.word for token in said))) for said in (mine, theirs)]
    if not mine or not theirs or sounds[0] != sounds[1] or chinese[0] == chinese[1]:
        return one, other
    name = Token(sounds[0], word=sounds[0])
    return _renamed(one, mine, name), _renamed(other, theirs, name)


def _renamed(said: list[Token], parts: list[Token], name: Token) -> list[Token]:
    return list(dict.fromkeys(name if token in parts else token for token in said))


def _sound(token: Token) -> str:
    from pypinyin import lazy_pinyin  # its tables take a moment to load

    return "".join(lazy_pinyin(token.word)) if _HAN.match(token.word) else token.word


def _alike(one: list[Token], other: list[Token], a: str, b: str) -> bool:
    """Whether the same concepts occur; one of the two may leave out what is optional."""
    two = len({token for token in one if token.mark == PERSON}) > 1
    if two and bool(_BELONGS.search(a)) != bool(_BELONGS.search(b)):
        return False
    left, right = set(one) - set(other), set(other) - set(one)
    if not left and not right:
        return True
    if (left and right) or any(token.mark != OPTIONAL for token in left | right):
        return False
    # "I have a doctor" and "I am a doctor" differ in just such a word.
    has = HAVE in {token.name for token in left | right}
    people = any(token.mark == PERSON for token in one)
    return not (has and people and (BEING.search(a) or BEING.search(b)))


def _reorders(text: str, said: list[Token]) -> bool:
    """Whether the order may differ: what the person likes does, who fears or follows whom does not."""
    if _DIRECTED.search(_EVERYTHING_ELSE.sub(" ", text)):
        return False
    able = sum(token.mark in (PERSON, ANIMAL) for token in set(said))
    named = 0 if _SUBJECT.search(text) else sum(bool(token.word) for token in set(said))
    return able + named <= 1
