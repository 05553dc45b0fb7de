"""What stands on a desk, for tests that lay it out."""

import uuid
from datetime import UTC, datetime
from typing import Any

from memory.choices import Role
from memory.context.values import Cited, Desk, Known, Turn
from memory.sessions.compaction import Summarised
from memory.sessions.points import Point

AT = datetime(2026, 11, 3, 9, tzinfo=UTC)
NUMBERS = iter(range(1, 10**6))


def known(text: str, **more: Any) -> Known:
    return Known(memory_id=uuid.UUID(int=next(NUMBERS)), text=text, **more)


def cited(text: str, **more: Any) -> Cited:
    at = {"page": None, "start": 0, "end": len(text), "revision": 1}
    place = {"title": "手册 Guide", "section": ("手册 Guide", "山 Hills")}
    return Cited(document_id=uuid.UUID(int=next(NUMBERS)), text=text, **(at | place | more))


def turn(role: Role, text: str, **more: Any) -> Turn:
    return Turn(event_id=uuid.UUID(int=next(NUMBERS)), role=role, text=text, at=AT, **more)


def summed(*texts: str) -> Summarised:
    told = [
        Point(event_id=uuid.UUID(int=next(NUMBERS)), start=0, text=text, role=Role.USER, weight=1)
        for text in texts
        if text
    ]
    return Summarised(points=told, event_ids=frozenset(one.event_id for one in told), version=1)


def exchange(number: int, *, size: int = 1) -> list[Turn]:
    return [
        turn(Role.USER, f"问题{number} question " * size),
        turn(Role.ASSISTANT, f"回答{number} answer " * size),
    ]


def fact(number: int) -> list[Turn]:
    return [
        turn(Role.USER, f"第 {number} 号仓库的租金是 {number}00 元。"),
        turn(Role.ASSISTANT, "好的，还有别的要看看吗？" * 8),
    ]


FULL = Desk(
    language="zh",
    system="你是一个助手。",
    query="周末去哪儿玩？",
    profile=[known("对花生过敏", binding=True)],
    memory=[known("喜欢爬山"), known("Works at a bank", mark="推断")],
    knowledge=[cited("爬山请带水。"), cited("Open until 18:00.", page=3)],
    summary=summed("上次谈到预算 300 元。"),
    task={"goal": "安排周末", "done": ["查天气"], "status": "open"},
    exchanges=[exchange(number) for number in range(3)],
)
