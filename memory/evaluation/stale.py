"""Whether what has changed is recalled as it is now: told, told otherwise, and asked.

The updates of one ``person`` are told in the order of their times and asked about after all of them.
An answer is stale if it hands over the old value as if it held.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tqdm import tqdm

from accounts.principal import Principal
from memory.choices import Origin, Role
from memory.errors import InvalidInput
from memory.evaluation import lines, metrics
from memory.evaluation.room import nobody
from memory.recall.pipeline import recall
from memory.recall.values import RecalledItem, RecallQuery
from memory.write.candidate import Candidate, Turn
from memory.write.pipeline import decide
from memory.write.proposal import Proposal, Source, from_candidate
from memory.write.redact import redact
from memory.write.rules import extract

SAID, WRITTEN = "say", "write"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What came of one update.

    ``current``: of what speaks of either value, the new one is handed over first. ``stale``: the old
    one is handed over as if it held. ``history``, ``as_of``: asked for the past, the old one comes
    (marked), and first; None for what a correction took back.
    """

    id: str
    theme: str
    current: bool
    stale: bool
    history: bool | None
    as_of: bool | None
    got: Sequence[str]


def evaluate(path: Path, *, progress: bool) -> dict[str, Any]:
    """Return the shares of one JSONL file of updates, by theme, and each that failed.

    Raises:
        InvalidInput: names the line that is not understood.
    """
    people: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for update in lines.read(path, "id", "told", "ask", "now", "old"):
        _check(update, path.name)
        people[str(update.get("person", update["id"]))].append(update)
    verdicts: list[Verdict] = []
    for updates in tqdm(people.values(), desc=path.stem, disable=not progress):
        with nobody() as principal:
            _tell(principal, updates)
            verdicts += [_asked(principal, update) for update in updates]
    themes: dict[str, list[Verdict]] = defaultdict(list)
    for one in verdicts:
        themes[one.theme].append(one)
    return {
        "overall": _shares(verdicts),
        "by_theme": {theme: _shares(found) for theme, found in themes.items()},
        "stale": [_row(one) for one in verdicts if one.stale],
        "not_current": [_row(one) for one in verdicts if not one.current],
        "past_missing": [_row(one) for one in verdicts if False in (one.history, one.as_of)],
    }


def _check(update: dict[str, Any], name: str) -> None:
    """Complete an update, or say what is wrong with it."""
    if update.setdefault("how", SAID) not in (SAID, WRITTEN):
        raise InvalidInput(f"{name}: {update['id']}: how must be {SAID} or {WRITTEN}.")
    try:
        times = [datetime.fromisoformat(told["at"]) for told in update["told"] if told["text"]]
        patterns = [re.compile(update[one], re.IGNORECASE) for one in ("now", "old")]
    except (KeyError, TypeError, ValueError, re.error) as error:
        raise InvalidInput(f"{name}: {update['id']}: {error}.") from None
    if len(times) < len(patterns):
        raise InvalidInput(f"{name}: {update['id']}: tell it at least twice.")


def _shares(verdicts: Sequence[Verdict]) -> dict[str, float | int]:
    past = [one for one in verdicts if one.history is not None]
    return {
        "n": len(verdicts),
        "stale": round(metrics.mean([float(one.stale) for one in verdicts]), 4),
        "current": round(metrics.mean([float(one.current) for one in verdicts]), 4),
        "history": round(metrics.mean([float(bool(one.history)) for one in past]), 4),
        "as_of": round(metrics.mean([float(bool(one.as_of)) for one in past]), 4),
    }


def _row(verdict: Verdict) -> dict[str, Any]:
    return {"id": verdict.id, "got": list(verdict.got)}


def _tell(principal: Principal, updates: Sequence[Mapping[str, Any]]) -> None:
    told = [(told["at"], position, update, told)
            for position, update in enumerate(updates) for told in update["told"]]  # fmt: skip
    for at, _, update, one in sorted(
        told, key=lambda row: (datetime.fromisoformat(row[0]), row[1])
    ):
        for proposal in _proposals(one, datetime.fromisoformat(at), said=update["how"] == SAID):
            decide(principal, proposal)


def _proposals(told: Mapping[str, Any], at: datetime, *, said: bool) -> list[Proposal]:
    """Return what the service makes of the person's message, or an agent's own proposal."""
    text = str(told["text"])
    if not said:
        source = Source(origin=Origin.AGENT, said_at=at)
        slot, value = (str(told.get(name, "")) for name in ("attribute", "value"))
        return [Proposal(text=text, source=source, attribute=slot, value=value)]
    turn = Turn(role=Role.USER, text=redact(text).text, at=at)
    source = Source(origin=Origin.PERSON, said_at=at, role=Role.USER)
    found = extract(turn, at=at)
    return [from_candidate(one, source) for one in found if isinstance(one, Candidate)]


def _asked(principal: Principal, update: Mapping[str, Any]) -> Verdict:
    now, old = re.compile(update["now"], re.IGNORECASE), re.compile(update["old"], re.IGNORECASE)

    def is_old(item: RecalledItem) -> bool:
        return bool(old.search(item.opened.text)) and not now.search(item.opened.text)

    def handed(**when: Any) -> list[RecalledItem]:
        answer = recall(principal, RecallQuery(text=update["ask"], **when))
        return [*answer.items, *answer.profile]

    found = handed()
    either = [one for one in found if is_old(one) or now.search(one.opened.text)]
    history = as_of = None
    if not update.get("correction"):
        before = datetime.fromisoformat(update["told"][-2]["at"]) + timedelta(hours=1)
        history = any(is_old(one) and one.past for one in handed(include_history=True, top_k=20))
        as_of = any(is_old(one) for one in handed(as_of=before))
    return Verdict(
        id=str(update["id"]),
        theme=str(update.get("theme", "")),
        current=bool(either) and not is_old(either[0]),
        stale=any(is_old(one) and not one.past for one in found),
        history=history,
        as_of=as_of,
        got=[("(past) " if one.past else "") + one.opened.text for one in either],
    )
