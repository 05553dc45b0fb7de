"""One item of a model's answer becomes a candidate, bound to the words it rests on."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, time
from typing import Any

from memory.choices import KIND_OF_SUBTYPE, Kind, Role, Sensitivity, Subtype
from memory.policy import IMPORTANCE, WRITE
from memory.text.normalise import Span, fold
from memory.text.when import resolve
from memory.write.candidate import Candidate, Talk, Turn
from memory.write.faithful import faithful
from memory.write.masks import Masks
from memory.write.matching import best, by_machine, candidate

type Item = Mapping[str, Any]

TEXTS = ("quote", "text", "value", "about", "condition")


def unmasked(item: Item, masks: Masks) -> Item:
    """Return an item with the contact details it speaks of back in place, and its texts trimmed."""
    texts = {name: masks.show(item[name]).strip() for name in TEXTS if item[name] is not None}
    return {**item, **texts}


def kind_of(item: Item) -> Kind:
    """Return the kind of the item's subtype."""
    return KIND_OF_SUBTYPE[Subtype(item["subtype"])]


def candidate_of(item: Item, turn: Turn, quote: Span, talk: Talk, *, explicit: bool) -> Candidate:
    """Return the candidate of an item whose ``quote`` was found in ``turn``.

    What rules see in the quote (days, conditions, whom it is about) holds; the model adds what they
    are blind to. A statement that says more than was said gives way to the quote.
    """
    text = _statement(item, quote, talk)
    if turn.role != Role.USER:
        told = by_machine(Subtype(item["subtype"]), turn, quote, at=turn.at)
        return replace(told, text=text, occurred=_day(item["occurred"], turn) or told.occurred)
    ruled = candidate(best(quote.text), turn, quote, text=text, at=turn.at, explicit=explicit)
    about = ruled.about or item["about"] or None
    known = replace(
        ruled,
        about=about,
        condition=_within(item["condition"], quote) or ruled.condition,
        confidence=min(_share(item["confidence"]) or ruled.confidence, WRITE.confirmed_confidence),
        sensitivity=Sensitivity(item["sensitivity"]) if item["sensitivity"] else None,
    )
    if kind_of(item) == Kind.EPISODIC:
        return _event(item, known, turn)
    return _fact(item, known, turn)


def _event(item: Item, ruled: Candidate, turn: Turn) -> Candidate:
    said = resolve(ruled.quote, turn.at) or _day(item["occurred"], turn)
    return replace(
        ruled,
        **_sort(item, explicit=ruled.explicit),
        attribute=None,
        value=None,
        condition=None,
        occurred=said or turn.at,
        valid_from=None,
    )


def _fact(item: Item, ruled: Candidate, turn: Turn) -> Candidate:
    attribute, value = ruled.attribute, ruled.value
    if ruled.about:
        attribute, value = None, None
    elif item["attribute"] and (said := _within(item["value"], Span(0, 0, ruled.quote))):
        attribute, value = item["attribute"], said
    return replace(
        ruled,
        **_sort(item, explicit=ruled.explicit),
        attribute=attribute,
        value=value,
        occurred=None,
        valid_from=ruled.valid_from or _day(item["valid_from"], turn),
    )


def _sort(item: Item, *, explicit: bool) -> dict[str, Any]:
    """Kind, subtype and weight. What the person asked to keep is never weighed away."""
    subtype = Subtype(item["subtype"])
    floor = IMPORTANCE[Subtype.DECISION] if explicit else 0.0
    weight = _share(item["importance"])
    return {
        "kind": KIND_OF_SUBTYPE[subtype],
        "subtype": subtype,
        "importance": max(IMPORTANCE[subtype] if weight is None else weight, floor),
    }


def _statement(item: Item, quote: Span, talk: Talk) -> str:
    said = "\n".join(turn.text for turn in (*talk.before, *talk.turns))
    text: str = item["text"]
    return text if text and faithful(text, quote=quote.text, said=said) else quote.text


def _within(words: str | None, quote: Span) -> str | None:
    """Words of the model's, if they stand in the quote."""
    return words if words and fold(words) in fold(quote.text) else None


def _share(value: object) -> float | None:
    """A number from 0 to 1, or None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None


def _day(text: str | None, turn: Turn) -> datetime | None:
    """The midnight of a day, in the person's zone; None if it is none."""
    try:
        day = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return datetime.combine(day.date(), time(), tzinfo=turn.at.tzinfo)
