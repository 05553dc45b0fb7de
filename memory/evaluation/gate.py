"""How well the write gate tells what is worth remembering, on turns that somebody labelled.

A turn goes the product's own way: redacted at the door, read by the rules and the classifier with the
turn before it, graded and admitted. It counts as worth remembering if one candidate is let through. Consent, which
depends on people and not on words, is not asked, and nothing is stored.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tqdm import tqdm

from memory.choices import Origin, Role
from memory.evaluation import lines, metrics
from memory.write.admit import admit
from memory.write.candidate import Refused, Talk, Turn
from memory.write.classify import classify
from memory.write.extractors import RulesExtractor
from memory.write.proposal import Draft, Source, from_candidate
from memory.write.redact import redact

# Relative days count from here where a line gives no ``at``.
SAID = datetime(2026, 1, 15, 12, tzinfo=UTC)
NOTHING = "nothing"


@dataclass(slots=True)
class Tally:
    """What came of all turns."""

    verdicts: list[tuple[bool, bool]] = field(default_factory=list)
    kinds: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    reasons: Counter[str] = field(default_factory=Counter)
    sessions: dict[str, tuple[bool, bool]] = field(default_factory=dict)


def evaluate(path: Path, *, progress: bool) -> dict[str, Any]:
    """Return the numbers of one JSONL file: overall, by session, kinds as read, reasons of refusals."""
    tally = Tally()
    for line in tqdm(list(lines.read(path, "text", "worth")), desc=path.stem, disable=not progress):
        kept = _admitted(line, tally.reasons)
        verdict = bool(line["worth"]), bool(kept)
        tally.verdicts.append(verdict)
        if session := str(line.get("session", "")):
            before = tally.sessions.get(session, (False, False))
            tally.sessions[session] = before[0] or verdict[0], before[1] or verdict[1]
        read_as = f"{kept[0].kind}/{kept[0].subtype}" if kept else NOTHING
        tally.kinds[str(line.get("kind", ""))][read_as] += 1
    by_session = {"sessions": metrics.verdicts([*tally.sessions.values()])}
    return {
        "overall": metrics.verdicts(tally.verdicts),
        **(by_session if tally.sessions else {}),
        "kinds": {label: dict(read.most_common()) for label, read in sorted(tally.kinds.items())},
        "reasons": dict(tally.reasons.most_common()),
    }


def _admitted(line: Mapping[str, Any], reasons: Counter[str]) -> list[Draft]:
    """Return the candidates of a turn that are let through, graded; count why others are not."""
    at = datetime.fromisoformat(line["at"]) if line.get("at") else SAID
    previous = None
    if line.get("prev"):
        role = Role(line.get("prev_role", Role.ASSISTANT))
        previous = Turn(role=role, text=redact(str(line["prev"])).text, at=at)
    turn = Turn(role=Role(line.get("role", Role.USER)), text=redact(str(line["text"])).text, at=at)
    kept: list[Draft] = []
    talk = Talk(before=[previous] if previous else [], turns=[turn])
    for found in RulesExtractor().read(talk)[0] or []:
        if isinstance(found, Refused):
            reasons[found.reason.value] += 1
            continue
        source = Source(origin=Origin.PERSON, said_at=at, role=turn.role)
        draft = classify(from_candidate(found, source))
        if reason := admit(draft):
            reasons[reason.value] += 1
        else:
            kept.append(draft)
    return kept
