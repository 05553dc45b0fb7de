"""The only way to enqueue: by task name, ids only, after the commit; and the leases of jobs.

The work itself is a row. A message that is lost, doubled or late changes nothing: sweepers find
the row again, and every task may run twice.
"""

import time
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog
from celery import current_app
from django.db import OperationalError, connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.requests import current_request_id
from memory.choices import UNFINISHED, JobKind, JobState
from memory.models import Job
from memory.policy import WORK

log = structlog.get_logger()

# Asked for with every message, so it is asked as shortly as can be.
WAITING = """
SELECT * FROM memory_job WHERE kind = %(kind)s AND tenant_id = %(tenant_id)s AND subject_id = %(subject_id)s
  AND target_id = %(target_id)s AND agent_id IS NOT DISTINCT FROM %(agent_id)s
  AND state = 'pending' AND attempts = 0
LIMIT 1 FOR UPDATE SKIP LOCKED
"""
# They wait for the embedder, however long that takes.
PATIENT = (JobKind.EMBED, JobKind.INDEX, JobKind.REEMBED)


def enqueue(name: str, *ids: uuid.UUID, at: datetime | None = None) -> None:
    """Wake the task ``name`` with ``ids`` once the running transaction has committed, or later: ``at``."""
    transaction.on_commit(partial(_send, name, [str(one) for one in ids], at), robust=True)


def _send(name: str, ids: list[str], at: datetime | None) -> None:
    try:
        current_app.send_task(name, args=ids, eta=at, retry=False)
    except Exception as error:  # noqa: BLE001 - any broker failure: the sweeper finds the row
        log.warning("broker_unreachable", task=name, error=type(error).__name__)


def add_job(
    *,
    kind: JobKind,
    tenant_id: uuid.UUID,
    subject_id: uuid.UUID | None,
    target_id: uuid.UUID,
    agent_id: uuid.UUID | None,
    due: datetime | None = None,
) -> Job:
    """Write down work to do, and wake a worker after the commit unless it is ``due`` later."""
    job = _new(
        kind=kind,
        tenant_id=tenant_id,
        subject_id=subject_id,
        target_id=target_id,
        agent_id=agent_id,
        due=due,
    )
    job.save(force_insert=True)
    return job


def _new(*, due: datetime | None, **about: Any) -> Job:
    """Return a job that is not put in yet; a worker wakes after the commit unless it is ``due`` later."""
    job = Job(**about, request_id=current_request_id(), due_at=due or timezone.now())
    if due is None:
        enqueue("memory.run_job", job.id)
    return job


def job_for(
    *,
    kind: JobKind,
    tenant_id: uuid.UUID,
    subject_id: uuid.UUID,
    target_id: uuid.UUID,
    agent_id: uuid.UUID | None,
    due: datetime | None = None,
) -> Job:
    """Return the job of this kind that waits for ``target_id``, due now, or a new one.

    What is ``due`` later does not hurry one that waits.
    """
    job, new = waiting_or_new(
        kind=kind,
        tenant_id=tenant_id,
        subject_id=subject_id,
        target_id=target_id,
        agent_id=agent_id,
        due=due,
    )
    if new:
        job.save(force_insert=True)
    return job


def waiting_or_new(
    *,
    kind: JobKind,
    tenant_id: uuid.UUID,
    subject_id: uuid.UUID,
    target_id: uuid.UUID,
    agent_id: uuid.UUID | None,
    due: datetime | None = None,
) -> tuple[Job, bool]:
    """Return what `job_for` does, and whether it is new: the caller puts that in with other rows.

    One that waits is locked until the commit: a worker that comes meanwhile does not begin before it
    can see what was added. It was woken for once, and is not again: a burst would fill the broker with
    messages for one session, and each of them would let it be read before anybody else's.
    """
    about = {
        "kind": kind,
        "tenant_id": tenant_id,
        "subject_id": subject_id,
        "target_id": target_id,
        "agent_id": agent_id,
    }
    job: Job | None = next(iter(Job.objects.raw(WAITING, about)), None)
    if job is None:
        return _new(due=due, **about), True
    if due is None and job.due_at > timezone.now():
        Job.objects.filter(id=job.id).update(due_at=timezone.now())
        enqueue("memory.run_job", job.id)
    return job, False


def reembed_job(*, tenant_id: uuid.UUID, subject_id: uuid.UUID | None) -> tuple[Job, bool]:
    """Return the job that embeds a person's wordings, or a tenant's passages, anew; is it new?"""
    at_work = Job.objects.filter(
        kind=JobKind.REEMBED, tenant_id=tenant_id, subject_id=subject_id, state__in=UNFINISHED
    ).first()
    if at_work is not None:
        return at_work, False
    job = add_job(
        kind=JobKind.REEMBED,
        tenant_id=tenant_id,
        subject_id=subject_id,
        target_id=subject_id or tenant_id,
        agent_id=None,
    )
    return job, True


