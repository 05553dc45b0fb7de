"""Attributes of the service's own: what a memory is, where that is no slot of the person's."""

# How a kind of task is done (one way at a time), how such tasks ended, and what happens on a weekday
# (one count at a time).
PROCEDURE_SLOT, TASK_SLOT, PATTERN_SLOT = "procedure", "task", "pattern"
OWN_SLOTS = (PROCEDURE_SLOT, TASK_SLOT, PATTERN_SLOT)
