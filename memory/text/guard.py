"""The guard before a near-duplicate merge: two texts are one fact only if nothing in them differs.

A wrong merge loses a fact for ever, a missed one costs a line in a list. So this answers yes only when
numbers, times, negation, liking, names and every word that carries meaning agree.
"""

import re

from memory.policy import WRITE
from memory.text.normalise import clean, language
from memory.text.numbers import same_times, signature, without_numbers

_NOT_NEGATION = re.compile(
    "不错|不但|不仅|差不多|对不起|不好意思|不过|不管|不论|不同|没错|特别|别人|别的|分别|区别|级别|非常|除非|无论|未来|not only|no matter"
    "|no doubt|without doubt"
)
_NEGATION = re.compile(
    r"不|没|无|别|未|勿|莫|禁|戒|停止|放弃|取消|拒绝|避免|(?<![a-z])(?:not|no|never|none|neither|nor|without"
    r"|stop(?:ped|s)?|quit|avoids?|refuse[sd]?|ceased?|cannot|cancel+ed|except|gave up"
    r"|given up)(?![a-z])|n['’]t(?![a-z])"
)
_LIKING = re.compile(
    "喜欢|热爱|偏爱|偏好|爱(?!人)|最爱|钟爱|(?<![a-z])(?:likes?|loves?|loved|liked|enjoys?|enjoyed|prefers?"
    "|preferred|favou?rites?|adores?|fond|fan|best)(?![a-z])"
)
_DISLIKING = re.compile(
    "讨厌|厌恶|反感|恨|受不了|怕|嫌|(?<![a-z])(?:hates?|hated|dislikes?|disliked|despises?|detests?"
    "|loathes?|stand|afraid|averse|allergic)(?![a-z])|过敏"
)
# Was it so, is it so, will it be so; has it changed.
_STAGES = tuple(
    re.compile(zh + r"|(?<![a-z])(?:" + en + r")(?![a-z])")
    for zh, en in (
        ("以前|曾经?|过去|原来|之前", "used to|formerly|previously|once|was|were|had|former|ex"),
        (
            "打算|计划|想要?|准备|将|希望|要去",
            "will|plans?|planning|wants?|going to|hopes?|intends?|might",
        ),
        ("应该|可以", "may|would|could|should|considering"),
        (
            "搬|换|改|变|转|升",
            "moved?|moving|switch(?:ed)?|chang(?:ed|ing)|became|replaced|left|migrated",
        ),
        ("可能|也许|大概|似乎|好像", "maybe|perhaps|probably|possibly|seems?"),
        ("昨|前天|去年|上周|上个?月", "yesterday|last|ago"),
        ("明天|明年|下周|下个?月", "tomorrow|next"),
        ("早上|上午|早晨", "mornings?"),
        ("晚上|夜里|傍晚", "evenings?|nights?"),
        ("必须|一定", "must|always|has to|have to"),
        ("有时|偶尔", "sometimes|occasionally|rarely|seldom"),
        ("只|仅", "only|just|merely"),
    )
)
# "From A to B", "A over B", "A 比 B": the order of what is named matters.
_DIRECTED = re.compile(
    "从|到|比|给|把|被|于|替|超过|(?<![a-z])(?:from|to|over|than|before|after|instead|into|by|beats"
    "|versus|vs)(?![a-z])"
)

# Comparison with everything else names no second thing ("rather than any other").
_EVERYTHING_ELSE = re.compile(r"by the way|(?:over|than) any other")

