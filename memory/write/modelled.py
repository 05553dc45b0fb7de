"""A language model reads a talk; the rules stand beside it.

It sees redacted text only, contact details as placeholders, and nothing the person wants left out.
What it answers is bound to the words it quotes: quotes must stand in their message, statements may
say no more than was said, and what the rules forbid stays forbidden.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from memory.choices import Kind, Reason, Role
from memory.policy import MODEL, WRITE
from memory.providers import chat, deadline
from memory.providers.chat import ChatModel, ModelGarbled, Question
from memory.text.normalise import Span
from memory.write.candidate import Candidate, Found, Refused, Talk, Turn
from memory.write.extractors import by_rules, shows_point
from memory.write.items import Item, candidate_of, kind_of, unmasked
from memory.write.masks import Masks
from memory.write.shape import INSTRUCTIONS, SCHEMA, shown

# What the rules refuse for these reasons no model may keep.
WALLS = (
    Reason.DO_NOT_REMEMBER,
    Reason.FORGET_WISH,
    Reason.INSTRUCTION_LIKE,
    Reason.WRONG_SPEAKER,
)
# And this it does not even get to see.
UNSEEN = (Reason.DO_NOT_REMEMBER, Reason.FORGET_WISH, Reason.INSTRUCTION_LIKE)
CUT = "[…]"
# A turn of which the rules say nothing else is not worth a question.
SETTLED = (*WALLS, Reason.SECRET, Reason.SMALL_TALK, Reason.PROCESS, Reason.EMPTY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A turn to read: what the rules found in it, its stretches that stay closed, and what is shown."""

    turn: Turn
    ruled: Sequence[Found]
    walls: Sequence[Refused]
    text: str


