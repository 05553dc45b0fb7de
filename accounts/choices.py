"""The vocabulary of who: kinds of actor, actions, modes and audit codes."""

from django.db import models


class ActorKind(models.TextChoices):
    """Who acts."""

    PERSON = "person", "The person"
    AGENT = "agent", "An agent"
    PIPELINE = "pipeline", "A pipeline"
    OPERATOR = "operator", "The operator"
    SYSTEM = "system", "The service itself"
    NOBODY = "nobody", "Nobody known"


class KeyKind(models.TextChoices):
    """Whom an API key speaks for."""

    AGENT = "agent", "One agent"
    PIPELINE = "pipeline", "A pipeline (knowledge only)"
    PERSON = "person", "A person"


class Action(models.TextChoices):
    """What a grant may allow an agent to do."""

    READ = "read", "Recall and list"
    WRITE = "write", "Remember"
    CORRECT = "correct", "Correct"
    FORGET = "forget", "Forget and erase"


class MemoryMode(models.TextChoices):
    """What agents may do with memory now."""

    NORMAL = "normal", "Normal"
    USE_ONLY = "use_only", "Use but don't learn"
    OFF = "off", "Off"


class Learning(models.TextChoices):
    """What happens to what agents work out."""

    ORDINARY = "ordinary", "Keep ordinary ones"
    ASK_FIRST = "ask_first", "Ask me first"
    ONLY_STATED = "only_stated", "Only what I say"


class HoldReason(models.TextChoices):
    """Why an operator keeps what there is of a person from being destroyed."""

    LEGAL_CLAIM = "legal_claim", "A legal claim may need it"
    OFFICIAL_ORDER = "official_order", "A court or an authority ordered it"
    DUTY_TO_KEEP = "duty_to_keep", "A law says that it must be kept"


class MergeState(models.TextChoices):
    """What became of the wish to make two subjects one."""

    ASKED = "asked", "Waits for the person"
    MERGED = "merged", "The person agreed"
    REFUSED = "refused", "The person did not agree"
    UNLINKED = "unlinked", "Merged, and the id means the person no more"


class Theme(models.TextChoices):
    """How a login sees the pages."""

    SYSTEM = "system", "As the device does"
    LIGHT = "light", "Light"
    DARK = "dark", "Dark"


class LookGround(models.TextChoices):
    """By whose leave an operator looks at a person's memories."""

    GRANTED = "granted", "The person lets the operator look"
    BREAK_GLASS = "break_glass", "An operator looks without being let"


class AuditCode(models.TextChoices):
    """Every line the audit log can hold."""

    SUBJECT_CREATED = "subject.created", "A person became known"
    KEY_CREATED = "key.created", "An API key was made"
    KEY_REVOKED = "key.revoked", "An API key was revoked"
    GRANT_CREATED = "grant.created", "An agent was given rights"
    GRANT_CHANGED = "grant.changed", "What an agent may do was changed"
    PREFERENCES_CHANGED = "subject.preferences_changed", "The person changed their settings"
    DATA_EXPORTED = "data.exported", "Everything about the person was exported"
    IMPORT_OFFERED = "import.offered", "A file of memories was brought to be looked at"
    IMPORT_ACCEPTED = "import.accepted", "A file of memories was let in"
    ACCESS_DENIED = "access.denied", "Access was refused"
    SESSION_OPENED = "session.opened", "A session was opened"
    MESSAGES_APPENDED = "messages.appended", "Messages were received"
    SESSION_CLOSED = "session.closed", "A session was closed"
    SESSION_LISTED = "session.listed", "Sessions were listed"
    SESSION_READ = "session.read", "The messages of a session were read"
    CONTEXT_BUILT = "context.built", "A session was laid out for a model"
    SESSION_COMPACTED = "session.compacted", "Older turns of a session went into its summary"
    BOARD_READ = "board.read", "The board of a task was opened"
    BOARD_CHANGED = "board.changed", "The board of a task was changed"
    EVENT_READ = "event.read", "An original was opened"
    MEMORY_DECIDED = "memory.decided", "The gate decided on a candidate"
    MEMORY_READ = "memory.read", "A memory was opened"
    MEMORY_LISTED = "memory.listed", "Memories were listed"
    MEMORY_RECALLED = "memory.recalled", "Memories were recalled"
    MEMORY_EXPLAINED = "memory.explained", "It was asked why memories are handed over or not"
    MEMORY_CORRECTED = "memory.corrected", "A memory was corrected"
    MEMORY_LINKED = "memory.linked", "Two memories were linked"
    MEMORY_UNLINKED = "memory.unlinked", "A link between two memories was taken back"
    MEMORY_STATE_CHANGED = "memory.state_changed", "A memory moved to another state"
    FEEDBACK_GIVEN = "feedback.given", "An agent said how what it was handed served"
    REVIEW_DECIDED = "review.decided", "The person decided what waited"
    MODE_CHANGED = "subject.mode_changed", "The person switched memory on or off"
    SOURCE_SUPPRESSED = "source.suppressed", "What a memory came from is not learnt from again"
    SUPPRESSION_LIFTED = "suppression.lifted", "Something may be learnt again"
    INTERESTS_ERASED = "interests.erased", "What questions were counted as was erased"
    HISTORY_READ = "memory.history_read", "A memory's wordings or sources were opened"
    LINK_ISSUED = "link.issued", "A link to take charge was given"
    LINK_USED = "link.used", "A person took charge"
    LOGIN_CLOSED = "login.closed", "A person closed their login"
    MERGE_ASKED = "merge.asked", "An agent asked to make two subjects one"
    MERGE_REFUSED = "merge.refused", "The person did not agree to make two subjects one"
    MERGED = "subject.merged", "An anonymous subject became part of a person"
    UNLINKED = "subject.unlinked", "An id means a person no more"
    ERASURE_FENCED = "erasure.fenced", "An erasure began: the content is out of reach"
    ERASURE_STEP_DONE = "erasure.step_done", "One store was erased"
    ERASURE_VERIFIED = "erasure.verified", "Every store was searched and held nothing"
    ERASURE_NEEDS_ATTENTION = "erasure.needs_attention", "An erasure step keeps failing"
    HOLD_PLACED = "hold.placed", "What there is of a person may not be destroyed for now"
    HOLD_ENDED = "hold.ended", "What there is of a person may be destroyed again"
    COPIES_ERASED = "deletion.acknowledged", "An agent said that its own copies are gone"
    JOB_FAILED = "job.failed", "A job gave up"
    DOCUMENT_STORED = "document.stored", "A document was taken in"
    DOCUMENT_INDEXED = "document.indexed", "A document was read, or could not be"
    DOCUMENT_READ = "document.read", "Documents were listed or opened"
    DOCUMENT_DELETED = "document.deleted", "A document was deleted whole"
    KNOWLEDGE_SEARCHED = "knowledge.searched", "Documents were searched"
    RESCANNED = "memory.rescanned", "What was stored passed the door again and was changed"
    VAULT_ROTATED = "vault.rotated", "The keys were wrapped by another master key"
    DATABASE_RESTORED = "database.restored", "A backup was restored"
    LOOK_GRANTED = "look.granted", "The person let the operator look"
    LOOK_OPENED = "look.opened", "An operator began to look without being let"
    LOOK_ENDED = "look.ended", "A look was ended before its time"
    OPERATOR_LOOKED = "operator.looked", "An operator looked at memories"
    CONSOLE_ACTED = "console.acted", "An operator acted in the console"
