"""The vocabulary of memory: every kind, state, level and reason code, once."""

from django.db import models


class Kind(models.TextChoices):
    """What sort of thing is remembered."""

    SEMANTIC = "semantic", "Fact or preference"
    EPISODIC = "episodic", "Something that happened"
    PROCEDURAL = "procedural", "How a thing is done"


class Subtype(models.TextChoices):
    """The finer sort; importance, half-life and lifetime depend on it."""

    FACT = "fact", "Fact"
    PREFERENCE = "preference", "Preference"
    INSTRUCTION = "instruction", "Lasting instruction"
    GOAL = "goal", "Goal"
    DECISION = "decision", "Decision"
    CONSTRAINT = "constraint", "Constraint"
    RELATION = "relation", "Relation"
    EVENT = "event", "Event"
    LESSON = "lesson", "Lesson"
    WORK_PROGRESS = "work_progress", "Work progress"
    BROWSING = "browsing", "Browsing"
    PATTERN = "pattern", "Pattern"
    PROCEDURE = "procedure", "Procedure"


KIND_OF_SUBTYPE = dict.fromkeys(Subtype, Kind.SEMANTIC) | {
    Subtype.EVENT: Kind.EPISODIC,
    Subtype.LESSON: Kind.EPISODIC,
    Subtype.WORK_PROGRESS: Kind.EPISODIC,
    Subtype.BROWSING: Kind.EPISODIC,
    Subtype.PATTERN: Kind.EPISODIC,
    Subtype.PROCEDURE: Kind.PROCEDURAL,
}


class State(models.TextChoices):
    """Where a memory stands. Superseded belongs to versions, not here."""

    PENDING = "pending", "Waiting for the person"
    ACTIVE = "active", "In use"
    PAUSED = "paused", "Paused by the person"
    DISPUTED = "disputed", "Disputed"
    ARCHIVED = "archived", "Archived"
    FORGOTTEN = "forgotten", "Forgotten, can be undone"
    ERASING = "erasing", "Being erased"
    ERASED = "erased", "Erased"


# Behind the fence: nothing of it can be read any more.
GONE = (State.ERASING, State.ERASED)


class Sensitivity(models.IntegerChoices):
    """How closely a memory is held. SECRET is never stored."""

    GENERAL = 10, "General"
    PERSONAL = 20, "Personal"
    CONTACT = 30, "Contact or identity"
    SPECIAL = 40, "Special"
    SECRET = 50, "Secret"


class Origin(models.TextChoices):
    """Where a memory came from; set by the server, never by the text."""

    PERSON = "person", "The person"
    PERSON_QUOTED = "person_quoted", "The person, quoted by an agent"
    AGENT = "agent", "An agent worked it out"
    TOOL = "tool", "A tool"
    WEB = "web", "A web page"
    OTHER_AGENT = "other_agent", "Another agent"
    IMPORT = "import", "Imported"


class Trust(models.IntegerChoices):
    """How far a memory may be believed. Never rises without the person."""

    UNTRUSTED = 10, "Untrusted"
    INFERRED = 20, "Inferred"
    STATED = 30, "Stated by the person"
    CONFIRMED = 40, "Confirmed by the person"


class Outcome(models.TextChoices):
    """The gate's answer for one candidate."""

    ACCEPTED = "accepted", "Accepted"
    REINFORCED = "reinforced", "Reinforced an existing memory"
    SUPERSEDED = "superseded", "Replaced the current version"
    NEEDS_CONFIRMATION = "needs_confirmation", "Waiting for the person"
    REFUSED = "refused", "Refused"


