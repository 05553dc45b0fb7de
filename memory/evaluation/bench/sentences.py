"""Short texts in Chinese and English, as people say them to an agent; the same ones in every run."""

import random

_ENGLISH = (
    ("I", "My sister", "Our team lead", "The neighbour's son", "My dentist"),
    ("moved to", "works in", "flew to", "wants to study in", "bought a flat in"),
    ("Lisbon", "Osaka", "a village near Kraków", "the north of Chile", "Shenzhen"),
    ("last spring", "in March", "because of the new job", "with two cats", "for good"),
)
_CHINESE = (
    ("我", "我妹妹", "我们组长", "楼下的邻居", "我的牙医"),
    ("上个月搬到了", "打算去", "一直在", "明年要调到", "刚刚离开"),
    ("成都", "里斯本", "苏州的老城区", "深圳南山", "新西兰的一个小镇"),
    ("工作", "开一家书店", "照顾父母", "学做陶艺", "跑马拉松"),
)
_QUESTIONS = (
    "Where does {} live now?",
    "What did {} say about the job?",
    "{}现在住在哪里？",
    "{}今年有什么打算？",
)


def passages(count: int) -> list[str]:
    """Return ``count`` texts of one or two sentences, half of them Chinese."""
    drawn = random.Random(20)  # noqa: S311 - the same texts every time
    return [_text(drawn, chinese=number % 2 == 1) for number in range(count)]


def questions(count: int) -> list[str]:
    """Return ``count`` questions, half of them Chinese."""
    drawn = random.Random(21)  # noqa: S311 - the same texts every time
    return [
        _QUESTIONS[number % 4].format(
            drawn.choice((_ENGLISH if number % 4 < 2 else _CHINESE)[0])  # noqa: PLR2004 - half of them
        )
        for number in range(count)
    ]


def _text(drawn: random.Random, *, chinese: bool) -> str:
    parts, space, stop = (_CHINESE, "", "。") if chinese else (_ENGLISH, " ", ". ")
    sentences = [
        space.join(drawn.choice(part) for part in parts) + stop
        for _ in range(drawn.choice((1, 1, 2, 3)))
    ]
    return f"{''.join(sentences).strip()} #{drawn.randrange(100_000)}"
