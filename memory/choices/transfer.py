"""The vocabulary of files of memories on their way in."""

from django.db import models


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
