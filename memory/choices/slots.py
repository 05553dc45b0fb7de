"""Attributes of the service's own: what a memory is, where that is no slot of the person's."""

# How a kind of task is done (one way at a time), how such tasks ended, what a session held besides,
# what happens on a weekday (one count at a time), and what fragments would become if the person agrees.
PROCEDURE_SLOT, TASK_SLOT, SESSION_SLOT = "procedure", "task", "session"
PATTERN_SLOT, MERGE_SLOT = "pattern", "merge"
OWN_SLOTS = (PROCEDURE_SLOT, TASK_SLOT, SESSION_SLOT, PATTERN_SLOT, MERGE_SLOT)
# What the service worked out by itself, and does not work out again once it was not wanted.
WORKED_OUT = (PATTERN_SLOT, MERGE_SLOT, SESSION_SLOT)
# Episodes that the service writes when something ends: no sign of an agent that brings too much.
ENDINGS = (TASK_SLOT, SESSION_SLOT)
