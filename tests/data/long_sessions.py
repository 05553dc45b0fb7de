"""Long invented conversations with marked facts, always the same ones: what a desk must not lose.

Each session has its language, a length, facts at places that the seed decides, one fact that a later
one replaces, and talk around them: questions, opinions, long answers, tool results of 20,000 tokens.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory.choices import Role

SESSIONS = 48
LENGTHS = (140, 160, 180, 200, 240, 300, 400, 500)
FACTS = 10
LANGUAGES = ("zh", "en", "mixed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One turn; ``marks`` are the words of it that must not get lost."""

    role: Role
    text: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LongSession:
    """A conversation; ``old`` and ``new`` are the values of the fact that was replaced."""

    number: int
    language: str
    lines: Sequence[Line]
    old: str
    new: str

    @property
    def marks(self) -> list[str]:
        """Everything that must be found again."""
        return [mark for line in self.lines for mark in line.marks]


ZH_FACTS = (
    "这个项目的预算定在 {n} 元，别超。",
    "合同编号是 {code}，发票也写这个。",
    "开会决定了，后端用 {tool}。",
    "{han}负责最后的验收。",
    "交付日期是 {month} 月 {day} 日。",
    "周会改在每周四 {clock}。",
    "接口最多 {n} 个并发，不能再多。",
    "门牌是 {code}，在二楼。",
    "供应商那边的联系人是{han}。",
    "我对{food}过敏，订餐的时候注意。",
    "以后周报都先写 {tool} 的数据。",
    "仓库一共租了 {n} 平方米。",
    "页面上不要出现{colour}。",
    "我们已经付了 {n} 元定金。",
)
EN_FACTS = (
    "The budget for this is {n} EUR, not more.",
    "The order number is {code}, put it on the invoice.",
    "We decided to go with {tool} for the backend.",
    "{name} signs off at the end.",
    "Delivery is due on {day} {month_en}.",
    "The weekly call is at {clock} from now on.",
    "No more than {n} requests per second, that is a hard limit.",
    "The dock is {code}, on the second floor.",
    "Our contact at the supplier is {name}.",
    "I'm allergic to {food_en}, so mind that with the catering.",
    "Please always start the report with {tool}.",
    "We rented {n} square metres of storage.",
    "Never use {colour_en} on the pages.",
    "We have paid a deposit of {n} EUR already.",
)
MIXED_FACTS = (
    "deadline 是 {month} 月 {day} 日，别忘了。",
    "我们决定 backend 用 {tool}。",
    "The contract number is {code}，合同里也是这个。",
    "budget 一共 {n} 元，hard limit。",
    "PM 是{han}，he signs off.",
)
SAID_BY_ASSISTANT = {
    "zh": ("已确认，单价定为 {n} 元。", "订单 {code} 已创建。"),
    "en": ("Confirmed: the unit price is set to {n} EUR.", "The order {code} has been created."),
}
REPLACED = {
    "zh": ("套餐定价 {old} 三档。", "不对，价格改成 {new}。"),
    "en": ("The three plans cost {old}.", "Actually, change the plans to {new}."),
}
TALK = {
    "zh": (
        "我觉得这个思路挺有意思的。", "昨天路上有点堵，到家很晚。", "你怎么看这件事？",
        "还有别的角度吗？", "这个说法我以前没听过。", "窗外的树叶都黄了。", "慢慢来，不着急。",
        "我昨天跑了 {some} 公里。", "楼下那只猫今天睡了 {some} 分钟。", "继续", "好的", "能不能再讲细一点？", "听起来还可以。",
    ),
    "en": (
        "That sounds like an interesting angle to me.", "Traffic was slow on the way home.",
        "What do you make of it?", "Is there another way to look at this?", "I had not heard that one.",
        "The leaves outside are all yellow.", "Let us take it slowly.", "I ran {some} miles yesterday.",
        "The cat downstairs slept for {some} minutes.",
        "go on", "ok", "Could you say a bit more about that?", "Fair enough, I suppose.",
    ),
}  # fmt: skip
ANSWERS = {
    "zh": (
        "可以从几个方面来看。先想清楚目的，再看手上有什么。最后才是怎么做。",
        "这要看具体情况。有人喜欢先动手，有人喜欢先想。两种都可以。",
        "换个角度说，重要的是节奏。太快容易乱，太慢容易散。",
    ),
    "en": (
        "There are a few ways to look at it. Start with the purpose, then look at what you have.",
        "It depends. Some people start with their hands, some with a plan. Both can work.",
        "Put differently, rhythm matters. Too fast gets messy, too slow falls apart.",
    ),
}
TOOLS = ("PostgreSQL", "SQLite", "Kafka", "Redis", "Grafana", "Terraform", "Figma", "Rust")
HAN = ("王小明", "李秋月", "赵一鸣", "陈思远", "周若兰", "吴承志", "孙晓峰", "郑佳怡")
NAMES = ("Ilse Maartens", "Bo Lindqvist", "Tove Aaker", "Marco Ferri", "Priya Nair", "Olu Adeyemi")
FOODS = (("花生", "peanuts"), ("虾", "shrimp"), ("芒果", "mango"), ("大豆", "soy"))
COLOURS = (("亮红色", "bright red"), ("荧光绿", "neon green"), ("深紫色", "dark purple"))
MONTHS = ("March", "April", "June", "September", "October", "December")


