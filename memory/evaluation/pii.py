"""How much of what should be held closely the door sees, on texts with marked spans.

The door answers for the types of COUNTED; the names of people and places, dates and titles are
ordinary words of a memory and are left out of the count (``not_counted``).
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from memory.choices import Sensitivity
from memory.evaluation import lines, metrics
from memory.text.normalise import clean
from memory.write.redact import PLACEHOLDERS, Found, redact

SECRETS = frozenset(PLACEHOLDERS)
# A number that is taken for another kind of number is held as closely, so it counts as seen.
NUMBERS = frozenset({"PHONE", "ID", "IBAN", "PLATE", "IP"}) | SECRETS
PLACES = frozenset({"ADDRESS", "PLACE"})
HEALTH, FINANCE = frozenset({"HEALTH"}), frozenset({"FINANCE"}) | NUMBERS

# Type of a marked span -> types the door may have found there.
COUNTED: dict[str, frozenset[str]] = {
    **dict.fromkeys(("EMAIL", "EMAIL_ADDRESS"), frozenset({"EMAIL"})),
    **dict.fromkeys(("PHONE", "PHONE_NUMBER"), NUMBERS),
    **dict.fromkeys(("ID", "ID_CARD", "PASSPORT", "US_SSN", "US_DRIVER_LICENSE"), NUMBERS),
    **dict.fromkeys(("ADDRESS", "STREET_ADDRESS", "ZIP_CODE"), PLACES),
    **dict.fromkeys(("IBAN", "IBAN_CODE"), NUMBERS),
    **dict.fromkeys(("IP", "IP_ADDRESS"), NUMBERS),
    **dict.fromkeys(("PLATE", "LICENSE_PLATE"), NUMBERS),
    **dict.fromkeys(("CARD", "CREDIT_CARD"), SECRETS),
    **dict.fromkeys(("PASSWORD", "API_KEY", "TOKEN", "SECRET", "PRIVATE_KEY"), SECRETS),
    "HEALTH": HEALTH,
    "FINANCE": FINANCE,
    "BELIEF": frozenset({"BELIEF"}),
    "SEXUALITY": frozenset({"SEXUALITY"}),
    "MINORS": frozenset({"MINORS"}),
}


@dataclass(slots=True)
class Tally:
    """What was seen and what was not."""

    seen: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    right: list[float] = field(default_factory=list)
    flagged: list[float] = field(default_factory=list)
    not_counted: Counter[str] = field(default_factory=Counter)


def evaluate(path: Path, *, progress: bool) -> dict[str, Any]:
    """Return the numbers of one JSONL file: overall and per type of span."""
    tally = Tally()
    for line in tqdm(list(lines.read(path, "text", "spans")), desc=path.stem, disable=not progress):
        _count(line, tally)
    every = [one for seen in tally.seen.values() for one in seen]
    return {
        "overall": {
            "n": len(every),
            "recall": round(metrics.mean(every), 4),
            "precision": round(metrics.mean(tally.right), 4) if tally.right else None,
            "clean": len(tally.flagged),
            "clean_flagged": round(metrics.mean(tally.flagged), 4) if tally.flagged else None,
        },
        "by_type": {
            name: {"n": len(seen), "recall": round(metrics.mean(seen), 4)}
            for name, seen in sorted(tally.seen.items())
        },
        "not_counted": dict(tally.not_counted.most_common()),
    }


def _count(line: Mapping[str, Any], tally: Tally) -> None:
    text, spans = str(line["text"]), list(line["spans"])
    redacted = redact(text)
    if not spans:
        tally.flagged.append(float(bool(redacted.found)))
        return
    places = [(str(span["type"]), _place(text, span, redacted.text)) for span in spans]
    for name, place in places:
        wanted = COUNTED.get(name)
        if wanted is None:
            tally.not_counted[name] += 1
        else:
            tally.seen[name].append(float(_is_seen(place, wanted, redacted.found)))
    for found in redacted.found:
        # Topics mark words around a value, which spans of exact values say nothing about.
        if found.level != Sensitivity.SPECIAL or found.type in PLACES:
            tally.right.append(float(_is_marked(found, [place for _, place in places])))


def _place(text: str, span: Mapping[str, Any], redacted: str) -> tuple[int, int] | None:
    """Return where a marked value stands in the redacted text; None if it was taken out."""
    start = int(span["start"])
    value = clean(text[start : int(span["end"])])
    before = clean(text[:start]).count(value) if value else 0
    at = -1
    for _ in range(before + 1):
        following = redacted.find(value, at + 1)
        if following < 0:
            break
        at = following
    return None if at < 0 or not value else (at, at + len(value))


def _is_seen(
    place: tuple[int, int] | None, wanted: frozenset[str], found: tuple[Found, ...]
) -> bool:
    if place is None:  # nothing leaves the text but what the door took out
        return True
    covered = {
        at
        for one in found
        if one.type in wanted
        for at in range(max(one.start, place[0]), min(one.end, place[1]))
    }
    return 2 * len(covered) >= place[1] - place[0]


def _is_marked(found: Found, places: list[tuple[int, int] | None]) -> bool:
    if found.level == Sensitivity.SECRET:
        return None in places or _touches(found, places)
    return _touches(found, places)


def _touches(found: Found, places: list[tuple[int, int] | None]) -> bool:
    return any(one and found.start < one[1] and one[0] < found.end for one in places)
