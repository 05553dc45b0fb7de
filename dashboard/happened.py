"""The words of the activity page: for each code of the log, who did what, as a person says it."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.choices import ActorKind, AuditCode
from dashboard.words import Words
from memory.choices.transfer import LOG, PART

WHO: Mapping[str, Words] = {
    ActorKind.PERSON: pgettext_lazy("who", "You"),
    ActorKind.AGENT: pgettext_lazy("who", "An agent"),
    ActorKind.OPERATOR: pgettext_lazy("who", "The operator of this server"),
    ActorKind.SYSTEM: pgettext_lazy("who", "This service"),
    ActorKind.PIPELINE: pgettext_lazy("who", "A program that adds documents"),
    ActorKind.NOBODY: pgettext_lazy("who", "Somebody unknown"),
}
WHO_FILTERS = (ActorKind.PERSON, ActorKind.AGENT, ActorKind.OPERATOR, ActorKind.SYSTEM)

WHAT: Mapping[str, Words] = {
    AuditCode.SUBJECT_CREATED: _("began to keep memories about you"),
    AuditCode.KEY_CREATED: _("made a key"),
    AuditCode.KEY_REVOKED: _("revoked a key"),
    AuditCode.GRANT_CREATED: _("was given rights on first use"),
    AuditCode.GRANT_CHANGED: _("changed what an agent may do"),
    AuditCode.PREFERENCES_CHANGED: _("changed a setting"),
    AuditCode.DATA_EXPORTED: _("exported everything"),
    AuditCode.IMPORT_OFFERED: _("looked at a file of memories"),
    AuditCode.IMPORT_ACCEPTED: _("let a file of memories in"),
    AuditCode.DATABASE_RESTORED: _("restored a backup"),
    AuditCode.VAULT_ROTATED: _("renewed the keys"),
    AuditCode.ACCESS_DENIED: _("asked for something and was refused"),
    AuditCode.SESSION_OPENED: _("opened a conversation"),
    AuditCode.MESSAGES_APPENDED: _("handed over messages of a conversation"),
    AuditCode.SESSION_CLOSED: _("closed a conversation"),
    AuditCode.SESSION_LISTED: _("listed conversations"),
    AuditCode.SESSION_READ: _("read the messages of a conversation"),
    AuditCode.CONTEXT_BUILT: _("prepared a conversation for its model"),
    AuditCode.SESSION_COMPACTED: _("summarised the older turns of a conversation"),
    AuditCode.BOARD_READ: _("opened its notes on a task"),
    AuditCode.BOARD_CHANGED: _("changed its notes on a task"),
    AuditCode.EVENT_READ: _("opened an original message"),
    AuditCode.MEMORY_DECIDED: _("suggested a memory"),
    AuditCode.MEMORY_READ: _("opened a memory"),
    AuditCode.MEMORY_LISTED: _("listed memories"),
    AuditCode.MEMORY_RECALLED: _("recalled memories"),
    AuditCode.MEMORY_EXPLAINED: _("asked why memories are handed over or not"),
    AuditCode.MEMORY_CORRECTED: _("corrected a memory"),
    AuditCode.MEMORY_LINKED: _("linked two memories"),
    AuditCode.MEMORY_UNLINKED: _("took a link between two memories back"),
    AuditCode.MEMORY_STATE_CHANGED: _("changed the state of a memory"),
    AuditCode.FEEDBACK_GIVEN: _("said how a memory served"),
    AuditCode.REVIEW_DECIDED: _("decided about a memory"),
    AuditCode.MODE_CHANGED: _("changed the memory mode"),
    AuditCode.INTERESTS_ERASED: _("erased what questions were counted as"),
    AuditCode.SOURCE_SUPPRESSED: _("asked not to learn from a message again"),
    AuditCode.SUPPRESSION_LIFTED: _("let something be learnt again"),
    AuditCode.HISTORY_READ: _("opened the history or the sources of a memory"),
    AuditCode.DOCUMENT_STORED: _("stored a document"),
    AuditCode.DOCUMENT_INDEXED: _("made a document ready for searching"),
    AuditCode.DOCUMENT_READ: _("opened a document"),
    AuditCode.DOCUMENT_DELETED: _("deleted a document"),
    AuditCode.KNOWLEDGE_SEARCHED: _("searched documents"),
    AuditCode.LINK_ISSUED: _("gave a link to take charge"),
    AuditCode.LINK_USED: _("took charge by a link"),
    AuditCode.LOGIN_CLOSED: _("closed the login"),
    AuditCode.MERGE_ASKED: _("asked whether somebody without a name is you"),
    AuditCode.MERGE_REFUSED: _("said that somebody without a name is not you"),
    AuditCode.MERGED: _("joined what was known of another device"),
    AuditCode.UNLINKED: _("ended the link to another device"),
    AuditCode.ERASURE_FENCED: _("began an erasure"),
    AuditCode.ERASURE_STEP_DONE: _("erased it from one more place"),
    AuditCode.ERASURE_VERIFIED: _("searched every place again and found nothing"),
    AuditCode.ERASURE_NEEDS_ATTENTION: _("could not finish an erasure yet"),
    AuditCode.HOLD_PLACED: _("put what is kept about you on hold"),
    AuditCode.HOLD_ENDED: _("ended the hold on what is kept about you"),
    AuditCode.COPIES_ERASED: _("says that its own copies of what was erased are gone"),
    AuditCode.JOB_FAILED: _("gave up a job"),
    AuditCode.RESCANNED: _("looked at what is stored again and took out a secret"),
    AuditCode.LOOK_GRANTED: _("let the operator look"),
    AuditCode.LOOK_OPENED: _("began to look at your memories without asking you"),
    AuditCode.LOOK_ENDED: _("ended a look at your memories"),
    AuditCode.OPERATOR_LOOKED: _("looked at your memories"),
    AuditCode.CONSOLE_ACTED: _("acted from the console"),
}

# Some codes say more with their reason or decision.
CLOSER: Mapping[tuple[str, str], Words] = {
    (AuditCode.MEMORY_DECIDED, "refused"): _("suggested something that was refused"),
    (AuditCode.MEMORY_STATE_CHANGED, "pause"): _("paused a memory"),
    (AuditCode.MEMORY_STATE_CHANGED, "resume"): _("used a memory again"),
    (AuditCode.MEMORY_STATE_CHANGED, "archive"): _("put a memory away"),
    (AuditCode.MEMORY_STATE_CHANGED, "faded"): _("put away a memory that was not needed for long"),
    (AuditCode.MEMORY_STATE_CHANGED, "expired"): _("put away a memory whose time was over"),
    (AuditCode.MEMORY_STATE_CHANGED, "restore"): _("took a memory out again"),
    (AuditCode.MEMORY_STATE_CHANGED, "forget"): _("forgot a memory"),
    (AuditCode.MEMORY_STATE_CHANGED, "undo"): _("took a forgetting back"),
    (AuditCode.MEMORY_CORRECTED, "sensitive"): _("marked a memory as sensitive"),
    (AuditCode.MEMORY_CORRECTED, "ordinary"): _("marked a memory as not sensitive"),
    (AuditCode.DATA_EXPORTED, PART): _("exported some memories"),
    (AuditCode.DATA_EXPORTED, LOG): _("exported the activity"),
    (AuditCode.FEEDBACK_GIVEN, "helped"): _("said that what was recalled helped"),
    (AuditCode.FEEDBACK_GIVEN, "hurt"): _("said that what was recalled made the answer worse"),
    (AuditCode.FEEDBACK_GIVEN, "wrong"): _("said that a memory is wrong"),
    (AuditCode.FEEDBACK_GIVEN, ""): _("told how a task ended"),
    (AuditCode.REVIEW_DECIDED, "kept"): _("kept a memory"),
    (AuditCode.REVIEW_DECIDED, "confirm"): _("kept a memory"),
    (AuditCode.REVIEW_DECIDED, "edited"): _("edited and kept a memory"),
    (AuditCode.REVIEW_DECIDED, "rejected"): _("said that a memory is not true"),
    (AuditCode.REVIEW_DECIDED, "reject"): _("said that a memory is not true"),
    (AuditCode.REVIEW_DECIDED, "undo"): _("took a decision back"),
    (AuditCode.GRANT_CHANGED, "pause"): _("paused an agent"),
    (AuditCode.GRANT_CHANGED, "resume"): _("let an agent go on"),
    (AuditCode.GRANT_CHANGED, "disconnect"): _("disconnected an agent"),
    (AuditCode.GRANT_CHANGED, "quarantine"): _(
        "brought too much of one kind and learns nothing for a day"
    ),
    (AuditCode.MEMORY_STATE_CHANGED, "roll_back"): _("took back what an agent had brought"),
    (AuditCode.RESCANNED, "raised"): _("looked at a memory again and holds it closer"),
    (AuditCode.MODE_CHANGED, "normal"): _("set the memory mode to normal"),
    (AuditCode.MODE_CHANGED, "use_only"): _("set the memory mode to: use but don't learn"),
    (AuditCode.MODE_CHANGED, "off"): _("switched memory off"),
}

# Many memories at once, by what was done to them.
MANY: Mapping[str, Words] = {
    "pause": _("paused memories"),
    "resume": _("used memories again"),
    "forget": _("forgot memories"),
    "undo": _("took back that memories were forgotten"),
    "sensitive": _("marked memories as sensitive"),
    "ordinary": _("marked memories as not sensitive"),
}

SETTINGS = (
    AuditCode.GRANT_CREATED,
    AuditCode.GRANT_CHANGED,
    AuditCode.KEY_CREATED,
    AuditCode.KEY_REVOKED,
    AuditCode.PREFERENCES_CHANGED,
    AuditCode.MODE_CHANGED,
    AuditCode.INTERESTS_ERASED,
    AuditCode.SOURCE_SUPPRESSED,
    AuditCode.SUPPRESSION_LIFTED,
    AuditCode.LINK_ISSUED,
    AuditCode.LINK_USED,
    AuditCode.LOGIN_CLOSED,
    AuditCode.MERGE_ASKED,
    AuditCode.MERGE_REFUSED,
    AuditCode.MERGED,
    AuditCode.UNLINKED,
    AuditCode.SUBJECT_CREATED,
    AuditCode.DATA_EXPORTED,
    AuditCode.IMPORT_OFFERED,
    AuditCode.IMPORT_ACCEPTED,
    AuditCode.LOOK_GRANTED,
    AuditCode.LOOK_ENDED,
    AuditCode.CONSOLE_ACTED,
)
CHANGES = (
    AuditCode.MEMORY_DECIDED,
    AuditCode.RESCANNED,
    AuditCode.MEMORY_CORRECTED,
    AuditCode.MEMORY_STATE_CHANGED,
    AuditCode.FEEDBACK_GIVEN,
    AuditCode.REVIEW_DECIDED,
)
ERASURES = (
    AuditCode.ERASURE_FENCED,
    AuditCode.ERASURE_STEP_DONE,
    AuditCode.ERASURE_VERIFIED,
    AuditCode.ERASURE_NEEDS_ATTENTION,
    AuditCode.COPIES_ERASED,
    AuditCode.HOLD_PLACED,
    AuditCode.HOLD_ENDED,
)
LOOKS = (
    AuditCode.MEMORY_READ,
    AuditCode.MEMORY_LISTED,
    AuditCode.MEMORY_RECALLED,
    AuditCode.MEMORY_EXPLAINED,
    AuditCode.HISTORY_READ,
    AuditCode.EVENT_READ,
    AuditCode.CONTEXT_BUILT,
    AuditCode.SESSION_READ,
    AuditCode.SESSION_LISTED,
    AuditCode.OPERATOR_LOOKED,
    AuditCode.LOOK_OPENED,
    AuditCode.ACCESS_DENIED,
)
OWN_LOOKS = _("looked at what is kept here")
WHAT_FILTERS: Mapping[str, tuple[Words, tuple[str, ...]]] = {
    "changes": (_("Changes of memories"), CHANGES),
    "looks": (_("Looks and uses"), LOOKS),
    "settings": (_("Agents, keys and settings"), SETTINGS),
    "erasures": (_("Erasures"), ERASURES),
}


def what(event: Any) -> Words:
    """Return in words what a line of the log says happened."""
    if event.object_kind == "memories":
        return MANY[event.reason]
    for detail in (event.decision, event.reason):
        if found := CLOSER.get((event.code, detail)):
            return found
    if event.code == AuditCode.MEMORY_DECIDED and event.actor_kind == ActorKind.PERSON:
        return _("added a memory")
    return WHAT[event.code]
