"""What a new statement makes untrue beside the memory it becomes: every copy of a claim, and its opposite.

A correction that reaches one of four copies leaves three to be acted on. So whatever says the opposite
of what is said now, repeats a value that was replaced, or names a thing that is gone, ends when the
new statement begins; a list loses the item that was dropped and keeps the others. Nothing is deleted,
and lower trust ends nothing that is believed more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile

from memory import access
from memory.choices import Kind, Origin, Reason, Trust
from memory.index.context import embed
from memory.models import Memory, Version
from memory.text.concepts import OPTIONAL
from memory.text.enumerations import concepts, takes_off, without_item
from memory.text.guard import content
from memory.text.normalise import clean
from memory.text.numbers import signature
from memory.text.perspective import first_person
from memory.text.stance import Reversal, gone, named, stopped, stops
from memory.write import store
from memory.write.beside import beside
from memory.write.case import Case, marks
from memory.write.proposal import Draft, begins_later, told
from memory.write.reworded import reworded

type Opened = access.OpenedMemory


@dataclass(frozen=True, slots=True)
class Settled:
    """A wording that was ended, or replaced by what is left of it, and until when it held before."""

    former: Version
    valid_to: datetime | None


def settle(case: Case, kept: Memory, *, old: str = "", mistaken: bool = False) -> Sequence[Settled]:
    """End what the draft, now in force as ``kept``, makes untrue; ``old`` is the wording it replaced.

    ``mistaken``: it never was so, since whenever its copies were told. Returns what was ended.
    """
    draft = case.draft
    if not old and not _ends_something(draft):
        return ()
    settled = []
    reversal = Reversal(draft.text)
    for one in beside(case, words=f"{draft.text}\n{old}"):
        if one.memory.id == kept.id or not _may_end(draft, one, mistaken=mistaken):
            continue
        if _is_over(draft, reversal, one, old):
            store.end(case, one.memory, one.version)
        elif left := _rest(draft, one):
            _shorten(case, one, left)
        else:
            continue
        settled.append(Settled(one.version, one.version.valid_to))
    return settled


def _ends_something(draft: Draft) -> bool:
    """Whether it says that something is over; an event has to say so in so many words."""
    if begins_later(draft):
        return False
    over = stopped(draft.text) if draft.kind == Kind.SEMANTIC else stops(draft.text)
    return bool(over or gone(draft.text))


def is_taken_off(draft: Draft) -> bool:
    """Whether the draft only takes something off a list: nothing to keep by itself."""
    return draft.proposal.attribute.startswith("list.") and takes_off(draft.text)


def take_off(case: Case) -> Sequence[Memory]:
    """Take what the draft names off its list; return the memories that were changed."""
    changed = []
    item = concepts(case.draft.proposal.value)
    for one in beside(case):
        if one.memory.attribute != case.draft.proposal.attribute:
            continue
        if not _may_end(case.draft, one, mistaken=False):
            continue
        if concepts(str(one.details.get("value", ""))) == item:
            store.end(case, one.memory, one.version)
        elif left := without_item(one.text, item):
            _shorten(case, one, left)
        else:
            continue
        changed.append(one.memory)
    return changed


def _may_end(draft: Draft, other: Opened, *, mistaken: bool) -> bool:
    """Whether the other was told before, by somebody who is believed no more."""
    begun = other.version.valid_from
    before = mistaken or begun is None or begun <= draft.proposal.source.said_at
    return before and other.memory.trust <= draft.trust


def _is_over(draft: Draft, reversal: Reversal, other: Opened, old: str) -> bool:
    if (draft.kind == Kind.SEMANTIC or stops(draft.text)) and reversal.of(other.text):
        return True
    if gone(draft.text) & named(other.text):
        return True
    return bool(old) and _repeats(other.text, old=old, new=draft.text)


def _repeats(text: str, *, old: str, new: str) -> bool:
    """Whether a text makes the claim of ``old`` that ``new`` has replaced: its value, of its topic."""
    was, now, said = _marks(old), _marks(new), _marks(text)
    replaced, topic = was - now, was & now
    if not replaced or not replaced <= said or (now - was) & said:
        return False
    return len(topic & said) >= min(len(topic), _ENOUGH) > 0


_ENOUGH = 2  # concepts of the topic that a copy of a claim shares with it


def _marks(text: str) -> frozenset[str]:
    return frozenset(_in_order(text)) | signature(text)[0]


def _rest(draft: Draft, other: Opened) -> str | None:
    """Return what is left of a list after one of its items was dropped; None if none was."""
    words = _in_order(other.text)
    for one in stopped(draft.text):
        if one.when:  # over at one time of day only
            continue
        begins = len(
            list(takewhile(lambda pair: pair[0] == pair[1], zip(one.of, words, strict=False)))
        )
        item = one.things - set(one.of[:begins]) - set(words[:1])
        if item and one.things <= set(words) and (left := without_item(other.text, item)):
            return left
    return None


def _in_order(text: str) -> list[str]:
    said = content(first_person(clean(text)))
    return [token.name for token in said if token.mark != OPTIONAL]


def _shorten(case: Case, one: Opened, text: str) -> None:
    """Give a list the wording without the item, from when that was said; it is believed as before."""
    source = replace(case.draft.proposal.source, origin=Origin(one.memory.origin))
    draft = reworded(case.principal, one, text, source, {})
    proposal = replace(draft.proposal, valid_from=told(case.draft))
    draft = replace(draft, trust=Trust(one.memory.trust), proposal=proposal)
    own = marks(case.vault, draft)
    if Memory.objects.said(case.principal, own.wording).exclude(id=one.memory.id).exists():
        store.end(case, one.memory, one.version)  # what would be left stands elsewhere already
        return
    meaning = embed(draft.index_text, None)
    shorter = replace(case, draft=draft, marks=own, meaning=meaning)
    store.supersede(shorter, one.memory, one.version, reason=Reason.CONFLICT)