class Reason(models.TextChoices):
    """Why the gate answered as it did."""

    EXPLICIT = "explicit", "The person asked to remember it"
    STATED = "stated", "The person said it outright"
    INFERRED = "inferred", "An agent worked it out"
    RECOGNISED = "recognised", "No rule reads it, but the classifier holds it worth keeping"
    UNREMARKABLE = "unremarkable", "The classifier sees nothing worth keeping"
    DUPLICATE_EXACT = "duplicate_exact", "Same words as an existing memory"
    DUPLICATE_NEAR = "duplicate_near", "Same meaning as an existing memory"
    NEW_VALUE = "new_value", "A newer value of a single-valued attribute"
    OLDER_VALUE = "older_value", "Older than the current value"
    LOWER_TRUST = "lower_trust", "Contradicts something better founded"
    CONFLICT = "conflict", "Contradicts an existing memory"
    CORRECTED = "corrected", "Corrected by hand"
    SENSITIVE = "sensitive", "Sensitive: the person decides"
    BEHAVIOUR = "behaviour", "Would change behaviour: the person decides"
    UNTRUSTED_SOURCE = "untrusted_source", "From a source that is not believed by itself"
    FRAGMENTS = "fragments", "Says in one what several memories say"
    ASK_FIRST = "ask_first", "The person wants to be asked first"
    ONLY_STATED = "only_stated", "The person keeps only what they say"
    SECRET = "secret", "Looked like a password, key or card number"
    EMPTY = "empty", "Nothing to remember was left"
    TOO_LONG = "too_long", "Too long for one memory"
    SMALL_TALK = "small_talk", "Small talk"
    PROCESS = "process", "Chatter about the conversation itself"
    TRANSIENT = "transient", "A passing state"
    QUESTION = "question", "A question"
    HYPOTHETICAL = "hypothetical", "Hypothetical"
    FICTION = "fiction", "Fiction or role play"
    JOKE = "joke", "A joke or sarcasm"
    QUOTATION = "quotation", "Somebody else's words"
    NOT_ABOUT_PERSON = "not_about_person", "Not about the person"
    NOT_USEFUL = "not_useful", "Would not change a decision in another task"
    DO_NOT_REMEMBER = "do_not_remember", "The person asked not to remember it"
    FORGET_WISH = "forget_wish", "The person asked to forget something"
    FORGOTTEN = "forgotten", "What the person asked to forget was forgotten at once"
    FORGET_ASKED = "forget_asked", "What the person asked to forget waits for their word"
    WRONG_SPEAKER = "wrong_speaker", "Not said by the person"
    NOT_QUOTED = "not_quoted", "Proposed by a model without words that were said"
    INSTRUCTION_LIKE = "instruction_like", "Reads like an order to the machine"
    TOO_MANY = "too_many", "The agent brought more than it may in an hour"
    FULL = "full", "The person has as many memories as may be"
    FLOOD = "flood", "Too many of one kind: the agent learns nothing for now"
    AUTHORITATIVE_ELSEWHERE = "authoritative_elsewhere", "A system of record owns this"
    NO_GRANT = "no_grant", "The agent has no grant for this"
    KIND_NOT_GRANTED = "kind_not_granted", "The agent's grant does not cover this kind"
    LEVEL_NOT_GRANTED = "level_not_granted", "The agent's grant does not cover this sensitivity"
    MEMORY_OFF = "memory_off", "Learning is switched off"
    RESTORED = "restored", "Brought back as it was, from the person's own signed export"
    SUPPRESSED = "suppressed", "The person does not want this learnt again"


class Role(models.TextChoices):
    """Who speaks in a message."""

    USER = "user", "The person"
    ASSISTANT = "assistant", "The agent"
    TOOL = "tool", "A tool"
    SYSTEM = "system", "System text"


class Visibility(models.TextChoices):
    """Which agents may see a memory."""

    USER = "user", "Every agent the person allows"
    AGENT = "agent", "Only the agent that wrote it"


class IndexState(models.TextChoices):
    """Whether the vector of the current version exists yet."""

    PENDING = "pending", "Waiting for its vector"
    READY = "ready", "Indexed"


