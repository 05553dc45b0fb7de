"""Every tunable number, in frozen, named recipes. No threshold stands anywhere else.

Where a number was measured, docs/measurements.md says on what.
"""

from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType

from memory.choices import Kind, Subtype


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPolicy:
    """How a recall gates, scores and cuts."""

    name: str
    gate: float  # calibrated cosine below which nothing passes …
    personal: float = 0.04  # … less this for a question that names the person (my, 我的)
    timely: float = 0.08  # … and this for what lies in the time the question names
    candidates: int = 50
    top_k: int = 5
    max_top_k: int = 50
    max_tokens: int = 2000
    profile_items: int = 12
    profile_tokens: int = 600
    # fused = cosine + lexical_weight * b / (b + lexical_half), b = BM25
    lexical_weight: float = 0.4
    lexical_half: float = 8.0
    # A lexical ticket: a matched term that looks like an id, number or name and is this rare …
    ticket_share: float = 0.1
    # … or this much BM25 from words alone.
    ticket_bm25: float = 6.0
    timeliness: float = 0.2  # added to the relevance of what lies in the time the question names
    patience: float = 5.0  # seconds after which the database gives a statement up
    relevance: float = 0.50
    recency: float = 0.20
    importance: float = 0.25
    confidence: float = 0.05


RECALL = MappingProxyType(
    {
        "default": RecallPolicy(name="default", gate=0.24),
        "inject": RecallPolicy(name="inject", gate=0.27, top_k=8),
        "profile_only": RecallPolicy(name="profile_only", gate=2.0, candidates=0),
    }
)

# Where cosine has no calibration, similarity of unlike texts may be anything: words decide alone.
UNCALIBRATED_GATE = 0.55


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPolicy:
    """How much of a conversation a question that leans on it takes along."""

    turns: int = 4
    turn_length: int = 300  # characters of each
    latest: int = 20  # candidates for "go on", without a time


QUESTION = QuestionPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bm25:
    """Constants of the lexical score (Robertson and Zaragoza 2009)."""

    k1: float = 1.2
    b: float = 0.75


BM25 = Bm25()


@dataclass(frozen=True, slots=True, kw_only=True)
class WritePolicy:
    """How the gate admits and merges."""

    max_text: int = 4000
    minimum_importance: float = 0.4
    duplicate: float = 0.5  # calibrated cosine from which the guard may merge: it decides
    neighbours: int = 8
    reinforcement: float = 0.1
    review_lapse: timedelta = timedelta(days=30)
    review_undo: timedelta = timedelta(minutes=10)
    confirmed_confidence: float = 0.95
    quote_support: float = 0.5  # share of a claim's terms that its quote must hold
    wish_support: float = 0.75  # share of a wish's terms by which a memory is meant
    event_quote: int = 200  # characters of what was seen that are kept as a quote
    wish_proposals: int = 20  # questions that one wish may put before the person


WRITE = WritePolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class StalePolicy:
    """When the person is asked whether something is still true."""

    after: timedelta = timedelta(days=365)  # since it was last confirmed, or asked about
    at_once: int = 3  # questions of this kind that wait at the same time
    subtypes: tuple[Subtype, ...] = (
        Subtype.PREFERENCE,
        Subtype.INSTRUCTION,
        Subtype.GOAL,
        Subtype.CONSTRAINT,
    )


STALE = StalePolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedurePolicy:
    """When a way of doing a task has proved itself, and how much of it is kept."""

    successes: int = 5
    share: float = 0.8  # of its tries that must have succeeded
    max_steps: int = 50
    max_step: int = 300  # characters
    max_title: int = 200
    events: int = 50  # that the episode of a task rests on
    goal: int = 600  # characters of a task's goal in its episode


PROCEDURE = ProcedurePolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPolicy:
    """How a language model is asked, and for how much at once."""

    timeout: float = 45.0  # seconds of one answer; a job has time for an answer and its repair
    batch_tokens: int = 3000  # of the messages that are read together
    batch_messages: int = 40
    before: int = 6  # earlier messages to understand them by
    longest: int = 8000  # characters of one message that are shown


MODEL = ModelPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustPolicy:
    """How far writers other than the person are let."""

    taint: timedelta = timedelta(hours=1)  # so long a claim may repeat a tool's output
    tainting: int = 10  # of that time, the latest outputs are compared
    window: timedelta = timedelta(hours=1)
    most: int = 300  # new memories of one grant in the window
    alike: float = 0.8  # calibrated cosine from which two of them are of one kind …
    flood: int = 20  # … and so many of one kind are a flood
    quarantine: timedelta = timedelta(hours=24)  # an agent that floods learns nothing for so long


TRUST = TrustPolicy()

