"""Limits of sessions, boards, contexts and documents; leases, retention and rate limits."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPolicy:
    """How long what nothing cites is kept."""

    event: timedelta = timedelta(hours=24)
    message: timedelta = timedelta(days=30)
    idempotency: timedelta = timedelta(hours=72)
    recalls: timedelta = timedelta(days=180)
    feedback: timedelta = timedelta(days=400)
    jobs: timedelta = timedelta(days=30)
    failed_jobs: timedelta = timedelta(days=90)
    notices: timedelta = timedelta(days=400)
    links: timedelta = timedelta(days=30)
    backups: timedelta = timedelta(days=30)
    key_backups: timedelta = timedelta(days=2)


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
    sweep_slack: timedelta = timedelta(
        minutes=10
    )  # a sweeper may be so late: it waits for a worker
    # what is forgotten and ends so soon wakes a worker when it ends: a sweep may come after. More than
    # is between two sweeps, less than the broker's visibility timeout
    look_ahead: timedelta = timedelta(minutes=8)
    patience: float = 100.0  # seconds after which a job puts itself back; less than its lease
    # … after which a sweep begins nothing more; with a job's patience less than a task's 120 seconds
    sweep_seconds: float = 15.0
    lock_wait: str = (
        "2s"  # … after which a worker leaves a job to the next sweep: somebody holds it
    )
    turn: float = 30.0  # … after which a session that is read lets others have theirs


WORK = WorkPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticePolicy:
    """How agents are told of erasures. So many attempts as any other work, over about half a day."""

    most: int = 1000  # ids in one notice; the rest is fetched
    backoff_seconds: int = 30
    backoff_cap_seconds: int = 3 * 3600
    taken: range = range(200, 300)  # the answers that say that it was taken


NOTICE = NoticePolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class RewritePolicy:
    """How patient the writing anew of tables is with those who use them."""

    attempts: int = 3
    pause: float = 10.0  # seconds
    lock_seconds: float = 5.0  # after which nobody has to wait behind it any more


REWRITE = RewritePolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPolicy:
    """Limits of one session."""

    max_message: int = 32_000  # characters
    max_messages: int = 200  # in one request
    searched: int = 200  # newest turns that a recall looks through
    share: float = 0.4  # of a question's weight in words that a turn must hold to be found
    wait_seconds: float = 10.0  # the most that ?wait=true waits for a job
    idle: timedelta = timedelta(minutes=5)  # after that a model reads what it has not read yet
    ends: timedelta = timedelta(hours=24)  # without a message, a session is closed


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
    passages: int = 5  # of documents, if they are asked for
    passage_tokens: int = 1200
    exchanges: int = 10
    # A tool result that does not fit is cut to this share of what is left, never below the floor.
    cut_share: float = 0.5
    cut_floor: int = 20
    done_steps: int = 5  # of a task's finished steps, the latest are shown


CONTEXT = ContextPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryPolicy:
    """What a summary keeps of turns that have no room any more, and how long it may be.

    A sentence weighs what its speaker's sentences weigh, and more for each number, name and denial in
    it; one that the gate would remember weighs as much as the memory.
    """

    han: int = 500  # characters of a summary in Chinese …
    words: int = 300  # … or words of one in English; a mixed one shares them
    floor: float = 0.3  # what weighs less says nothing that is worth keeping
    person: float = 0.3
    assistant: float = 0.15
    tool: float = 0.03
    question: float = 0.15
    fact: float = 0.15  # for a number or a name …
    fact_tool: float = 0.07  # … in what a tool says, which is full of them
    facts: int = 4  # … of which so many count
    denial: float = 0.1
    remembered: float = 0.03  # for each fact in what weighs as a memory
    replacing: float = 0.2  # for what replaces something said before
    often: int = 3  # sentences that differ only in their numbers; more are routine …
    routine: float = 0.5  # … and keep this share of their weight
    replaced: float = 0.5  # the share of its weight that a replaced sentence keeps
    alike: float = 0.5  # share of its words by which a sentence speaks of another's topic
    longest: int = 240  # characters of one line
    read: int = 6000  # characters at each end of a long message
    read_tool: int = 2000  # … and of a tool's result
    lines: int = 12  # at most from one message
    lines_tool: int = 3  # … from a tool's result


SUMMARY = SummaryPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodePolicy:
    """When a session that has ended leaves an episode, and how much of it."""

    turns: int = 1000  # of its newest messages that are read for it
    least: int = 2  # sentences that no memory holds; fewer are no story
    room: float = 0.5  # of a summary's cap


EPISODE = EpisodePolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitPolicy:
    """How patient the rate limits are with the counters; the limits themselves are settings."""

    timeout: float = 0.2  # seconds a request waits for the counters
    pause_seconds: float = 5.0  # after a failure nobody asks them for so long
    log_seconds: float = 60.0  # and so long nothing more is logged
    quota_seconds: float = 10.0  # so often a process looks at a tenant's quotas


LIMITS = LimitPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaPolicy:
    """What a tenant may bring unless an operator sets it otherwise; 0 is no limit."""

    memories: int = 20_000  # of one person, that are not erased
    documents: int = 10_000  # of a tenant
    events: int = 1_000_000  # messages a day, of a tenant
    recalls: int = 0  # a minute, of a tenant; its rate limit holds besides


QUOTA = QuotaPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthPolicy:
    """When ``manage.py doctor`` calls something unwell, and how long is waited for an answer."""

    disk_share: float = 0.1  # free of the disk of DATA_DIR …
    disk_bytes: int = 1_000_000_000  # … and at least so much
    job: timedelta = timedelta(minutes=10)  # since when the oldest job has been due
    erasure: timedelta = timedelta(days=1)  # since when the oldest open erasure was asked for
    backup: timedelta = timedelta(days=2)  # since the newest, or since the tables were made
    beat: timedelta = timedelta(minutes=5)  # since any sweeper ran …
    beat_wait: float = 20.0  # … seconds that a clock which has just started is given
    # Seconds that the console's first page waits: for the broker, and for workers to answer.
    broker_wait: float = 1.0
    worker_wait: float = 0.5


HEALTH = HealthPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurePolicy:
    """What is measured for ``/metrics``."""

    # Seconds; the upper ends of a histogram's buckets.
    buckets: tuple[float, ...] = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120)
    slow_query: float = 1.0  # seconds, from which the log has a warning
    same_query: int = 30  # so often in one request, and the log has one, too
    statement: int = 500  # characters of a statement in the log


MEASURE = MeasurePolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class InterestPolicy:
    """When a topic counts as one the person keeps asking about."""

    keeps_asking: int = 3  # messages with such a question


INTEREST = InterestPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgePolicy:
    """How documents are read, cut and searched.

    Relevance alone ranks passages, and the gate of ``search`` holds for them as for memories.
    """

    max_characters: int = 2_000_000
    max_pages: int = 2000
    max_seconds: float = 60.0  # for reading the pages of one file
    # A passage holds at most so many tokens of our counter, and characters: what an embedder reads.
    # Measured: short passages are found better than long ones, by meaning above all.
    passage_tokens: int = 110
    passage_characters: int = 450
    title: int = 300  # characters of a title found in the file
    max_tries: int = 3  # readings of one file, should it bring the worker down
    rows: int = 5000  # in one statement
    batch: int = 16  # passages embedded in one piece of a job
    text_slice: int = 20_000  # characters of a document in one answer
    top_k: int = 6
    max_top_k: int = 20
    max_tokens: int = 2000


KNOWLEDGE = KnowledgePolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferPolicy:
    """How much of a file of memories is taken, and how long it waits for the person's yes."""

    most_bytes: int = 20_000_000
    most_entries: int = 10_000
    shown: int = 100  # entries of each group that a preview shows
    importance: float = 0.55  # of what another service thought worth keeping
    waits: timedelta = timedelta(hours=24)


TRANSFER = TransferPolicy()
