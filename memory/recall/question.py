"""What a recall asks for: the words to search with, the time it means, and the past or the present.

The question is the task, not only its last sentence. One that leans on what was said before ("is there
a PDF of the first one?") takes the turns before it along. Pure: ``now`` comes in, in the person's zone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.policy import QUESTION
from memory.recall.values import RecallQuery, Said
from memory.text import asking, slots
from memory.text.calendar import Span
from memory.text.dialogue import said_by_person
from memory.text.perspective import first_person


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked: ``text`` by its words, ``meaning`` by its meaning, as the person would ask it.

    ``times``: the stretches the question means, alternatives of each other. ``back``: they are over.
    ``said``: they are those of a talk, not of what was talked about. ``open``: the time (or, without
    one, "go on") is all that is asked for. ``before``: how it was before is asked for. ``slots``: the
    attributes that are asked for by name.
    """

    text: str
    meaning: str
    times: Sequence[Span] = ()
    back: bool = False
    said: bool = False
    open: bool = False
    before: bool = False
    slots: frozenset[str] = frozenset()


def understand(query: RecallQuery, *, now: datetime) -> Question:
    """Return what ``query`` asks for."""
    asked = query.text
    times = asking.asked_spans(asked, now)
    topic = asking.topic_of(asked, now) if times or asking.continues(asked) else asked
    only_time = not topic and not query.task
    return Question(
        text=_with_context(query, query.text),
        meaning=_with_context(query, first_person(said_by_person(query.text))),
        times=times,
        back=bool(times) and (asking.looks_back(asked) or _over(times, now)),
        said=asking.asks_what_was_said(asked),
        open=only_time,
        before=asking.asks_for_before(asked),
        slots=frozenset() if only_time else slots.asked(asked),
    )


def _over(times: Sequence[Span], now: datetime) -> bool:
    return all(one.end is not None and one.end <= now for one in times)


def _with_context(query: RecallQuery, asked: str) -> str:
    """Return the question, and after it what it leans on: the latest turns, and the task."""
    parts = [asked]
    if query.turns and asking.leans(query.text):
        parts += [_short(turn) for turn in reversed(query.turns[-QUESTION.turns :])]
    if query.task:
        parts.append(query.task)
    return "\n".join(part for part in parts if part.strip())


def _short(turn: Said) -> str:
    return turn.content[: QUESTION.turn_length]