IMPORTANCE = MappingProxyType(
    {
        Subtype.PREFERENCE: 0.90,
        Subtype.INSTRUCTION: 0.90,
        Subtype.DECISION: 0.85,
        Subtype.CONSTRAINT: 0.85,
        Subtype.LESSON: 0.85,
        Subtype.FACT: 0.75,
        Subtype.RELATION: 0.75,
        Subtype.GOAL: 0.75,
        Subtype.PROCEDURE: 0.75,
        Subtype.EVENT: 0.55,
        Subtype.WORK_PROGRESS: 0.55,
        Subtype.BROWSING: 0.45,
    }
)

# Days until recency halves; None: never. Pinned memories never fade either.
HALF_LIFE = MappingProxyType(
    {
        Subtype.FACT: 365.0,
        Subtype.PREFERENCE: 365.0,
        Subtype.GOAL: 365.0,
        Subtype.DECISION: 365.0,
        Subtype.CONSTRAINT: 365.0,
        Subtype.RELATION: 365.0,
        Subtype.INSTRUCTION: None,
        Subtype.PROCEDURE: None,
        Subtype.EVENT: 10.0,
        Subtype.LESSON: 10.0,
        Subtype.WORK_PROGRESS: 7.0,
        Subtype.BROWSING: 3.0,
    }
)

# How long a memory of a subtype is kept before it expires; absent: it does not.
LIFETIME = MappingProxyType({Subtype.BROWSING: timedelta(days=30)})

DEFAULT_SUBTYPE = MappingProxyType(
    {
        Kind.SEMANTIC: Subtype.FACT,
        Kind.EPISODIC: Subtype.EVENT,
        Kind.PROCEDURAL: Subtype.PROCEDURE,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPolicy:
    """How long what nothing cites is kept."""

    event: timedelta = timedelta(hours=24)
    message: timedelta = timedelta(days=30)
    idempotency: timedelta = timedelta(hours=72)
    backups: timedelta = timedelta(days=30)


RETENTION = RetentionPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkPolicy:
    """How work in the background is leased and retried."""

    lease_seconds: int = 120
    attempts: int = 10
    backoff_seconds: int = 2
    backoff_cap_seconds: int = 600
    longest_pause_seconds: int = 3600  # the most that a server's Retry-After counts
    batch: int = 64
    patience: float = 100.0  # seconds after which a job puts itself back; less than its lease


WORK = WorkPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgePolicy:
    """How documents are read, cut and searched.

    Relevance alone ranks passages, and the gate of ``search`` holds for them as for memories.
    """

    max_characters: int = 2_000_000
    max_pages: int = 2000
    max_seconds: float = 60.0  # for reading the pages of one file
    # A passage holds at most so many tokens of our counter, and characters: what an embedder reads.
    passage_tokens: int = 180
    passage_characters: int = 800
    title: int = 300  # characters of a title found in the file
    max_tries: int = 3  # readings of one file, should it bring the worker down
    rows: int = 5000  # in one statement
    batch: int = 16  # passages embedded in one piece of a job
    text_slice: int = 20_000  # characters of a document in one answer
    top_k: int = 5
    max_top_k: int = 20
    max_tokens: int = 2000


KNOWLEDGE = KnowledgePolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPolicy:
    """Limits of one session."""

    max_message: int = 32_000  # characters
    max_messages: int = 200  # in one request
    wait_seconds: float = 10.0  # the most that ?wait=true waits for a job
    idle: timedelta = timedelta(minutes=5)  # after that a model reads what it has not read yet


SESSION = SessionPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPolicy:
    """Limits of one task's board."""

    max_bytes: int = 64_000  # of its state as JSON
    max_observations: int = 1000
    max_observation: int = 32_000  # characters
    lifetime: timedelta = timedelta(days=30)  # since its last change


BOARD = BoardPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPolicy:
    """How a session is laid out for a model. Tokens are those of our own counter."""

    recipe: str = "inject"
    budget: int = 8000
    max_budget: int = 128_000
    items: int = 8  # memories in all, the profile among them, whatever the budget
    profile_items: int = 5
    exchanges: int = 10
    # A tool result that does not fit is cut to this share of what is left, never below the floor.
    cut_share: float = 0.5
    cut_floor: int = 20
    done_steps: int = 5  # of a task's finished steps, the latest are shown


CONTEXT = ContextPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitPolicy:
    """How patient the rate limits are with the counters; the limits themselves are settings."""

    timeout: float = 0.2  # seconds a request waits for the counters
    pause_seconds: float = 5.0  # after a failure nobody asks them for so long
    log_seconds: float = 60.0  # and so long nothing more is logged


LIMITS = LimitPolicy()
