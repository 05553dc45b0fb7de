"""Writing the parts: labelled, fenced as data, one line a memory. Pure."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from memory.choices import Role
from memory.context.values import Cited, Known, Part, Piece, Style, Turn
from memory.context.words import Words
from memory.policy import CONTEXT
from memory.sessions.points import Place, Point

FENCED = (
    Part.PROFILE.value,
    Part.MEMORY.value,
    Part.KNOWLEDGE.value,
    Part.SUMMARY.value,
    Part.TASK.value,
    "tool",
)
_OUR_TAG = re.compile(rf"[<＜](?=\s*/?\s*(?:{'|'.join(FENCED)})(?![a-z]))", re.IGNORECASE)


def fenced(label: str, tag: str, body: str) -> str:
    """Return ``body`` between the marks of ``tag``; whatever looks like our marks in it is defused."""
    return f"{label}\n<{tag}>\n{_OUR_TAG.sub('‹', body)}\n</{tag}>"


def one_line(text: str) -> str:
    """Return a text without line breaks, so that it cannot begin a line of its own."""
    return " ".join(text.split())


def known_line(known: Known, words: Words) -> str:
    """Return one memory as a line: what, when, and whose word it is if not the person's."""
    marks = [known.when.isoformat()] if known.when else []
    marks += [known.mark] if known.mark else []
    note = words.brackets.format(words.comma.join(marks)) if marks else ""
    return f"- {one_line(known.text)}{note}"


def cited_line(number: int, cited: Cited, words: Words) -> str:
    """Return one passage as a line: its number, where it stands, and what it says."""
    path = dict.fromkeys((cited.title, *cited.section))
    where = " › ".join(one_line(name) for name in path if name)
    page = words.page.format(cited.page) if cited.page else ""
    place = words.comma.join(part for part in (where, page) if part)
    return f"[{number}] {place}{words.colon}{one_line(cited.text)}"


ARROW = " → "


def summary_lines(points: Sequence[Point], words: Words) -> list[str]:
    """Return points as lines; what was replaced stands before what replaced it, if that is there."""
    places = {point.place for point in points}
    before: dict[Place, list[str]] = {}
    lines: list[str] = []
    for point in points:
        said = ARROW.join([*before.get(point.place, ()), point_text(point, words)])
        if point.by is not None and point.by in places:
            before.setdefault(point.by, []).append(said)
        else:
            lines.append(f"- {said}{words.replaced if point.by else ''}")
    return lines


def point_text(point: Point, words: Words) -> str:
    """Return one point: whose word it is if not the person's, and its day if it counts from it."""
    speakers = {Role.ASSISTANT: words.assistant, Role.TOOL: words.by_tool}
    who = one_line(point.name) or speakers.get(point.role, "")
    day = words.said.format(point.day) if point.day else ""
    return f"{who}{words.colon if who else ''}{one_line(point.text)}{day}"


def task_lines(task: Mapping[str, Any], words: Words) -> dict[str, str]:
    """Return a board's parts as lines, by name, in the order a model needs them."""
    return {
        name: f"{words.fields[name]}{words.colon}{_shown(task[name], name, words)}"
        for name in words.fields
        if name in task
    }


def _shown(value: Any, name: str, words: Words) -> str:
    if isinstance(value, list):
        earlier = len(value) - CONTEXT.done_steps if name == "done" else 0
        shown = value[earlier:] if earlier > 0 else value
        head = [words.more.format(earlier)] if earlier > 0 else []
        return "; ".join([*head, *(_item(one) for one in shown)])
    return _item(value)


def _item(value: Any) -> str:
    if isinstance(value, str):
        return one_line(value)
    return json.dumps(value, ensure_ascii=False)


def turn_piece(turn: Turn, words: Words) -> Piece:
    """Return a turn as it is sent. A tool's result goes as fenced data, in the user's role."""
    if turn.role == Role.TOOL:
        text = fenced(_tool_label(turn, words), "tool", turn.text)
        return Piece(part=Part.RECENT, role=Role.USER, text=text, is_data=True)
    named = f"{turn.name}{words.colon}" if turn.name and turn.role == Role.USER else ""
    return Piece(part=Part.RECENT, role=turn.role, text=named + turn.text)


def _tool_label(turn: Turn, words: Words) -> str:
    return f"{one_line(turn.name)}{words.colon}{words.tool}" if turn.name else words.tool


def sent(piece: Piece, style: Style, words: Words) -> str:
    """Return the words of a piece as ``style`` sends them; these are what is counted."""
    if style == Style.MESSAGES or piece.role == Role.SYSTEM or piece.is_data:
        return piece.text
    if style == Style.ANTHROPIC and piece.role == Role.USER:
        return piece.text
    speaker = words.user if piece.role == Role.USER else words.assistant
    return f"{speaker}{words.colon}{piece.text}"


type Spoken = tuple[Role, str]


def in_turn(pieces: Sequence[Piece], words: Words) -> tuple[str, list[Spoken]]:
    """Return system text, and messages that take turns and begin with the person's.

    So Anthropic's API wants them. What is said twice in a row is one message; the line about
    preferences goes before the new message, into the same one; an answer whose question is not shown
    stands with the system text, marked as the assistant's.
    """
    asks = any(piece.part == Part.QUERY for piece in pieces)
    system: list[str] = []
    spoken: list[tuple[Role, list[str]]] = []
    for piece in pieces:
        mine = piece.part == Part.REMINDER and asks
        role = Role.USER if mine else piece.role
        if role == Role.SYSTEM or (role == Role.ASSISTANT and not spoken):
            system.append(sent(piece, Style.ANTHROPIC, words))
        elif spoken and spoken[-1][0] == role:
            spoken[-1][1].append(piece.text)
        else:
            spoken.append((role, [piece.text]))
    return "\n\n".join(system), [(role, "\n\n".join(texts)) for role, texts in spoken]


def joined(pieces: Sequence[Piece], words: Words) -> str:
    """Return the whole context as one text."""
    return "\n\n".join(sent(piece, Style.TEXT, words) for piece in pieces)
