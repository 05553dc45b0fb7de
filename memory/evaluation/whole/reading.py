"""A file of sessions with what should come of them, of questions with their answers, and of tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memory.choices import KIND_OF_SUBTYPE, Role
from memory.errors import InvalidInput
from memory.evaluation import lines

MOST = 20_000  # lines of a file
# A task before its ids are looked up: its words, whose it is, and the ids it needs.
type _Wanted = tuple[str, tuple[str, str], Sequence[str]]
KINDS = frozenset(f"{kind}/{subtype}" for subtype, kind in KIND_OF_SUBTYPE.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """Something that should be written: from which turn, as what, and the words it must hold."""

    id: str
    turn: int
    holds: str
    kind: str = ""
    same_as: str = ""
    replaces: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delicate:
    """Words that must be held at least at a level; of level 50 nothing may be stored."""

    turn: int
    text: str
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One session of a person."""

    id: str
    person: tuple[str, str]
    at: datetime
    turns: Sequence[tuple[Role, str]]
    write: Sequence[Gold]
    sensitive: Sequence[Delicate]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a person is asked about when everything is told; without evidence there is no answer."""

    text: str
    person: tuple[str, str]
    evidence: Sequence[str]
    now: str
    old: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Words that hold now, and those that did before."""

    now: str
    before: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What a person wants done when everything is told, and what must be known to do it."""

    text: str
    person: tuple[str, str]
    needs: Sequence[Need]


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """A file: its sessions by time, its questions and its tasks."""

    sessions: Sequence[Conversation]
    questions: Sequence[Question]
    tasks: Sequence[Task]


def read(path: Path) -> Data:
    """Return what a JSONL file holds.

    Raises:
        InvalidInput: names the line that is not understood.
    """
    sessions: list[Conversation] = []
    questions: list[Question] = []
    tasks: list[_Wanted] = []
    for where, line in lines.numbered(path, "person"):
        if len(sessions) + len(questions) + len(tasks) >= MOST:
            raise InvalidInput(f"{path.name}: at most {MOST} lines.")
        try:
            if "ask" in line:
                questions.append(_question(line))
            elif "task" in line:
                tasks.append((_text(line["task"]), _person(line), _needs(line["needs"])))
            else:
                sessions.append(_session(line))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidInput(f"{where}: {error!r} is not understood.") from None
    if not sessions:
        raise InvalidInput(f"{path.name}: no session in it.")
    golds = _golds(path.name, sessions, questions, tasks)
    return Data(
        sessions=sorted(sessions, key=lambda one: one.at),
        questions=questions,
        tasks=[
            Task(text=text, person=person, needs=[_need(golds, one) for one in needs])
            for text, person, needs in tasks
        ],
    )


def _session(line: Mapping[str, Any]) -> Conversation:
    at = datetime.fromisoformat(line["at"])
    if at.tzinfo is None:
        raise ValueError("at needs an offset")
    turns = [(Role(one["role"]), _text(one["text"])) for one in line["turns"]]
    if not turns:
        raise ValueError("turns is empty")
    return Conversation(
        id=str(line["session"]),
        person=_person(line),
        at=at,
        turns=turns,
        write=[_gold(one, len(turns)) for one in line.get("write", ())],
        sensitive=[_delicate(one, len(turns)) for one in line.get("sensitive", ())],
    )


def _person(line: Mapping[str, Any]) -> tuple[str, str]:
    return str(line.get("tenant", "")), str(line["person"])


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a text is missing")
    return value


def _turn(one: Mapping[str, Any], turns: int) -> int:
    turn = int(one["turn"])
    if not 0 <= turn < turns:
        raise ValueError(f"there is no turn {turn}")
    return turn


def _gold(one: Mapping[str, Any], turns: int) -> Gold:
    kind = str(one.get("kind", ""))
    if kind and kind not in KINDS:
        raise ValueError(f"{kind} is none of {', '.join(sorted(KINDS))}")
    return Gold(
        id=str(one["id"]),
        turn=_turn(one, turns),
        holds=_text(one["holds"]),
        kind=kind,
        **{name: str(one.get(name, "")) for name in ("same_as", "replaces")},
    )


def _delicate(one: Mapping[str, Any], turns: int) -> Delicate:
    return Delicate(turn=_turn(one, turns), text=_text(one["text"]), level=int(one["level"]))


def _question(line: Mapping[str, Any]) -> Question:
    evidence = [str(one) for one in line["evidence"]]
    return Question(
        text=_text(line["ask"]),
        person=_person(line),
        evidence=evidence,
        now=str(line.get("now", "")),
        old=str(line.get("old", "")),
    )


def _needs(value: Any) -> list[str]:
    if not isinstance(value, list) or not value:
        raise ValueError("needs is empty")
    return [str(one) for one in value]


def _need(golds: Mapping[str, Gold], name: str) -> Need:
    before: list[str] = []
    gold, seen = golds[name], {name}
    while (earlier := gold.replaces or gold.same_as) and earlier not in seen:
        gold = golds[earlier]
        seen.add(earlier)
        before.append(gold.holds)
    return Need(now=golds[name].holds, before=before)


def _golds(
    name: str,
    sessions: Sequence[Conversation],
    questions: Sequence[Question],
    tasks: Sequence[_Wanted],
) -> Mapping[str, Gold]:
    """Return all golds by id; ids that come twice and references to what is not there are refused."""
    people = {one.person for one in sessions}
    golds = [gold for one in sessions for gold in one.write]
    ids = {gold.id: gold for gold in golds}
    if len(ids) < len(golds):
        raise InvalidInput(f"{name}: an id of write comes twice.")
    named = [gold.same_as or gold.replaces for gold in golds if gold.same_as or gold.replaces]
    named += [one for question in questions for one in question.evidence]
    named += [one for _, _, needs in tasks for one in needs]
    if lost := set(named) - set(ids):
        raise InvalidInput(f"{name}: nothing has the id {min(lost)}.")
    over = {gold.replaces for gold in golds}
    if former := {one for _, _, needs in tasks for one in needs} & over:
        raise InvalidInput(f"{name}: a task needs {min(former)}, which holds no more.")
    asked = {one.person for one in questions} | {person for _, person, _ in tasks}
    if strangers := asked - people:
        raise InvalidInput(f"{name}: {min(strangers)[1]} is asked and has no session.")
    return ids
