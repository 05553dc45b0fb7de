"""What the gate merges: pairs of sentences, the second proposed where the first is remembered.

Each pair has a person of its own; a sentence about "the user" is an agent's, who quotes them. ``overall`` proposes the bare sentences as the person's words, so
that embedder, threshold and guard are measured alone; ``read`` lets the extractor read them first,
as it does with messages, so that attributes and values help.
"""

from collections import defaultdict
from pathlib import Path
from typing import Any

from tqdm import tqdm

from memory.choices import Origin, Outcome, Role
from memory.evaluation import lines, metrics
from memory.evaluation.gate import SAID
from memory.evaluation.room import nobody
from memory.text.perspective import first_person
from memory.write.candidate import Candidate, Turn
from memory.write.pipeline import decide
from memory.write.proposal import Proposal, Source, from_candidate
from memory.write.redact import redact
from memory.write.rules import extract

# Says the same; in the other language; in the first and the third person.
POSITIVE = frozenset(("dup", "xdup", "person"))


def evaluate(path: Path, *, progress: bool) -> dict[str, Any]:
    """Return precision and recall of merging over one JSONL file of pairs, and each kind's share."""
    pairs = list(lines.read(path, "kind", "a", "b"))
    bare: list[tuple[str, bool]] = []
    read: list[tuple[str, bool]] = []
    for pair in tqdm(pairs, desc=path.stem, disable=not progress):
        for out, as_message in ((bare, False), (read, True)):
            merged = _merges(str(pair["a"]), str(pair["b"]), as_message=as_message)
            out.append((str(pair["kind"]), merged))
    return {"overall": _summary(bare), "by_kind": _kinds(bare), "read": _summary(read)} | {
        "read_by_kind": _kinds(read)
    }


def _summary(merged: list[tuple[str, bool]]) -> dict[str, Any]:
    return metrics.verdicts([(kind in POSITIVE, did) for kind, did in merged])


def _kinds(merged: list[tuple[str, bool]]) -> dict[str, dict[str, int]]:
    found: dict[str, list[bool]] = defaultdict(list)
    for kind, did in merged:
        found[kind].append(did)
    return {kind: {"n": len(did), "merged": sum(did)} for kind, did in sorted(found.items())}


def _merges(first: str, second: str, *, as_message: bool) -> bool:
    with nobody() as principal:
        before = decide(principal, _proposal(first, as_message=as_message))
        after = decide(principal, _proposal(second, as_message=as_message))
        return (
            after.outcome == Outcome.REINFORCED
            and before.memory is not None
            and after.memory is not None
            and before.memory.id == after.memory.id
        )


def _proposal(text: str, *, as_message: bool) -> Proposal:
    by_agent = first_person(text) != text  # who speaks of the person is not the person
    origin = Origin.PERSON_QUOTED if by_agent else Origin.PERSON
    source = Source(origin=origin, said_at=SAID, role=Role.USER)
    if as_message and not by_agent:
        turn = Turn(role=Role.USER, text=redact(text).text, at=SAID)
        for found in extract(turn, at=SAID):
            if isinstance(found, Candidate):
                return from_candidate(found, source)
    return Proposal(text=text, source=source)