def note_progress(job: Job, done: int, total: int) -> None:
    """Write down how far a job is, and hold its lease on."""
    until = timezone.now() + timedelta(seconds=WORK.lease_seconds)
    _at_work(job).update(done=done, total=total, leased_until=until)


def is_cancelled(job: Job) -> bool:
    """Whether an operator has stopped the job while it is done."""
    return not _at_work(job).exists()


def _at_work(job: Job) -> QuerySet[Job]:
    """The job's row, unless somebody has put an end to it."""
    return Job.objects.filter(id=job.id, state__in=UNFINISHED)


def is_free(now: datetime) -> Q:
    """What nobody is at: it has no lease, or one that has run out or that nobody can have taken by this clock.

    A lease that ends later than any taken now is from before the clock was set back; who holds it may
    be gone. Twice its length, so that two machines' clocks may differ by one.
    """
    longest = now + 2 * timedelta(seconds=WORK.lease_seconds)
    return Q(leased_until__isnull=True) | Q(leased_until__lt=now) | Q(leased_until__gt=longest)


def is_due(now: datetime, *, within: float) -> Q:
    """What is to be done now: its time has come, or is so far off as nothing was put off by this clock.

    ``within`` so many seconds all of it is to be done. Twice as much is allowed, as for leases.
    """
    return Q(due_at__lte=now) | Q(due_at__gt=now + 2 * timedelta(seconds=within))


def due_jobs(limit: int = 100) -> list[uuid.UUID]:
    """Return the ids of jobs that wait, or whose worker's lease has run out."""
    now = timezone.now()
    due = is_due(now, within=WORK.longest_pause_seconds)
    waiting = Job.objects.filter(is_free(now), due, state__in=UNFINISHED)
    return list(waiting.order_by("due_at").values_list("id", flat=True)[:limit])


def in_time[T](due: Iterable[T]) -> Iterator[T]:
    """Yield of what is ``due`` the first, and as many more as a sweep may still begin.

    The rest is the next sweep's: one that went on would be ended by its task's limit, in the middle of
    somebody's work.
    """
    until = time.monotonic() + WORK.sweep_seconds
    for one in due:
        yield one
        if time.monotonic() >= until:
            return


def lease_job(job_id: uuid.UUID) -> Job | None:
    """Take the job for the length of a lease; None if it is done or another worker has it.

    Whoever adds to it at this moment is waited for, since nobody is woken for it again, but not for
    long: they may hang, and other work waits behind this. The sweep comes back.
    """
    with suppress(OperationalError), transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [WORK.lock_wait])
        Job.objects.select_for_update().filter(id=job_id).first()
        now = timezone.now()  # a lease begins when it is taken, however long that was waited for
        job = Job.objects.filter(is_free(now), id=job_id, state__in=UNFINISHED).first()
        if job is None:
            return None
        job.state = JobState.RUNNING
        job.attempts += 1
        job.leased_until = now + timedelta(seconds=WORK.lease_seconds)
        job.save(update_fields=["state", "attempts", "leased_until"])
        return job
    return None


def finish_job(job: Job) -> None:
    """Mark the job as done; call it in the transaction of the work itself."""
    _at_work(job).update(
        state=JobState.SUCCEEDED, finished_at=timezone.now(), leased_until=None, error=""
    )


def note_place(job: Job, cursor: str, *done: str) -> None:
    """Note where a long job is, with one more of each of ``done``, and hold its lease on."""
    job.cursor = cursor
    if done:
        counts = Counter(job.counts) + Counter(done)
        job.tally = [f"{what} {count}" for what, count in counts.items()]
    until = timezone.now() + timedelta(seconds=WORK.lease_seconds)
    _at_work(job).update(cursor=job.cursor, tally=job.tally, leased_until=until)


def put_back(job: Job, *, due: datetime | None = None) -> bool:
    """Put back a job that did not fail: for ``due``, or to be gone on with at once.

    Return whether it goes on; one that was cancelled does not.
    """
    goes_on = bool(
        _at_work(job).update(
            state=JobState.PENDING,
            due_at=due or timezone.now(),
            leased_until=None,
            attempts=max(job.attempts - 1, 0),
        )
    )
    if goes_on and due is None:
        enqueue("memory.run_job", job.id)
    return goes_on


def fail_job(job: Job, error: Exception) -> bool:
    """Put the job back with a delay, or give it up; return whether it was given up.

    The delay doubles with each attempt; who cannot answer and says for how long is not asked before.
    """
    # A vector that is missing stays missing until the embedder is back, however long that takes.
    given_up = job.attempts >= WORK.attempts and job.kind not in PATIENT
    delay = min(WORK.backoff_seconds * 2 ** min(job.attempts, 16), WORK.backoff_cap_seconds)
    asked = min(float(getattr(error, "retry_after", 0)), WORK.longest_pause_seconds)
    changed = _at_work(job).update(
        state=JobState.FAILED if given_up else JobState.PENDING,
        due_at=timezone.now() + timedelta(seconds=max(delay, asked)),
        leased_until=None,
        finished_at=timezone.now() if given_up else None,
        error=type(error).__name__,
    )
    return given_up and bool(changed)
