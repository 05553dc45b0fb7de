"""What a draft takes the place of, where it names neither what was nor a slot: "we moved to SQLite"."""

from dataclasses import dataclass

from memory.choices import Kind
from memory.models import Memory, Version
from memory.text.exchanged import exchange
from memory.write.beside import beside
from memory.write.case import Case


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanged:
    """The memory whose thing was exchanged; unless ``plain``, another may be meant as well."""

    memory: Memory
    version: Version
    plain: bool


def exchanged(case: Case) -> Exchanged | None:
    """Return what is meant, the nearest; it is plain if only one thing could be, or one is for the same use."""
    if case.draft.kind != Kind.SEMANTIC or (said := exchange(case.draft.text)) is None:
        return None
    found = [
        (one, ended)
        for one in beside(case, words=said.words())
        if (ended := said.ends(one.text)) is not None
    ]
    found = [pair for pair in found if pair[1].same_use] or found
    if not found:
        return None
    nearest, ended = found[0]
    plain = all((other.sort, other.things) == (ended.sort, ended.things) for _, other in found)
    return Exchanged(memory=nearest.memory, version=nearest.version, plain=plain)