class ModelExtractor:
    """Asks a chat model; see the module's docstring."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    def wants(self, talk: Talk) -> bool:
        """Whether a memory point shows; the rest waits and is read together."""
        return any(shows_point(found) for found in by_rules(talk))

    def read(self, talk: Talk) -> list[list[Found] | None]:
        """See `memory.write.extractors.Extractor.read`.

        Turns that together yield only garbage are read one by one, so that a single one keeps nobody
        else from being heard.
        """
        try:
            return list(self._read(talk))
        except ModelGarbled:
            if len(talk.turns) == 1:
                raise
        return [self._alone(talk, number) for number in range(len(talk.turns))]

    def _alone(self, talk: Talk, number: int) -> list[Found] | None:
        deadline.check()
        before = [*talk.before, *talk.turns[:number]][-MODEL.before :]
        try:
            return self._read(Talk(before=before, turns=[talk.turns[number]]))[0]
        except ModelGarbled:
            return None

    def _read(self, talk: Talk) -> list[list[Found]]:
        ruled = by_rules(talk)
        if not any(map(_is_open, ruled)):
            return ruled
        masks = Masks(turn.text for turn in (*talk.before, *talk.turns))
        before, seen = _prepared(talk, masks)
        answer = self._model.ask(
            Question(
                name="memories",
                instructions=INSTRUCTIONS,
                content=shown(talk, [*before, *(one.text for one in seen)]),
                schema=SCHEMA,
                faults=lambda answer: _faults(answer, seen),
            )
        )
        proposed: list[list[Item]] = [[] for _ in seen]
        for item in answer["memories"]:
            proposed[_place(item, seen)].append(unmasked(item, masks))
        return [_joined(one, items, talk) for one, items in zip(seen, proposed, strict=True)]


def build() -> ModelExtractor:
    """The extractor of the settings ``LLM_*``; `ImproperlyConfigured` without address and model."""
    return ModelExtractor(chat.build(model=settings.LLM_EXTRACTION_MODEL))


def _is_open(found: Sequence[Found]) -> bool:
    """Whether a turn is worth a question: the rules have not settled all of it."""
    return any(isinstance(one, Candidate) or one.reason not in SETTLED for one in found)


def _prepared(talk: Talk, masks: Masks) -> tuple[list[str], list[Seen]]:
    """What is shown of the earlier turns, and the turns to read."""
    everything = [*talk.before, *talk.turns]
    ruled = by_rules(Talk(before=[], turns=everything))
    walls: list[list[Refused]] = [[] for _ in everything]
    for number, found in enumerate(ruled):
        for one in found:
            if isinstance(one, Refused) and one.reason in WALLS:
                # "Don't remember that": the refusal of a turn may mean the turn before it.
                elsewhere = one.event_id != everything[number].event_id and number > 0
                walls[number - elsewhere].append(one)
    seen = [
        Seen(turn=turn, ruled=found, walls=closed, text=masks.hide(_without(turn, closed)))
        for turn, found, closed in zip(everything, ruled, walls, strict=True)
    ]
    start = len(talk.before)
    return [one.text for one in seen[:start]], seen[start:]


def _without(turn: Turn, walls: Sequence[Refused]) -> str:
    """What may be shown of a turn: not what the person wants left out, nor endless text."""
    text = turn.text
    for wall in sorted(walls, key=lambda one: -one.quote_start):
        if wall.reason in UNSEEN:
            text = f"{text[: wall.quote_start]}{CUT}{text[wall.quote_end :]}"
    return text[: MODEL.longest]


def _place(item: Item, seen: Sequence[Seen]) -> int:
    """The number of the turn an item speaks of: where its quote stands, if its own number is wrong."""
    number: int = item["message"]
    if 0 <= number < len(seen) and item["quote"] in seen[number].text:
        return number
    found = [at for at, one in enumerate(seen) if item["quote"] and item["quote"] in one.text]
    return found[0] if len(found) == 1 else min(max(number, 0), len(seen) - 1)


def _faults(answer: Mapping[str, Any], seen: Sequence[Seen]) -> list[str]:
    return [
        f"memories[{at}]: the quote does not stand in message {item['message']} word for word."
        for at, item in enumerate(answer["memories"])
        if not item["quote"] or item["quote"] not in seen[_place(item, seen)].text
    ]


def _joined(seen: Seen, items: Sequence[Item], talk: Talk) -> list[Found]:
    """What model and rules found in a turn, in the order of the words it rests on."""
    modelled = [one for item in items if (one := _checked(item, seen, talk)) is not None]
    ruled = [
        _left(one) for one in seen.ruled if not any(_overlap(one, other) for other in modelled)
    ]
    return sorted([*modelled, *ruled], key=lambda one: one.quote_start)


def _left(ruled: Found) -> Found:
    """What the rules found and the model passed over: kept if the person asked for it in so many words."""
    if isinstance(ruled, Refused) or ruled.explicit:
        return ruled
    return _refused(Reason.NOT_USEFUL, Span(ruled.quote_start, ruled.quote_end, ""), ruled.event_id)


def _checked(item: Item, seen: Seen, talk: Talk) -> Found | None:
    """An item as candidate or refusal; None for what lies behind a wall, whose refusal is there."""
    turn = seen.turn
    start = turn.text.find(item["quote"]) if item["quote"] else -1
    if start < 0:
        return _refused(Reason.NOT_QUOTED, Span(0, 0, ""), turn.event_id)
    quote = Span(start, start + len(item["quote"]), item["quote"])
    if any(_crosses(wall, quote) for wall in seen.walls):
        return None
    if turn.role != Role.USER and kind_of(item) != Kind.EPISODIC:
        return _refused(Reason.WRONG_SPEAKER, quote, turn.event_id)
    explicit = any(
        isinstance(one, Candidate) and one.explicit and _crosses(one, quote) for one in seen.ruled
    )
    found = candidate_of(item, turn, quote, talk, explicit=explicit)
    if found.importance < WRITE.minimum_importance:
        return _refused(Reason.NOT_USEFUL, quote, turn.event_id)
    return found


def _refused(reason: Reason, span: Span, event_id: Any) -> Refused:
    return Refused(reason=reason, event_id=event_id, quote_start=span.start, quote_end=span.end)


def _overlap(one: Found, other: Found) -> bool:
    return one.quote_start < other.quote_end and other.quote_start < one.quote_end


def _crosses(one: Found, span: Span) -> bool:
    return one.quote_start < span.end and span.start < one.quote_end