class Layer(models.TextChoices):
    """Where a recall looks, in this order."""

    WORKING = "working", "The running session, word for word"
    LONG_TERM = "long_term", "Memories about the person"
    KNOWLEDGE = "knowledge", "Documents of the organisation"


class RecallStatus(models.TextChoices):
    """The three distinct answers to a recall."""

    FOUND = "found", "Found"
    NOTHING_RELEVANT = "nothing_relevant", "Nothing relevant"
    DEGRADED = "degraded", "Could not search everything"


class ReviewKind(models.TextChoices):
    """Why an item waits for the person."""

    NEW = "new", "A new guess"
    CHANGE = "change", "A change of something remembered"
    CONFLICT = "conflict", "Two memories disagree"
    SENSITIVE = "sensitive", "Sensitive"
    STALE = "stale", "Still true?"
    FORGET = "forget", "You asked an agent to forget it"
    MERGE = "merge", "These could be one"
    WRONG = "wrong", "An agent says this is wrong"


class LinkKind(models.TextChoices):
    """What a memory is to another one that it is linked to."""

    ABOUT = "about", "About it"
    PART_OF = "part_of", "A part of it"
    RELATED = "related", "Related to it"


class ReviewState(models.TextChoices):
    """What became of a review item."""

    OPEN = "open", "Open"
    KEPT = "kept", "Kept"
    EDITED = "edited", "Edited and kept"
    REJECTED = "rejected", "Not true"
    LAPSED = "lapsed", "Lapsed"


class ConflictState(models.TextChoices):
    """What became of a conflict."""

    OPEN = "open", "Open"
    RESOLVED = "resolved", "Resolved"


class ErasureState(models.TextChoices):
    """Where an erasure request stands."""

    REQUESTED = "requested", "Requested"
    CONFIRMED = "confirmed", "Confirmed"
    FENCED = "fenced", "Fenced"
    RUNNING = "running", "Running"
    VERIFYING = "verifying", "Verifying"
    ERASED = "erased", "Erased online"
    AWAITING_BACKUP_EXPIRY = "awaiting_backup_expiry", "Waiting for backups to expire"
    COMPLETED = "completed", "Completed"
    NEEDS_ATTENTION = "needs_attention", "Needs the operator"
    ON_HOLD = "on_hold", "On hold"
    REJECTED = "rejected", "Rejected"
    CANCELLED = "cancelled", "Cancelled before the fence"


class ErasureScope(models.TextChoices):
    """How much an erasure covers."""

    MEMORIES = "memories", "The named memories and the messages that carried them"
    SESSION = "session", "One session and what came from it"
    MESSAGES = "messages", "The named messages and what came from them"
    WORDING = "wording", "One wording of a memory and the messages that carried it"
    PERSON = "person", "Everything about the person"


class StepState(models.TextChoices):
    """Where one store's part of an erasure stands."""

    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed, retrying"


class JobState(models.TextChoices):
    """Where a job in the background stands."""

    PENDING = "pending", "Pending"
    RUNNING = "running", "Running"
    SUCCEEDED = "succeeded", "Succeeded"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


# What a worker still has to do, or does now.
UNFINISHED = (JobState.PENDING, JobState.RUNNING)


class JobKind(models.TextChoices):
    """What a job does."""

    EXTRACT = "extract", "Extract memories from messages"
    EMBED = "embed", "Compute vectors"
    INDEX = "index", "Read and index a document"
    REEMBED = "reembed", "Make the vectors of a new embedder"
    SUMMARISE = "summarise", "Tell a session's summary in fewer words"
    RESCAN = "rescan", "Let what is stored pass the door again"
    DECAY = "decay", "Put away what has faded, erase what was put away long ago"
    IMPORT = "import", "Bring in a file of memories"


class SuppressionBasis(models.TextChoices):
    """What a suppression matches."""

    ATTRIBUTE = "attribute", "An attribute"
    EVENT = "event", "A source message"
    WORDING = "wording", "A normalised wording"
    DERIVED = "derived", "What was worked out from memories"