_FILLER_WORDS = (
    "a an the i me my mine myself we our us is are am was were be been being do does did have "
    "has had it its it's i'm i've i'd "
    "that this these those there of in on at to for from with by as and or so but than then "
    "over any other all some very really "
    "quite just also too please s t m ve re d ll user user's by way actually well oh hi hello "
    "hey always usually generally most "
    "more much best one thing kind if you your ever now currently still can would like likes "
    "love loves loved liked enjoy enjoys "
    "prefer prefers preferred favorite favourite favorites favourites adore fond fan which "
    "who what when order don't not no never "
    "doesn't isn't cannot can't nor into about"
)
_FILLERS_EN = frozenset(_FILLER_WORDS.split())
_SAME_WORD = {
    "lives": "live", "living": "live", "reside": "live", "resides": "live", "based": "live", "home": "live",
    "work": "job", "works": "job", "working": "job", "employed": "job", "mum": "mother", "mom": "mother", "dad": "father",
    "called": "name", "named": "name", "colour": "color", "kids": "child", "children": "child", "kid": "child",
    "nyc": "new york", "moved": "move", "moving": "move", "uses": "use", "using": "use",
}  # fmt: skip
_FILLERS_ZH = re.compile(
    "喜欢|热爱|偏爱|偏好|最爱|用户|本人|自己|其实|真的|特别|非常|比较|一直|平时|一般|通常|总是|现在|目前|已经|还是|的话|一下"
    "|[我你您咱们的了呢吧啊呀哦嘛是在有很挺蛮最更也都就还又会对着过地得和跟与请那这爱不没别]"
)
_SAME_ZH = (
    ("住家", "家"),
    ("家住", "家"),
    ("居住", "住"),
    ("住", "家"),
    ("名字", "叫"),
    ("名叫", "叫"),
    ("上班", "工作"),
    ("任职", "工作"),
    ("妈妈", "妈"),
    ("爸爸", "爸"),
    ("父亲", "爸"),
    ("母亲", "妈"),
)
_ASCII_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9+#]*(?:[._\-/@:][A-Za-z0-9+#]+)*")
_HAN = re.compile("[\u3400-\u9fff]")
_QUOTED = re.compile('[“「『《"]([^”」』》"]{1,60})[”」』》"]')
_ENGLISH_WORD = re.compile(
    r"[a-z\u00c0-\u024f][a-z\u00c0-\u024f0-9+#]*(?:['’\-._/][a-z0-9\u00c0-\u024f]+)*"
    r"|[a-z]?[0-9][\w.\-]*|[\U0001f300-\U0001faff\u2600-\u27bf]"
)


def same_facts(a: str, b: str) -> bool:
    """Whether two near-identical texts state the same fact, so that they may be merged."""
    a, b = clean(a), clean(b)
    if max(len(a), len(b)) > WRITE.max_text:
        return a == b
    if language(a) != language(b):
        return False  # the words cannot be compared; an attribute's value may say more
    checks = (_same_numbers, _same_polarity, _same_stage, _same_quotes, _same_content)
    return all(check(a, b) for check in checks)


def _same_numbers(a: str, b: str) -> bool:
    one, other = signature(a), signature(b)
    return one[0] == other[0] and same_times(one[1], other[1])


def _same_polarity(a: str, b: str) -> bool:
    return _polarity(a) == _polarity(b)


def _polarity(text: str) -> tuple[int, bool, bool]:
    lower = _NOT_NEGATION.sub(" ", text.lower())
    return (
        len(_NEGATION.findall(lower)),
        bool(_LIKING.search(lower)),
        bool(_DISLIKING.search(lower)),
    )


def _same_stage(a: str, b: str) -> bool:
    one, other = a.lower(), b.lower()
    return all(bool(p.search(one)) == bool(p.search(other)) for p in _STAGES)


def _same_quotes(a: str, b: str) -> bool:
    return {q.lower() for q in _QUOTED.findall(a)} == {q.lower() for q in _QUOTED.findall(b)}


def _same_content(a: str, b: str) -> bool:
    if language(a) == "en":
        one, other = _english(a), _english(b)
    else:
        one, other = _chinese(a), _chinese(b)
    if not one or not other:
        return a == b
    if one == other:
        return True
    return sorted(one) == sorted(other) and all(_reorders(text) for text in (a, b))


def _reorders(text: str) -> bool:
    """Whether the order may differ: who likes what does, who fears or follows whom does not."""
    lower = _EVERYTHING_ELSE.sub("", text.lower())
    return bool(_LIKING.search(lower)) and not _DIRECTED.search(lower)


def _english(text: str) -> list[str]:
    text = without_numbers(_EVERYTHING_ELSE.sub("", text.lower()))
    words = [w.replace("’", "'").removesuffix("'s") for w in _ENGLISH_WORD.findall(text)]
    kept = [_SAME_WORD.get(w, _stem(w)) for w in words if w not in _FILLERS_EN]
    return list(dict.fromkeys(kept))


def _stem(word: str) -> str:
    """Plural only: anything more would join different words."""
    plural = word[4:] and word.endswith("s") and not word.endswith(("ss", "us", "is", "as"))
    return word[:-1] if plural else word


def _chinese(text: str) -> list[str]:
    plain = without_numbers(text)
    names = [name.lower() for name in _ASCII_NAME.findall(plain)]
    plain = _ASCII_NAME.sub(" ", plain)
    for word, common in _SAME_ZH:
        plain = plain.replace(word, common)
    han = _HAN.findall(_FILLERS_ZH.sub("", plain))
    emoji = re.findall("[\U0001f300-\U0001faff\u2600-\u27bf]", text)
    return [*han, *names, *emoji]
