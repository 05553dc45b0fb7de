"""The one way a sweeper goes round all people: a place is kept, time is kept, a fault stays one person's."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Subject
from memory.errors import NotFound
from memory.models import Sweep
from memory.providers.deadline import OutOfTime
from memory.queue import in_time

log = structlog.get_logger()


def go_round(sweep: str, people: QuerySet[Subject], visit: Callable[[Subject], int]) -> int:
    """Visit ``people`` in the order of their ids, as many as a sweep may begin; return what was found.

    Who was erased whole has nothing that comes to an end by itself, and is not visited.
    The next run of ``sweep`` goes on behind the last who was visited, and with the first again once
    all were. The place is kept before each visit: who brings the worker down is passed over, too.
    """
    place, _ = Sweep.objects.get_or_create(name=sweep)
    mine = Sweep.objects.filter(name=sweep)
    people = people.filter(erased_at__isnull=True)
    if place.place is not None:
        people = people.filter(id__gt=place.place)
    found, last = 0, None
    left = people.order_by("id").iterator()
    for one in in_time(left):
        last = one.id
        mine.update(place=last)
        with kept_apart(sweep, last):
            found += visit(one)
    if next(left, None) is None:
        mine.update(place=None)
    return found


@contextmanager
def kept_apart(work: str, subject_id: uuid.UUID) -> Iterator[None]:
    """Let a fault of ``work`` on one person be theirs: it is logged, and who comes next is visited.

    Raises:
        OutOfTime: of the work itself, which goes on there later.
    """
    try:
        yield
    except OutOfTime:
        raise
    except NotFound:
        return  # erased whole meanwhile
    except Exception as error:
        log.exception("visit_failed", work=work, subject=str(subject_id))
        now = timezone.now()
        Sweep.objects.filter(name=work).update(failed_at=now, error=type(error).__name__)
