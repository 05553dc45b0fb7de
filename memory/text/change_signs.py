"""The words by which people say that something is otherwise now, in both languages."""

import re
from collections.abc import Iterator

_B, _E = "(?<![a-z])", "(?![a-z])"


def _r(zh: str, en: str) -> re.Pattern[str]:
    return re.compile(f"{zh}|{_B}(?:{en}){_E}" if zh else f"{_B}(?:{en}){_E}")


# Patterns that try each character as a beginning, and what must stand in a text for them to find anything.
_VERBS: dict[re.Pattern[str], re.Pattern[str]] = {}


def _before(what: str, verb: str) -> re.Pattern[str]:
    """Return the pattern for ``what`` (x) stands before a verb."""
    pattern = re.compile(f"(?P<x>{what}){verb}")
    _VERBS[pattern] = re.compile(verb)
    return pattern


def found(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Return what a pattern finds; where its verb is missing it is not tried, which would take long."""
    verb = _VERBS.get(pattern)
    return pattern.finditer(text) if verb is None or verb.search(text) else iter(())


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


USER = re.compile("用户(?![们群体量数端界名反])")
CHANGED = _r(
    "现在|如今|目前|改|换|变成|不再|搬|迁|升级|降级|调整|推迟|延期|提前|增加到|涨(?:到|了|价了)|降到|更名|转行|跳槽|以后|今后|新(?=的|室友|老板|导师|版)"
    "|分手|离婚|结婚|去世|取消|停止|卸载|戒|又[^，。]{0,4}回|只(?=[^，。]{0,3}[0-9一二两三四五六七八九十])",
    "now|nowadays|these days|any ?more|no longer|instead|from now on|new|again|back (?:to|on|in)|moved?|switched|changed"
    "|migrated|upgraded|replaced|renamed|relocated|postponed|slipped|raised|lowered|increased|reduced|went back|gave up"
    "|quit|stopped|cancell?ed|sold|left|died|broke up|split up|uninstalled",
)
SINCE = _r(
    "以来|开始|(?<!一)起(?![床来])|入职|加入", "since|as of|start(?:ed|ing)|began|joined|became"
)
WRONG = _r(
    "更正|纠正|[说记写弄讲]错|不对",
    "correction|misspoke|(?:that was|got (?:it|that)|noted) wrong(?:ly)?",
)
# One more is no other.
ADDS = re.compile(
    r"也|还(?=[在要想会有喜用上])|又(?![^，。]{0,6}回)|另外|可以(?=用|付|支付)|(?<![a-z])(?:also|as well|another|besides|can (?:use|pay)|instead (?:today|yesterday|this (?:morning|afternoon|evening)))(?![a-z])|(?<![a-z])too[.!]*\Z"
)
# What says how it changed, and is no part of what changed.
ABOUT_CHANGE = _r(
    "更正一下|更正|纠正|(?:我|之前|刚才)*[说记写弄讲]错了?|不对|改(?:成|为|到|用|去|吃|喝|住|坐|回|卖|骑)?|换(?:成|回|到|了)?|变成|不再|又|迁移?[到回]?"
    "|升级[到为成]?|调整[到为成]?|推迟到|提前到|增加到|涨到|降到|更名为|新的?|只",
    "correction|sorry|actually|i misspoke|i got that wrong|that was wrong|noted wrongly before|these days|any ?more|no longer"
    "|instead|new|again|back|(?:was |been |has been )?(?:moved|switched|changed|migrated|upgraded|replaced|renamed|relocated"
    "|postponed|slipped|raised|lowered|increased|reduced)(?: (?:to|with))?|only|(?:i'm |i am )?plan(?:s|ning)? to",
)
NUMBER = re.compile(
    "[0-9一二两三四五六七八九十百千万]|"
    + _B
    + "(?:one|two|three|four|five|six|seven|eight|nine|ten)"
    + _E
)
CLAUSE = re.compile("[^，。；;,:：.!！?？]+(?:[.,](?=[0-9])[^，。；;,:：.!！?？]+)*")

# What is taken back (x), up to the end of its clause: it has ended, it is asked for no more, …
_END = r"(?= and | but | any ?more| instead|[.,;:]|\Z)"
ENDED = (
    re.compile(r"不再(?:是|有)?(?P<x>[^，。；,;]+)"),
    re.compile(r"(?:戒|取消|退订|卸载|停止|放弃|告别|卖掉?|停用|离开|辞去)了?(?P<x>[^，。；,;]+)"),
    _before("[^，。；,;]{1,20}?", "(?:去世|搬走|离职|坏|丢|报废|过世|死)了"),
    re.compile(r"(?:和|跟|与)(?P<x>[^，。；,;]{1,12})(?:分手|离婚|绝交)"),
    re.compile(r"从(?P<x>[^，。；,;]{1,20}?)(?:换|改|迁|搬|转|调|离职|辞职|升级)"),
    re.compile(
        _B + r"(?:no longer|stopped|quit|gave up|cancell?ed|uninstalled|sold|left|dropped|instead of|no more)" + _E
        + r" (?P<x>[^.,;:]+?)" + _END
    ),
    _before("[^.,;:]+?", " (?:died|moved out|passed away|broke down)" + _E),
    _before("[^.,;:]+?", " and i (?:broke up|split up|divorced)" + _E),
    re.compile(
        _B + r"(?:switched|moved|migrated|changed|relocated)" + _E + r"[^.,;:]*? from (?P<x>[^.,;:]+?)(?= to |[.,;:]|\Z)"
    ),
    re.compile(r"(?:别|勿|不用|不要|别再)(?![过人的])(?P<x>[^，。；,;不]{1,20})"),
    re.compile(_B + r"(?:don't|do not|never|no)" + _E + r" (?P<x>[^.,;:]+?)" + _END),
)  # fmt: skip
# … or it is denied.
DENIED = (
    re.compile(r"不(?!过|同|仅|但|对|错|管|如|再|用|要)(?P<x>[^，。；,;不]{1,20})"),
    re.compile(_B + r"(?:not|can't|cannot|without)" + _E + r" (?P<x>[^.,;:]+?)" + _END),
)
FROM = re.compile(
    r"从(?P<x>[^，。；,;]{1,20}?)(?:换|改|迁|搬|转|调)|"
    + _B + r"(?:switched|moved|migrated|changed|went)" + _E + r"[^.,;:]*? from (?P<y>[^.,;:]+?)(?= to |[.,;:]|\Z)"
)  # fmt: skip
WENT_BACK = _r("[改换搬迁]回", "(?:went|moved|switched|changed|came) back (?:to|on)")
# "I drink americanos now": the verb is all that is said of the change.
OTHER_VERB = re.compile("改(?:回)?(?P<v>[吃喝用住坐骑开穿])")
# … and so only then.
ONLY_WHEN = re.compile(
    "[雨雪晴热冷阴]天|(?:的时候|时)(?=[，我改])|早上|早晨|中午|下午|晚上|周[一二三四五六日末]|周末|节假日|出差"
)
EXCHANGED = re.compile(
    r"换(?:了|过)?(?P<x>[^，。；,;了成为到回]{1,10})了|" + _B + r"(?:changed|switched|replaced|migrated|upgraded|renamed|swapped"
    r"|got an?|bought an?)" + _E + r" (?:my |our |the )?(?P<y>[^.,;:]+?)(?= to | with | from | for | and |[.,;:]|\Z)"
)  # fmt: skip

# Between what is spoken of and what is said of it.
IS = re.compile(
    "(?<![不还就可但])是|(?<![别不])叫|：|: |" + _B + r"(?:is|are|was|were|am)" + _E + "|'s (?=(?:an?|the|on|in|at|now|called)" + _E + ")"
)  # fmt: skip
CHANGES = _r(
    "从|改|换|变成|升级|推迟|提前|增加|调整|涨|降|迁|搬|更名|又",
    "moved|changed|switched|became|has been|slipped",
)
HAS = _r("(?<![现正实存])在|为|(?<!不)用", "costs?|will be|uses?|sells?|got")

# What one may have several of, unless it is the one above all.
SEVERAL = _r(
    "喜欢|爱|会[说讲做弹]|有|养|学|过敏|去过|买|读|看",
    "likes?|loves?|enjoys?|speaks?|knows?|ha(?:ve|s)|owns?|learn(?:s|ing)?|stud(?:y|ies|ying)|allergic|visit(?:s|ed)?|bought"
    "|paid|read(?:s|ing)?",
)
ONE = _r("最喜欢|最爱|偏好|首选", "favou?rite|prefer(?:s|red)?")

# Where one lives; what one does for a living: (so it was, so it is).
TOPICS = (
    (
        _r("我(?:们)?(?:现在|已经)?(?:住在?|家?在[^，。]{1,6}租房|家在|定居|搬[到去])", r"i(?:'m| am)? (?:live|based|moved to|relocated to)|my home is"),
        _r("我(?:们)?[^，。妈爸司店室队]{0,5}搬(?:家|到|去|回)", r"(?:i|we)(?:'ve)? (?:moved(?! (?:to )?(?:the|my|our|it))|relocated)|i live in"),
    ),
    (
        _r("我(?:现在)?是一?[名个位]|我(?:现在)?在[^，。]{1,12}(?:工作|上班)|我跳槽到", r"i(?:'m| am) an?|i work"),
        _r("我?(?:转行|跳槽)|我又回到[^，。]{1,12}工作", r"changed (?:careers|jobs)|i quit [a-z]+ing and work|i work (?:at|for) .{1,40} (?:now|again)"),
    ),
)  # fmt: skip

# Concepts that tell no two statements apart.
GENERIC = _words(
    "use live job have do go goe get work eat drink food some all 去 用 家 里 的 吃 喝 不 别 not"
)
KIN = _words(
    "wife husband mother father parents son daughter children child baby sister brother younger_sister older_sister"
    " younger_brother older_brother siblings grandmother grandfather uncle aunt cousin"
)
WHEN = _words("daily weekly monthly yearly weekend weekday morning evening noon night")
