"""What a draft takes the place of, where it names neither what was nor a slot: "we moved to SQLite"."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory import access
from memory.choices import Kind
from memory.text.exchanged import exchange
from memory.write.beside import beside
from memory.write.case import Case
from memory.write.proposal import begins_later

TEAM = "team"  # what "our team decided" is about; "we" say what became of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanged:
    """The memory whose thing was exchanged, and ``others`` that say the same of it.

    Unless ``plain``, another thing may be meant as well.
    """

    current: access.OpenedMemory
    others: Sequence[access.OpenedMemory]
    plain: bool


def exchanged(case: Case) -> Exchanged | None:
    """Return what is meant, the nearest; it is plain if only one thing could be, or one is for the same use."""
    if case.draft.kind != Kind.SEMANTIC or begins_later(case.draft):
        return None
    if (said := exchange(case.draft.text)) is None:
        return None
    near = beside(case, words=said.words(), about=TEAM if "we" in said.whole.whose else "")
    found = [(one, ended) for one in near if (ended := said.ends(one.text)) is not None]
    found = [pair for pair in found if pair[1].same_use] or found
    if not found:
        return None
    (nearest, ended), *others = found
    return Exchanged(
        current=nearest,
        others=[one for one, _ in others],
        plain=all((one.sort, one.things) == (ended.sort, ended.things) for _, one in others),
    )