def sessions(count: int = SESSIONS) -> Iterator[LongSession]:
    """Return the first ``count`` sessions."""
    for number in range(count):
        yield _session(number)


def _session(number: int) -> LongSession:
    dice = random.Random(number)
    language = LANGUAGES[number % len(LANGUAGES)]
    turns = LENGTHS[number % len(LENGTHS)]
    old, new = _plan(dice), _plan(dice)
    first, second = (
        Line(role=Role.USER, text=text.format(old=old, new=new))
        for text in REPLACED[_tongue(dice, language)]
    )
    planted = [_fact(dice, language) for _ in range(FACTS)]
    places = sorted(dice.sample(range(0, turns - 22, 2), FACTS + 2))
    told = [first, *planted[: FACTS // 2], second, *planted[FACTS // 2 :]]
    at = dict(zip(places, told, strict=True))
    lines = [at.get(turn) or _talk(dice, language, turn) for turn in range(turns)]
    return LongSession(number=number, language=language, lines=lines, old=old, new=new)


def _plan(dice: random.Random) -> str:
    return "/".join(str(dice.randint(low, low * 9)) for low in (5, 40, 300))


def _tongue(dice: random.Random, language: str) -> str:
    return dice.choice(("zh", "en")) if language == "mixed" else language


def _fact(dice: random.Random, language: str) -> Line:
    tongue = _tongue(dice, language)
    food, colour = dice.choice(FOODS), dice.choice(COLOURS)
    month = dice.randint(0, 5)
    slots = {
        "n": str(dice.randint(101, 98_765)),
        "code": f"{dice.choice('ABCDEFGH')}{dice.choice('KLMNP')}-{dice.randint(1000, 99_999)}",
        "tool": dice.choice(TOOLS), "han": dice.choice(HAN), "name": dice.choice(NAMES),
        "month": str(month + 3), "month_en": MONTHS[month], "day": str(dice.randint(2, 28)),
        "clock": f"{dice.randint(8, 19)}:{dice.choice(('05', '15', '30', '45'))}",
        "food": food[0], "food_en": food[1], "colour": colour[0], "colour_en": colour[1],
    }  # fmt: skip
    role = Role.ASSISTANT if dice.random() < 0.15 else Role.USER
    if role == Role.ASSISTANT:
        template = dice.choice(SAID_BY_ASSISTANT[tongue])
    elif language == "mixed" and dice.random() < 0.5:
        template = dice.choice(MIXED_FACTS)
    else:
        template = dice.choice(ZH_FACTS if tongue == "zh" else EN_FACTS)
    marks = tuple(value for name, value in slots.items() if f"{{{name}}}" in template)
    around = _small(dice, tongue) if dice.random() < 0.3 and role == Role.USER else ""
    text = template.format(**slots)
    return Line(role=role, text=f"{text} {around}".strip(), marks=marks)


def _talk(dice: random.Random, language: str, turn: int) -> Line:
    tongue = _tongue(dice, language)
    if turn % 2 == 0:
        return Line(role=Role.USER, text=_small(dice, tongue))
    if dice.random() < 0.02:
        return Line(role=Role.TOOL, text=_rows(dice))
    return Line(role=Role.ASSISTANT, text=dice.choice(ANSWERS[tongue]))


def _small(dice: random.Random, tongue: str) -> str:
    """Talk of the moment, with a number now and then that nobody needs again."""
    return dice.choice(TALK[tongue]).format(some=dice.randint(2, 99))


def _rows(dice: random.Random) -> str:
    """A result of about 20,000 tokens, as long as one message may be."""
    rows = (
        f"G{dice.randint(1, 999)},{dice.randint(6, 22)}:{dice.randint(10, 59)},{dice.randint(90, 900)}.5;"
        for _ in range(1700)
    )
    return "\n".join(rows)[:31_900]
