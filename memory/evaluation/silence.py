"""Whether a recall knows when to say nothing: questions that no memory answers, beside ones that have an answer.

Everything goes the product's own way, so that what a question is made of (its person, its time, what it
leans on) counts. The profile is left out: it comes along whatever is asked.
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from accounts.principal import Principal
from memory.choices import Origin, RecallStatus, Role
from memory.evaluation import lines, metrics
from memory.evaluation.gate import SAID
from memory.evaluation.handmade.sets import MEMORIES, QUESTIONS, UNRELATED
from memory.evaluation.room import nobody
from memory.recall.pipeline import recall
from memory.recall.values import RecallQuery
from memory.write.pipeline import decide
from memory.write.proposal import Proposal, Source

MEMORY, ANSWERABLE = "memory", "answerable"
POLICIES = ("default", "inject")


def evaluate(path: Path, *, progress: bool) -> dict[str, Any]:
    """Return how often each recipe says nothing, by kind of question; and which questions failed.

    A file without lines of kind ``memory`` is asked of the hand-made memories, with their questions.
    """
    asked: dict[str, list[str]] = defaultdict(list)
    for line in lines.read(path, "kind", "text"):
        asked[str(line["kind"])].append(str(line["text"]))
    if MEMORY not in asked:
        asked[MEMORY] = [*MEMORIES.values()]
        asked[ANSWERABLE] += [question for _, question, _ in QUESTIONS]
        asked["unrelated"] += UNRELATED
    told = asked.pop(MEMORY)
    with nobody() as principal:
        for text in tqdm(told, desc=path.stem, disable=not progress):
            source = Source(origin=Origin.PERSON, said_at=SAID, role=Role.USER)
            decide(principal, Proposal(text=text, source=source))
        return {policy: _measured(principal, asked, policy) for policy in POLICIES}


def _measured(
    principal: Principal, asked: dict[str, list[str]], policy: str
) -> dict[str, dict[str, Any]]:
    silent = {kind: _silent(principal, texts, policy) for kind, texts in asked.items()}
    answerable = silent.pop(ANSWERABLE, {})
    nothing = {text: is_silent for found in silent.values() for text, is_silent in found.items()}
    return {
        "overall": {
            "n": len(nothing),
            "nothing_relevant": _share(list(nothing.values())),
            "answered": _share([not one for one in answerable.values()]),
        },
        "by_kind": {kind: _share(list(found.values())) for kind, found in silent.items()},
        "failed": {
            "not_silent": [text for text, is_silent in nothing.items() if not is_silent],
            "not_answered": [text for text, is_silent in answerable.items() if is_silent],
        },
    }


def _silent(principal: Principal, texts: Sequence[str], policy: str) -> dict[str, bool]:
    return {
        text: recall(principal, RecallQuery(text=text, policy=policy, include_profile=False)).status
        == RecallStatus.NOTHING_RELEVANT
        for text in texts
    }


def _share(verdicts: Sequence[bool]) -> float:
    return round(metrics.mean([float(one) for one in verdicts]), 4)
