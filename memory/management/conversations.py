"""Plays conversations from a JSONL file through the running service and counts what came of them.

One conversation a line: ``items`` (id, session, time, speaker, text) and ``queries`` (text,
evidence_ids); the format of ``manage.py evaluate retrieval``.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

from memory.management.player import Player

ASSISTANTS = ("assistant", "bot", "ai")


@dataclass(slots=True)
class Counts:
    """What became of turns and questions."""

    turns: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    questions: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    evidence_found: int = 0


def play(player: Player, conversation: Mapping[str, Any], counts: Counts) -> None:
    """Post one conversation as sessions and ask its questions; add to ``counts``."""
    item_of: dict[str, str] = {}
    for number, items in groupby(conversation["items"], key=lambda item: item["session"]):
        for chunk in _chunks(list(items)):
            name = f"{conversation['conversation_id']} {number}"
            item_of |= _post(player, name, chunk, counts)
    for query in conversation["queries"]:
        answer = player.recall(query["text"])
        found = {item_of.get(event) for item in answer["memories"] for event in item["evidence"]}
        counts.questions += 1
        counts.statuses[answer["status"]] += 1
        counts.evidence_found += bool(found & set(query["evidence_ids"]))


def _chunks(items: Sequence[Mapping[str, Any]]) -> Iterator[Sequence[Mapping[str, Any]]]:
    for start in range(0, len(items), 100):
        yield items[start : start + 100]


def _post(
    player: Player, name: str, items: Sequence[Mapping[str, Any]], counts: Counts
) -> dict[str, str]:
    session = player.call("POST", "sessions", {"user_id": player.user_id, "session_id": name})
    messages = [
        {
            "role": "assistant" if item["speaker"].lower() in ASSISTANTS else "user",
            "content": item["text"],
            "at": _time(item.get("time"), position),
        }
        for position, item in enumerate(items)
    ]
    answer = player.tell(session["id"], messages)
    counts.turns += len(items)
    for decision in answer["decisions"]:
        counts.outcomes[decision["outcome"]] += 1
        if decision["outcome"] == "refused":
            counts.reasons.update(decision["reasons"])
    return dict(zip(answer["events"], (str(item["id"]) for item in items), strict=True))


def _time(written: str | None, position: int) -> str:
    begun = datetime.fromisoformat(written) if written else datetime.now(UTC)
    begun = begun if begun.tzinfo else begun.replace(tzinfo=UTC)
    return (begun + timedelta(seconds=position)).isoformat()
