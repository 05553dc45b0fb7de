"""Both languages: something of the person's is otherwise now. The last tables, for what no other rule knows.

What changed must be remembered, or what was remembered before goes on as if it held.
"""

from memory.choices import Subtype
from memory.text.exchange_signs import HABIT, SAYS_SO, SETTLED
from memory.write.patterns import Rule
from memory.write.rules_en import en
from memory.write.rules_zh import zh

# Of what is listed as having alternatives; see memory.text.exchanged.
EXCHANGED = Rule(
    name="exchanged", pattern=SAYS_SO, subtype=Subtype.FACT, confidence=0.75, weak=True
)
# What is used of them goes on until something takes its place; see ``in_use``.
IN_USE = (
    Rule(name="in_use", pattern=HABIT, subtype=Subtype.PREFERENCE, confidence=0.75, weak=True),
    Rule(name="settled", pattern=SETTLED, subtype=Subtype.DECISION, confidence=0.75, weak=True),
)
ZH: tuple[Rule, ...] = (
    zh(
        "changed",
        Subtype.FACT,
        r"(?:我们?(?:的|家)?|[，。,；;] ?(?:现在|新)?)[^，。！？,;!?]{0,14}(?:换成|换到|改成|改到|改为|改回|换回|搬回|迁回|推迟到|提前到|挪到|转学到|升级[到为成]"
        r"|迁移到|调整[到为])(?P<v>[^，。！？,;!?吗呢]{1,24})(?=[，。！,!]|\Z)",
        confidence=0.75,
        weak=True,
    ),
    zh(
        "other_now",
        Subtype.FACT,
        r"我们?(?:已经)?(?:换|改)(?:了|用|喝|吃|骑|坐|住|穿)?(?P<v>[^，。！？,;!?吗呢个一下]{1,16})了(?=[，。！,!]|\Z)|我(?:转行|跳槽)了"
        r"|我们?的?[^，。！？]{0,10}(?:计划|安排|地址|号码)[变改]了|我又?回到(?P<v2>[^，。！？]{2,14})(?:工作|上班|上学|住)",
        confidence=0.75,
        weak=True,
    ),
    zh(
        "ended",
        Subtype.FACT,
        r"我(?:和|跟|与)[^，。！？]{1,8}(?:分手|离婚|绝交)了?|我(?:的|家的?)[^，。！？]{1,12}(?:去世|过世|死|丢|报废|退役)了|我(?:已经)?不(?:再)?(?!想|知|懂|会|太|要"
        r"|能|行|敢|确|记|清|明|困|饿|累|舒|在|是)[学喝吃抽打玩练养开骑用做看去][^，。！？吗呢]{0,12}了(?=[，。！,!]|\Z)|我(?:已经)?戒[^，。！？]{0,8}了?",
        confidence=0.8,
        weak=True,
    ),
    zh(
        "corrected",
        Subtype.FACT,
        r"(?:说错了?|记错了?|更正一下|纠正一下|不对)[，,：:]? ?我们?[^，。！？]{0,12}(?:是|在|叫|有)[^，。！？吗呢]{1,24}",
        confidence=0.85,
    ),
    zh(
        "habit_now",
        Subtype.FACT,
        r"我现在(?:都|一般|每[天周月]|平时|早上|晚上|周[一二三四五六日末])[^，。！？吗呢]{2,24}|我现在[^，。！？]{0,8}(?:喜欢|改[骑坐吃喝用住穿])[^，。！？吗呢]{1,20}|我现在最[^，。！？]{1,8}的[^，。！？]{1,10}是[^，。！？]{1,16}",
        confidence=0.75,
        weak=True,
    ),
)

EN: tuple[Rule, ...] = (
    en(
        "changed",
        Subtype.FACT,
        r"~(?:my|our) [\w' -]{2,40}? (?:(?:is|are|was|were|has been|have been|got) )?(?:moved|postponed|rescheduled|pushed"
        r"|brought forward|changed|switched|renamed|replaced|upgraded|raised|lowered|cut)(?: back)? (?:to|with|by|for|until) (?P<v>[^.!?;\n]{1,60})"
        r"|~(?:i|we)(?:'ve| have)? (?:just )?(?:changed|switched|renamed|swapped|upgraded) (?:my|our|the) [\w' -]{2,40}? (?:to|for|with) (?P<v2>[^.!?;\n]{1,60})"
        r"|~(?:i|we)(?:'ve| have)? (?:changed (?:careers|jobs)|switched (?:from .{1,40} )?to)~[^.!?\n]{0,80}",
        confidence=0.75,
        weak=True,
    ),
    en(
        "now",
        Subtype.FACT,
        r"~i(?! (?:am|was|have to|need|want|see|know|get it|got|understand|think|feel|guess|hope|must|can|could|will|would|should|do|did|really|just)~)"
        r" (?:only )?(?:[a-z]+) [^.!?;\n]{2,80} (?:now|these days|nowadays|instead(?: of [^.!?;\n]{1,40})?)(?:[.!]|,|\Z)"
        r"|~(?:my|our) [\w' -]{2,40} (?:is|are|costs?) [^.!?;\n]{1,60} (?:now|these days)(?:[.!]|\Z)",
        confidence=0.7,
        weak=True,
    ),
    en(
        "no_more",
        Subtype.FACT,
        r"~i(?:'m| am) (?:not (?:an? )?[\w -]{2,30} any ?more|no longer [\w -]{2,40})~|~i (?:don't|do not|no longer) (?!know|think|want|need|have|see"
        r"|understand|remember|get|care|feel|mind)[\w' -]{2,60}(?: any ?more)(?:[.,!]|\Z)|~(?:my|our) [\w' -]{2,30} (?:died|passed away|moved out|broke down)~",
        confidence=0.8,
        weak=True,
    ),
    en(
        "corrected",
        Subtype.FACT,
        r"~(?:correction|i misspoke|(?:got|said) (?:it|that) wrong|that was wrong)[:,.]? (?:and )?(?:i'm|i am|my|our|i) ?[^.!?\n]{3,80}",
        confidence=0.85,
    ),
)
