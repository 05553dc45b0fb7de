"""A classifier beside the rules: does a turn that they cannot read hold something worth keeping?

A linear model over the turn's vector and over what the rules said of it. It speaks only where the rules
have no word of their own: what they refuse for a reason (a question, a story, a wish not to remember)
stays refused, and what the person asked to keep stays kept. ``scripts/train_gate.py`` makes its weights
from text written for that. They belong to one embedder; beside another one the rules stand alone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory.choices import KIND_OF_SUBTYPE, Kind, Reason, Role, Subtype
from memory.errors import EmbedderUnavailable
from memory.policy import IMPORTANCE, WRITE
from memory.providers.embedding import Embedder, get_embedder
from memory.text.normalise import Span
from memory.text.when import resolve
from memory.write import signs
from memory.write.candidate import Candidate, Found, Refused, Turn
from memory.write.matching import candidate
from memory.write.signs import compiled

WEIGHTS = Path(__file__).parent / "worth.npz"
# What the rules say of a sentence for which they know no table.
OPEN = (Reason.NOT_USEFUL, Reason.NOT_ABOUT_PERSON)

_HAN = re.compile("[\u4e00-\u9fff]")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
_DIGIT = re.compile("[0-9]")
_MARK = re.compile("[?？]")
# What holds for long, and not because it happened.
_LASTING = compiled(
    r"~(?:i am|i'?m|i have|i'?ve got|i own|i use|i prefer|i like|i can'?t|my [a-z' ]{2,30} (?:is|are|has)|we are|we have|"
    r"usually|always|mostly|rarely|every|never)~|~(?:i|we) (?:drive|ride|work|live|run|teach|wear|speak|play|keep|study|eat|drink|commute|sleep|cook|need|prefer)~"
    r"|我(?:们)?(?:家)?(?:是|有|在|会|用|爱|属|信|不|只|每|戴|开|住|做|说|练|怕|吃|喝)|我的|平时|一直|从来|每[天周月年次]"
)
_HAPPENED = compiled(
    r"~(?:was|were|went|had|did|made|got|took|came|saw|met|gave|told|found|bought|(?<!-)[a-z]{3,}ed|just|ago|yesterday"
    r"|last (?:week|month|year|night|time))~|了|过|刚|昨|上[周个次]"
)


@dataclass(frozen=True, slots=True)
class Classifier:
    """``weights`` over features scaled by ``mean`` and ``scale``, then over the vector; last the bias."""

    model: int
    mean: NDArray[np.float32]
    scale: NDArray[np.float32]
    weights: NDArray[np.float32]

    def probability(self, seen: NDArray[np.float32], vectors: NDArray[np.float32]) -> list[float]:
        """Return how likely each turn is worth keeping; shapes ``(n, features)`` and ``(n, dim)``."""
        row = np.hstack([(seen - self.mean) * self.scale, vectors, np.ones((len(seen), 1))])
        return [float(p) for p in 1 / (1 + np.exp(-(row @ self.weights)))]


@cache
def classifier() -> Classifier | None:
    """Return the classifier this installation came with, or None."""
    if not WEIGHTS.exists():
        return None
    with np.load(WEIGHTS, allow_pickle=False) as stored:
        return Classifier(int(stored["model"]), stored["mean"], stored["scale"], stored["weights"])


def refined(turns: Sequence[Turn], found: Sequence[list[Found]]) -> list[list[Found]]:
    """Return what was found in each turn, with one memory more where the classifier sees one.

    Turns that the rules have settled cost nothing; the others one vector each. Without the embedder
    that the weights belong to, everything stays as the rules said.
    """
    out = [list(one) for one in found]
    asked = [at for at, turn in enumerate(turns) if _is_open(turn, found[at])]
    known = classifier()
    embedder = _embedder(known) if asked else None
    if known is None or embedder is None:
        return out
    try:
        vectors = embedder.passage([turns[at].text for at in asked])
    except EmbedderUnavailable:
        return out
    seen = np.array([features(turns[at], found[at]) for at in asked], dtype=np.float32)
    for at, vector, likely in zip(asked, vectors, known.probability(seen, vectors), strict=True):
        if likely >= WRITE.recognised:
            _keep(turns[at], out[at], vector)
        else:
            out[at] = [_unremarkable(one) for one in out[at]]
    return out


def _unremarkable(found: Found) -> Found:
    """What was about the person, but for which neither rules nor classifier see a use."""
    if isinstance(found, Refused) and found.reason == Reason.NOT_USEFUL:
        return replace(found, reason=Reason.UNREMARKABLE)
    return found


def _embedder(known: Classifier | None) -> Embedder | None:
    try:
        embedder = get_embedder()
    except EmbedderUnavailable:
        return None
    return embedder if known is not None and embedder.id == known.model else None


def _is_open(turn: Turn, found: Sequence[Found]) -> bool:
    """Whether the rules found nothing and have left something unsaid."""
    if turn.role != Role.USER or any(not isinstance(one, Refused) for one in found):
        return False
    return any(isinstance(one, Refused) and one.reason in OPEN for one in found)


def features(turn: Turn, found: Sequence[Found]) -> list[float]:
    """Return what the rules and the shape of a turn say, each about between 0 and 1."""
    text = turn.text
    kept = [one for one in found if isinstance(one, Candidate)]
    refused = [one for one in found if isinstance(one, Refused)]
    share = 1 / max(1, len(found))
    reasons = [one.reason for one in refused]
    unread = [text[one.quote_start : one.quote_end] for one in refused if one.reason in OPEN]
    mine = sum(bool(signs.FIRST_PERSON.search(one)) for one in unread)
    length = len(text) * (2.5 if _HAN.search(text) else 1)
    return [
        bool(kept),
        any(one.attribute for one in kept),
        min(len(kept), 3) / 3,
        len(unread) * share,
        mine * share,
        bool(mine),
        reasons.count(Reason.QUESTION) * share,
        reasons.count(Reason.SMALL_TALK) * share,
        reasons.count(Reason.TRANSIENT) * share,
        reasons.count(Reason.PROCESS) * share,
        sum(one in (Reason.QUOTATION, Reason.FICTION, Reason.HYPOTHETICAL) for one in reasons)
        * share,
        float(np.log(length + 1)) / 6,
        min(length, 400) / 400,
        bool(_DIGIT.search(text)),
        bool(_HAN.search(text)),
        bool(signs.FIRST_PERSON.search(text)),
        bool(_MARK.search(text)),
        bool(_NAME.search(text)),
    ]


def _keep(turn: Turn, found: list[Found], vector: NDArray[np.float32]) -> None:
    """Put a candidate in the place of the sentence that says most about the person."""
    unread = [one for one in found if isinstance(one, Refused) and one.reason in OPEN]
    best = max(unread, key=lambda one: _weight(turn.text[one.quote_start : one.quote_end]))
    found[found.index(best)] = _recognised(turn, best, vector)


def _weight(text: str) -> float:
    """How much a sentence tells: of the person, of names and numbers, and by its length."""
    return (
        2.0 * bool(signs.FIRST_PERSON.search(text))
        + bool(_DIGIT.search(text))
        + bool(_NAME.search(text))
        + min(len(text), 120) / 120
    )


def _recognised(turn: Turn, place: Refused, vector: NDArray[np.float32]) -> Candidate:
    """The sentence as it was said: an event unless it speaks of what lasts; it fills no slot."""
    text = turn.text[place.quote_start : place.quote_end]
    quote = Span(place.quote_start, place.quote_end, text)
    lasts = bool(_LASTING.search(text)) and not _HAPPENED.search(text)
    subtype = Subtype.FACT if lasts else Subtype.EVENT
    kind = KIND_OF_SUBTYPE[subtype]
    day = resolve(text, turn.at)
    return replace(
        candidate(None, turn, quote, text=text, at=turn.at),
        kind=kind,
        subtype=subtype,
        confidence=WRITE.recognised_confidence,
        importance=min(IMPORTANCE[subtype], IMPORTANCE[Subtype.EVENT]),
        occurred=(day or turn.at) if kind == Kind.EPISODIC else None,
        recognised=True,
        vector=vector if text == turn.text else None,
    )
