"""How a person left their pages: when they last looked, and how their list was narrowed.

Codes and times only. They decide nothing and nobody else reads them, so no line of the log is written.
"""

from datetime import timedelta

from django.utils import timezone

from accounts.models import Subject
from accounts.preferences import LONGEST

FRESH = timedelta(minutes=5)  # a look within it is not written down again


def note_visit(subject: Subject, *, pause: timedelta) -> None:
    """Note that the person looks now; after a pause this long a new visit begins."""
    now, before = timezone.now(), subject.visited_at
    if before is not None and now - before < FRESH:
        return
    if before is not None and now - before >= pause:
        subject.visit_before = before
    subject.visited_at = now
    subject.save(update_fields=["visited_at", "visit_before"])


def note_filters(subject: Subject, query: str) -> None:
    """Note by which codes the person narrows their list; nothing once they do not."""
    if query != subject.list_filters and len(query) <= LONGEST:
        subject.list_filters = query
        subject.save(update_fields=["list_filters"])
