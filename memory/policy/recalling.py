"""How a question is read, gated, scored and cut."""

from dataclasses import dataclass, replace
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPolicy:
    """How a recall gates, scores and cuts."""

    name: str
    gate: float  # calibrated cosine below which nothing passes …
    timely: float = 0.08  # … less this for what lies in the time the question names
    candidates: int = 50
    top_k: int = 5
    max_top_k: int = 50
    max_tokens: int = 2000
    profile_items: int = 12
    profile_tokens: int = 600
    # fused = cosine + lexical_weight * words, see memory/index/lexical.py; in rare terms:
    lexical_weight: float = 0.4
    lexical_half: float = 2.0  # BM25 that counts half of what words can
    lexical_full: float = 2.5  # matched idf that is all the evidence a question can ask for
    # A lexical ticket: a matched term that looks like an id, number or name and is this rare …
    ticket_share: float = 0.1
    # … or this much BM25 from words alone.
    ticket_bm25: float = 6.0
    # … or, where meaning cannot judge, this share of the question's terms.
    ticket_terms: float = 0.5
    timeliness: float = 0.2  # added to the relevance of what lies in the time the question names
    slot_relevance: float = 0.6  # at least, of what fills an attribute that the question names
    links: int = 2  # memories that come along because they are linked to one that passed …
    link_share: float = 0.5  # … each with this share of that one's relevance
    patience: float = 5.0  # seconds after which the database gives a statement up
    relevance: float = 0.50
    recency: float = 0.20
    importance: float = 0.25
    confidence: float = 0.05


RECALL = MappingProxyType(
    {
        "default": RecallPolicy(name="default", gate=0.245),
        "inject": RecallPolicy(name="inject", gate=0.29, top_k=8),
        "profile_only": RecallPolicy(name="profile_only", gate=2.0, candidates=0),
    }
)

# The person's own search leaves nothing out that matches: what is done to all that was found is done to all.
LOOKUP = replace(RECALL["default"], name="lookup", candidates=1_000_000)

# Where cosine has no calibration, similarity of unlike texts may be anything: words decide alone.
UNCALIBRATED_GATE = 0.55


# The least that the turn a message answers weighs in its vector, see memory/index/context.py.
CONTEXT_SHARE = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPolicy:
    """How much of a conversation a question that leans on it takes along."""

    turns: int = 4
    turn_length: int = 300  # characters of each
    slot_length: int = 300  # characters at its end in which slots are looked for by name
    at_once: int = 3  # questions in one line that are searched each for itself
    latest: int = 20  # candidates for "go on", without a time


QUESTION = QuestionPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bm25:
    """Constants of the lexical score (Robertson and Zaragoza 2009)."""

    k1: float = 1.2
    b: float = 0.75


BM25 = Bm25()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePolicy:
    """When a later statement retires an earlier one; shares are of concepts.

    Set on the updates and on the pairs that both hold of ``updates.jsonl``.
    """

    taken_back: float = 0.6  # of what is taken back, so much was said before …
    ended: float = 0.25  # … and of what was said so much is named, where it is said that it ended
    denied: float = 0.5  # … or where it is only denied
    repeated: float = 0.66  # of what was said, so much is said again with another number
    alike: float = 0.5  # … or with another value in one place
    found: float = 0.33  # … and of what is said now so much was there
    short: int = 8  # characters in which a verb is all that is said of a thing (我喝拿铁)
    longest: int = 300  # characters of a statement that are read
    witness: float = 0.12  # so far below the gate a memory is still looked at for what it retires


CHANGE = ChangePolicy()
