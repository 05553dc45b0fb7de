"""The vocabulary of files of memories on their way out and in."""

from django.db import models

# What left with an export, where it was not everything: the reason of its line in the log.
PART, LOG = "part", "log"


class ImportState(models.TextChoices):
    """How far a file of memories is on its way in."""

    OFFERED = "offered", "Looked at, waits for the person's yes"
    RUNNING = "running", "Being brought in"
    DONE = "done", "Brought in; the file is gone"


class ImportGroup(models.TextChoices):
    """What an entry of a file is beside what is there."""

    NEW = "new", "New"
    CHANGED = "changed", "Says something else about the same"
    IDENTICAL = "identical", "Already there"
    BLOCKED = "blocked", "May not come in"
