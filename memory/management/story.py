"""The demo: some weeks of one bilingual person, Lin, as she talks to her assistant.

Written for this project. Days count back from today, so that the story is always recent.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One conversation: how many days ago, and its turns as (role, text)."""

    name: str
    days_ago: int
    turns: tuple[tuple[str, str], ...]


SCENES: tuple[Scene, ...] = (
    Scene(
        "first meeting",
        28,
        (
            ("user", "你好！我叫林悦，叫我小林就行。"),
            ("assistant", "你好，小林，很高兴认识你。"),
            ("user", "我住在杭州，在一家物流公司做产品经理。"),
            (
                "user",
                "I'm allergic to peanuts, so please keep that in mind for anything with food.",
            ),
            ("user", "今天有点冷。"),
        ),
    ),
    Scene(
        "how to work together",
        24,
        (
            ("user", "以后所有报告都用中文写，先给数字。"),
            ("assistant", "好的，以后报告用中文，先列数字。"),
            ("user", "From now on, keep answers short and skip the emoji."),
            ("user", "What is the capital of Mongolia?"),
            ("assistant", "Ulaanbaatar."),
            ("user", "谢谢！"),
        ),
    ),
    Scene(
        "the project",
        17,
        (
            ("user", "我们的项目部署在阿里云上，数据库是 PostgreSQL 16。"),
            ("user", "We decided to go with three plans at 19/49/199 yuan."),
            ("user", "My staging password is Tr0ub4dor&3, don't lose it."),
            ("user", "如果我是老板，我就给大家放一个月假。"),
        ),
    ),
    Scene(
        "weekend",
        9,
        (
            ("user", "我喜欢爬山，周末一般去西湖边走走。"),
            ("user", "My sister is vegan, and she is visiting in May."),
            ("user", "哈哈，我是火星人，别当真。"),
            ("user", "When I fly I always take a window seat."),
        ),
    ),
    Scene(
        "news",
        3,
        (
            ("user", "我上周搬到上海了。"),
            ("assistant", "恭喜搬家！"),
            ("user", "I prefer aisle seats on long flights now."),
            ("user", "我对花生过敏，点餐的时候帮我留意。"),
        ),
    ),
)

# What the assistant worked out by itself: (text, subtype). What would change how agents behave waits
# for Lin; the rest is used and labelled as worked out.
GUESSES: tuple[tuple[str, str], ...] = (
    ("Lin wants a short summary every Friday afternoon.", "instruction"),
    ("开会前先把议程发给小林。", "instruction"),
    ("Lin is probably planning a trip by plane this spring.", "goal"),
)

QUESTIONS: tuple[str, ...] = (
    "What language should the weekly report be written in?",
    "推荐一份早餐",
    "Where does she live now?",
    "我们的数据库是什么？",
    "What is the boiling point of water?",
)

# The one that is erased to show that it is gone.
ERASE_QUESTION = "What language should the report be written in?"
