"""Lists inside a sentence: "fencing, chess and swimming" without one of its items. Pure."""

import re
from collections.abc import Sequence

from memory.text.concepts import OPTIONAL, tokens

_BETWEEN = re.compile(
    r"(?P<comma>、|, ?(?!\d)|，)(?P<and>(?:and|or|以及|还有|和|及) ?)?"
    r"|(?P<word> (?:and|or|&) |(?<=[\u4e00-\u9fff])(?:和|与|以及|还有|跟)(?=[\u4e00-\u9fffA-Za-z]))"
)
_TAKES_OFF = re.compile(
    r"(?<![a-z])(?:remove|take|cross|delete|drop|strike) .{1,60} (?:off|from|out of) .{1,24}(?<![a-z])list"
    r"|(?:清单|列表|名单|单子).{0,4}(?:去掉|删掉|删除|划掉|移除|拿掉|去除|删去|划去)",
    re.IGNORECASE,
)
_LONGEST = 6  # words, or Chinese characters, of an item at an end of the list
_WORD = re.compile(r"[A-Za-z0-9]+(?:['’.-][A-Za-z0-9]+)*|[\u4e00-\u9fff]")
_END = re.compile(r"[\s。.!！]*\Z")


def takes_off(text: str) -> bool:
    """Whether a text asks to take something off a list."""
    return bool(_TAKES_OFF.search(text))


def without_item(text: str, item: frozenset[str]) -> str | None:
    """Return ``text`` without the item whose concepts are ``item``; None if no list in it has that item."""
    marks = list(_BETWEEN.finditer(text))
    if not marks or not item:
        return None
    starts = [0, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), len(text)]
    parts = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    between = [mark.group() for mark in marks]
    last = len(parts) - 1
    for at, part in enumerate(parts):
        if 0 < at < last and concepts(part) == item:
            return _joined([*parts[:at], *parts[at + 1 :]], _less(between, at))
        if at < last and (kept := _off_the_end(part, item)) is not None:
            return _joined(
                [*parts[:at], kept + parts[at + 1], *parts[at + 2 :]],
                between[:at] + between[at + 1 :],
            )
        if at > 0 and (kept := _off_the_front(part, item)) is not None:
            return _joined(
                [*parts[: at - 1], parts[at - 1] + kept, *parts[at + 1 :]], _less(between, at)
            )
    return None


def concepts(text: str) -> frozenset[str]:
    """Return what a piece of text says, without what may be left out."""
    return frozenset(token.name for token in tokens(text) if token.mark != OPTIONAL)


def _less(between: Sequence[str], at: int) -> list[str]:
    """Take out what joined item ``at`` to the one before it; the last joint stays the one it was."""
    joints = list(between)
    if at == len(joints) and at > 1:  # "a, b and c" without c is "a and b"
        return [*joints[: at - 2], joints[at - 1]]
    return [*joints[: at - 1], *joints[at:]]


def _joined(parts: Sequence[str], between: Sequence[str]) -> str:
    out = parts[0]
    for joint, part in zip(between, parts[1:], strict=True):
        out += joint + part
    return out


def _off_the_end(part: str, item: frozenset[str]) -> str | None:
    """Return the first part without the item at its end ("I coach fencing" without fencing)."""
    words = list(_WORD.finditer(part))
    for word in reversed(words[-_LONGEST:]):
        tail = concepts(part[word.start() :])
        if tail == item:
            return part[: word.start()]
    return None


def _off_the_front(part: str, item: frozenset[str]) -> str | None:
    """Return the last part without the item at its front ("swimming at the club" without swimming)."""
    found: str | None = None
    for word in list(_WORD.finditer(part))[:_LONGEST]:
        head = concepts(part[: word.end()])
        if head == item:
            found = part[word.end() :]
            break
    if found is None or not (_END.match(found) or found[0] in " 的，。,."):
        return None
    return found
