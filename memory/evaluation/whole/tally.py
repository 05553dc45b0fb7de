"""What came of every session and question, and the numbers made of it. Pure."""

import uuid
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory.choices import Outcome, Sensitivity
from memory.evaluation import metrics
from memory.evaluation.whole import tasks
from memory.evaluation.whole.people import Written
from memory.evaluation.whole.reading import Conversation, Gold, Question

CUTS = (1, 5, 10)
NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question's answer: the memories in their order, the profile's last, and what they cost.

    ``found``: how many passed the gate. ``stale``: the old value is handed over as if it held.
    ``foreign``: memories of somebody else.
    """

    question: Question
    ranked: Sequence[str]
    found: int
    stale: bool
    foreign: int
    tokens: int
    ms: float


@dataclass(slots=True)
class Tally:
    """Everything that was seen, and each fault with its words."""

    told: list[tuple[Conversation, Sequence[Written]]] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    made: dict[str, uuid.UUID] = field(default_factory=dict)  # what each gold became
    asked: list[Asked] = field(default_factory=list)
    tried: list[tasks.Tried] = field(default_factory=list)
    sensitive: list[tuple[int, bool]] = field(default_factory=list)
    erased: int = 0
    residue: int = 0
    faults: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def hear(self, said: Conversation, written: Sequence[Written], ms: float) -> None:
        """Take in what came of one session."""
        self.told.append((said, written))
        self.ms.append(ms)
        for gold in said.write:
            if (one := rightly(gold, written)) and one.memory_id:
                self.made[gold.id] = one.memory_id

    def try_(self, tried: tasks.Tried) -> None:
        """Take in whether one task can be done."""
        self.tried.append(tried)
        if not tried.on.is_enough:
            lack = ", ".join([*tried.on.missing, *tried.on.stale])
            self.faults["tasks"].append(f"{tried.task.person[1]}: {tried.task.text} ({lack})")

    def numbers(self) -> dict[str, Any]:
        """Return all numbers, by part."""
        return {
            "write": self._write(),
            "kinds": self._kinds(),
            "sensitive": self._sensitive(),
            "dedupe": self._dedupe(),
            "recall": self._recall(),
            "tasks": tasks.numbers(self.tried),
            "stale": self._stale(),
            "leakage": {"n": len(self.asked), "foreign": sum(one.foreign for one in self.asked)},
            "erasure": {"people": self.erased, "residue": self.residue},
            "injected": self._injected(),
            "latency": self._latency(),
        }

    def _write(self) -> dict[str, Any]:
        """Sessions: one is rightly written if all that should be written of it is, and nothing else."""
        worth = sum(bool(said.write) for said, _ in self.told)
        idle = len(self.told) - worth
        written = right = wrongly = 0
        found = asked_for = kept = good = 0
        for said, rows in self.told:
            keeps = [one for one in rows if one.kept]
            wanted = [one for one in keeps if _is_wanted(one, said.write)]
            got = [gold for gold in said.write if rightly(gold, rows)]
            written += bool(keeps)
            right += bool(keeps) and got == list(said.write) and wanted == keeps
            wrongly += bool(keeps) and not said.write
            found, asked_for = found + len(got), asked_for + len(said.write)
            kept, good = kept + len(keeps), good + len(wanted)
            self._note(said, keeps, got)
        return {
            "sessions": len(self.told),
            "worth": worth,
            "written": written,
            "rightly": right,
            "precision": share(right, written),
            "recall": share(right, worth),
            "false_write_rate": share(wrongly, idle),
            "share_written": share(written, len(self.told)),
            "item_precision": share(good, kept),
            "item_recall": share(found, asked_for),
        }

    def _note(self, said: Conversation, keeps: Sequence[Written], got: Sequence[Gold]) -> None:
        for one in keeps:
            if not _is_wanted(one, said.write):
                self.faults["written"].append(f"{said.id}: {one.text}")
        for gold in said.write:
            if gold not in got:
                self.faults["missed"].append(f"{said.id}: {said.turns[gold.turn][1]}")

    def _kinds(self) -> dict[str, dict[str, int]]:
        read: dict[str, Counter[str]] = defaultdict(Counter)
        for said, rows in self.told:
            for gold in said.write:
                if gold.kind and not gold.same_as:
                    one = rightly(gold, rows)
                    read[gold.kind][one.read_as if one else NOTHING] += 1
        return {kind: dict(found.most_common()) for kind, found in sorted(read.items())}

    def _sensitive(self) -> dict[str, Any]:
        secrets = [fine for level, fine in self.sensitive if level == Sensitivity.SECRET]
        return {
            "n": len(self.sensitive),
            "intercepted": share(sum(fine for _, fine in self.sensitive), len(self.sensitive)),
            "secrets": len(secrets),
            "secrets_intercepted": share(sum(secrets), len(secrets)),
        }

    def _dedupe(self) -> dict[str, Any]:
        """A repetition is merged if it raises the memory that the first telling became."""
        should = merged = did = 0
        for said, rows in self.told:
            golds = {gold.turn: gold for gold in said.write}
            for gold in said.write:
                first = self.made.get(gold.same_as) if gold.same_as else None
                if first is not None:
                    should += 1
                    merged += any(_merged(one, gold.turn, first) for one in rows)
            for one in rows:
                if one.outcome == Outcome.REINFORCED and one.turn is not None:
                    did += 1
                    again = golds.get(one.turn)
                    if again is None or self.made.get(again.same_as) != one.memory_id:
                        self.faults["merged"].append(f"{said.id}: {said.turns[one.turn][1]}")
        wrong = len(self.faults["merged"])
        return {
            "n": should,
            "merged": did,
            "precision": share(did - wrong, did),
            "recall": share(merged, should),
        }

    def _recall(self) -> dict[str, Any]:
        """What was never written cannot be found: it counts as missed here, and not in ``of_written``."""
        answerable = [one for one in self.asked if one.question.evidence]
        silent = [one for one in self.asked if not one.question.evidence]
        known = [one for one in answerable if self._wanted(one)]
        found = {"n": len(answerable), "written": len(known)}
        numbers: dict[str, Any] = dict(found)
        for k in CUTS:
            hits = [metrics.hit_at(one.ranked, self._wanted(one), k) for one in known]
            parts = [metrics.recall_at(one.ranked, self._wanted(one), k) for one in known]
            numbers[f"hit@{k}"] = share(sum(hits), len(answerable))
            numbers[f"recall@{k}"] = share(sum(parts), len(answerable))
            numbers[f"hit@{k}_of_written"] = share(sum(hits), len(known))
        gains = [metrics.ndcg_at(one.ranked, self._wanted(one), 10) for one in known]
        numbers["ndcg@10"] = share(sum(gains), len(answerable))
        numbers["nothing_relevant"] = share(sum(not one.found for one in silent), len(silent))
        for one in known:
            if not metrics.hit_at(one.ranked, self._wanted(one), CUTS[-1]):
                self.faults["not_found"].append(f"{one.question.person[1]}: {one.question.text}")
        return numbers

    def _wanted(self, one: Asked) -> set[str]:
        ids = (self.made.get(gold) for gold in one.question.evidence)
        return {str(found) for found in ids if found is not None}

    def _stale(self) -> dict[str, Any]:
        changed = [one for one in self.asked if one.question.old]
        for one in changed:
            if one.stale:
                self.faults["stale"].append(f"{one.question.person[1]}: {one.question.text}")
        return {"n": len(changed), "rate": share(sum(one.stale for one in changed), len(changed))}

    def _injected(self) -> dict[str, Any]:
        tokens = [float(one.tokens) for one in self.asked]
        items = [float(len(one.ranked)) for one in self.asked]
        return {
            "tokens_mean": round(metrics.mean(tokens), 1),
            "tokens_p95": metrics.percentile(tokens, 0.95),
            "items_mean": round(metrics.mean(items), 2),
        }

    def _latency(self) -> dict[str, Any]:
        recalls = [one.ms for one in self.asked]
        return {
            "recall_p50_ms": round(metrics.percentile(recalls, 0.5), 1),
            "recall_p95_ms": round(metrics.percentile(recalls, 0.95), 1),
            "session_p50_ms": round(metrics.percentile(self.ms, 0.5), 1),
            "session_p95_ms": round(metrics.percentile(self.ms, 0.95), 1),
        }


def rightly(gold: Gold, written: Sequence[Written]) -> Written | None:
    """Return what was written of a gold turn with the words it must hold, the first; None if nothing."""
    return next((one for one in written if one.kept and _is_wanted(one, [gold])), None)


def _is_wanted(one: Written, golds: Sequence[Gold]) -> bool:
    """Return whether something that was written is of a gold turn, with the words it must hold."""
    text = one.text.casefold()
    return any(one.turn == gold.turn and gold.holds.casefold() in text for gold in golds)


def _merged(one: Written, turn: int, first: uuid.UUID) -> bool:
    same = one.turn == turn and one.memory_id == first
    return same and one.outcome in (Outcome.REINFORCED, Outcome.SUPERSEDED)


def share(part: float, whole: int) -> float:
    """Return a share, 0 to 1; of nothing it is 0."""
    return round(part / whole, 4) if whole else 0.0


def flat(numbers: Mapping[str, Any], before: str = "") -> dict[str, float]:
    """Return all numbers under dotted names."""
    found: dict[str, float] = {}
    for name, one in numbers.items():
        if isinstance(one, Mapping):
            found |= flat(one, f"{before}{name}.")
        elif isinstance(one, int | float) and not isinstance(one, bool):
            found[f"{before}{name}"] = float(one)
    return found
