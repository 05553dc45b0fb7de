"""Which memory mode is in force: it ends by itself when its time is over."""

from datetime import datetime
from typing import Protocol

from django.utils import timezone

from accounts.choices import MemoryMode


class Switched(Protocol):
    """A person or a grant: the mode that was chosen, and when it ends."""

    memory_mode: str
    memory_mode_until: datetime | None


def mode_of(row: Switched) -> tuple[MemoryMode, datetime | None]:
    """Return the mode in force now and when it ends; None: when somebody changes it."""
    until = row.memory_mode_until
    if until is not None and until <= timezone.now():
        return MemoryMode.NORMAL, None
    return MemoryMode(row.memory_mode), until


def checked(mode: MemoryMode, until: datetime | None) -> datetime | None:
    """Return when ``mode`` ends; normal never does.

    Raises:
        ValueError: for a time that is over.
    """
    if mode == MemoryMode.NORMAL:
        return None
    if until is not None and until <= timezone.now():
        raise ValueError("This time is over.")
    return until
