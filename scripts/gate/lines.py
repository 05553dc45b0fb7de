"""The lines the gate's classifier is trained on: drawn and put together from the .txt files beside this.

All of it was written for this project. A line is (text, the turn before it, worth keeping or not).
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
FILL = {
    "CITY": [
        "北京",
        "上海",
        "广州",
        "深圳",
        "杭州",
        "南京",
        "苏州",
        "成都",
        "重庆",
        "武汉",
        "西安",
        "长沙",
        "郑州",
        "合肥",
        "厦门",
        "福州",
        "青岛",
        "济南",
        "大连",
        "沈阳",
        "哈尔滨",
        "长春",
        "昆明",
        "贵阳",
        "南宁",
        "海口",
        "兰州",
        "银川",
        "太原",
        "石家庄",
        "无锡",
        "宁波",
        "温州",
        "绍兴",
        "徐州",
        "洛阳",
        "桂林",
        "珠海",
        "佛山",
        "东莞",
        "惠州",
        "泉州",
        "赣州",
        "绵阳",
        "遵义",
        "大理",
        "包头",
        "呼和浩特",
        "东北",
        "四川",
        "湖南",
        "江西",
        "山东",
        "河北",
        "甘肃",
        "新疆",
        "内蒙",
        "台北",
        "香港",
        "澳门",
    ],
    "LAND": ["韩国", "日本", "泰国", "英国", "德国", "美国", "意大利", "越南", "法国", "俄罗斯"],
    "SIGN": [
        "白羊",
        "金牛",
        "双子",
        "巨蟹",
        "狮子",
        "处女",
        "天秤",
        "天蝎",
        "射手",
        "摩羯",
        "水瓶",
        "双鱼",
    ],
    "GIRL": ["女生", "姑娘", "妹子", "女孩子", "少女", "宝宝"],
    "BOY": ["男生", "汉子", "小伙"],
}
_CHOICE = re.compile(r"\{([^{}]*)\}")
_SLOT = re.compile(r"<([A-Z]+)>")
Line = tuple[str, bool]
OFTEN = 0.6
# The sections whose lines are worth keeping, and how often a frame of a file is drawn by itself.
WORTH = ("fact", "own", "project", "self", "keep")
TIMES = {
    "en_talk": 3,
    "zh_talk": 3,
    "en_task": 3,
    "zh_task": 3,
    "en_plain": 6,
    "zh_plain": 6,
    "zh_social": 8,
}


def sections(name: str) -> dict[str, list[str]]:
    """Return the frames of a file by section."""
    found: dict[str, list[str]] = {}
    for line in (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            found[line.strip("[]")] = []
        elif line and not line.startswith("#"):
            found[list(found)[-1]].append(line.replace("\\n", "\n"))
    return found


def drawn(frame: str, draw: random.Random) -> str:
    """Return one of the sentences a frame stands for."""
    text = _CHOICE.sub(lambda m: draw.choice(m[1].split("|")), frame)
    return _SLOT.sub(lambda m: draw.choice(FILL[m[1]]), text)


def drawn_of(wanted: dict[str, str], count: int, seed: int = 11) -> list[str]:
    """Return ``count`` different sentences of one section in each of some files."""
    draw = random.Random(seed)  # noqa: S311 - sentences, not secrets
    frames = [frame for file, section in wanted.items() for frame in sections(file)[section]]
    found: dict[str, None] = {}
    while len(found) < count:
        found[drawn(draw.choice(frames), draw)] = None
    return list(found)


def lines(seed: int = 7) -> Iterator[Line]:
    """Yield every line, the same ones for one seed."""
    draw = random.Random(seed)  # noqa: S311 - sentences, not secrets
    yield from _alone(draw)
    for file in ("en_talk", "zh_talk"):
        yield from _talk(sections(file), draw, gap=" " if file == "en_talk" else "")
    for file in ("en_task", "zh_task"):
        yield from _task(sections(file), draw, gap=" " if file == "en_task" else "")


def _alone(draw: random.Random) -> Iterator[Line]:
    """Each frame by itself, a few times."""
    for file, times in TIMES.items():
        for section, frames in sections(file).items():
            for frame in frames:
                for text in dict.fromkeys(drawn(frame, draw) for _ in range(times)):
                    yield text, section in WORTH


def _talk(
    parts: dict[str, list[str]], draw: random.Random, *, gap: str, count: int = 170
) -> Iterator[Line]:
    """Turns of a long talk: what somebody tells between thanks and questions, or only those."""

    def one(name: str) -> str:
        return drawn(draw.choice(parts[name]), draw)

    for _ in range(count):
        told = [one("react")] * (draw.random() < OFTEN) + [one("fact")]
        told += [one(draw.choice(["fact", "truth", "ask", "later"]))] * (draw.random() < OFTEN)
        yield gap.join(told), True
        plan = draw.choice(
            [
                ["react", "ask"],
                ["react", "truth"],
                ["react", "react", "ask"],
                ["react", "later"],
                ["truth", "ask"],
                ["react", "truth", "later"],
            ]
        )
        yield gap.join(one(name) for name in plan), False


def _task(
    parts: dict[str, list[str]], draw: random.Random, *, gap: str, count: int = 200
) -> Iterator[Line]:
    """Turns to an assistant: somebody's own case with a request, or a request alone."""

    def one(name: str) -> str:
        return drawn(draw.choice(parts[name]), draw)

    for _ in range(count):
        told = [one("opener")] * (draw.random() < OFTEN)
        told += [one(draw.choice(["own", "own", "project"])) for _ in range(draw.choice([1, 1, 2]))]
        told += [one("request")] * (draw.random() < OFTEN)
        glue = draw.choice([gap, gap, "\n\n" if gap else "\n"])
        yield glue.join(told), True
        plan = draw.choice(
            [
                ["request"],
                ["request", "request"],
                ["request", "paste"],
                ["paste"],
                ["process"],
                ["process", "request"],
                ["lead"],
                ["complaint", "complaint"],
                ["opener", "complaint"],
            ]
        )
        yield glue.join(one(name) for name in plan), False
