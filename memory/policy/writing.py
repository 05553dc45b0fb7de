"""How the gate decides, whom it believes, when it asks, and how a language model is asked."""

from dataclasses import dataclass
from datetime import timedelta

from memory.choices import Subtype


@dataclass(frozen=True, slots=True, kw_only=True)
class WritePolicy:
    """How the gate admits and merges."""

    max_text: int = 4000
    minimum_importance: float = 0.4
    recognised: float = 0.65  # likelihood from which the classifier keeps what no rule reads
    recognised_confidence: float = 0.6
    stated_confidence: float = 0.8  # of what the person said, where nobody says how sure it is …
    inferred_confidence: float = 0.6  # … and of what was worked out or found
    duplicate: float = 0.5  # calibrated cosine from which the guard may merge: it decides …
    perhaps: float = 0.35  # … among what is this near with what it was said in answer to
    neighbours: int = 8
    reinforcement: float = 0.1
    review_lapse: timedelta = timedelta(days=30)
    review_undo: timedelta = timedelta(minutes=10)
    confirmed_confidence: float = 0.95
    quote_support: float = 0.5  # share of a claim's terms that its quote must hold
    wish_support: float = 0.75  # share of a wish's terms by which a memory is meant
    event_quote: int = 200  # characters of what was seen that are kept as a quote
    links: int = 50  # of one memory, by one agent or by the person
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
class PatternPolicy:
    """When what happens on a weekday is stated as a pattern, and how far back is counted."""

    window_days: int = 182
    hits: int = 3  # days on which it happened
    share: float = 0.25  # of such weekdays
    lift: float = 2.0  # times as often as on the other weekdays
    most_days: int = 62  # in one answer


PATTERN = PatternPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidatePolicy:
    """Which memories are proposed to become one."""

    at_once: int = 3  # proposals that wait at the same time
    most: int = 4  # fragments of one
    length: int = 400  # characters of all of them
    compared: int = 200  # of one attribute, the newest
    # Sections of the list of concepts; two fragments speak of one such thing.
    things: frozenset[str] = frozenset(
        ("family", "animals", "food", "leisure", "learning", "work", "things", "software", "home")
    )


CONSOLIDATE = ConsolidatePolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackPolicy:
    """How far an agent's word about what it was handed counts: for the confidence only, and bounded."""

    helped: float = 0.02  # added for one that helped …
    ceiling: float = 0.9  # … up to less than the person's own word gives
    hurt: float = 0.04  # taken away for one that made an answer worse …
    floor: float = 0.2  # … down to this for a guess,
    floor_stated: float = 0.5  # this for what the person said,
    floor_confirmed: float = 0.8  # and this for what they confirmed: it stays clear
    waiting: int = 10  # questions "an agent says this is wrong" that wait at the same time
    pause: timedelta = timedelta(days=90)  # so long the person is not asked again about the same


FEEDBACK = FeedbackPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentPolicy:
    """When the outcome of an experiment says something."""

    least: int = 30  # sessions of each arm whose end was told
    z: float = 1.959964  # of a 95 % interval


EXPERIMENT = ExperimentPolicy()


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
