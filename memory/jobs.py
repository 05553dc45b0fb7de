"""Doing the work that waits: one job at a time, leased, safe to run twice."""

import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

import structlog
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import ActorKind, AuditCode, MemoryMode
from accounts.models import Subject, Tenant
from accounts.principal import Principal
from accounts.requests import request_of
from accounts.subjects import find_subject, person, rights_for, system
from memory import measuring, queue
from memory.choices import UNFINISHED, JobKind, JobState
from memory.errors import NotFound
from memory.forget.decay import decay
from memory.forget.moves import honour_refusals
from memory.forget.wishes import obey
from memory.index.serving import outdated
from memory.knowledge.index import index
from memory.knowledge.reembedding import reembed as reembed_passages
from memory.models import Decision, Job
from memory.policy import DECAY, SESSION, WORK
from memory.providers import deadline
from memory.providers.embedding import get_embedder
from memory.rescan.documents import scan_documents
from memory.rescan.scan import scan
from memory.rounds import kept_apart
from memory.sessions.episodes import remember_session
from memory.sessions.summaries import reword
from memory.transfer.importing import bring_in
from memory.write.extraction import extract_session
from memory.write.indexing import embed_waiting, reembed

log = structlog.get_logger()


def run_job(job_id: uuid.UUID, *, at_once: bool = False) -> None:
    """Lease one job and do it; a job somebody else has, or that is done, is left alone.

    A failure puts the job back with a delay, or gives it up after the policy's attempts. What takes
    longer than the policy's patience is put back as it stands. ``at_once`` also does what may wait.
    """
    job = queue.lease_job(job_id)
    if job is None:
        return
    if job.subject_id and find_subject(job.tenant_id, subject_id=job.subject_id) is None:
        queue.finish_job(job)  # the person was erased whole: nothing is left to be done
        return
    with request_of(job.request_id), measuring.job(job.kind) as timing, measuring.watched():
        timing.outcome = _try(job, at_once=at_once)


def _try(job: Job, *, at_once: bool) -> str:
    """Do a leased job; return how that ended, for the metrics."""
    try:
        with deadline.within(WORK.patience), deadline.unless(partial(queue.is_cancelled, job)):
            return _work(job, at_once=at_once)
    except deadline.OutOfTime:
        return "put_back" if queue.put_back(job) else "cancelled"
    except Exception as error:
        log.exception("job_failed", job=str(job.id), kind=job.kind, attempts=job.attempts)
        if not queue.fail_job(job, error):
            return "failed"
        _give_up(job)
        return "given_up"


def _work(job: Job, *, at_once: bool) -> str:
    if job.kind == JobKind.INDEX:
        if index(job.tenant_id, job.target_id):
            queue.put_back(job)
            return "put_back"
    elif job.kind == JobKind.EMBED:
        embed_waiting(_service(job))
    elif job.kind == JobKind.REEMBED:
        again = reembed if job.subject_id else reembed_passages
        again(_service(job), progress=partial(queue.note_progress, job))
    elif visits := VISITS.get(job.kind):
        visits(job)
    elif principal := _principal(job):
        due = _of_session(principal, job, at_once=at_once)
        if due is not None:
            queue.put_back(job, due=due)
            return "put_back"
    queue.finish_job(job)
    return "done"


def _of_session(principal: Principal, job: Job, *, at_once: bool) -> datetime | None:
    """Read a session for memories, or tell its summary; return when to come back, if at all."""
    if job.kind == JobKind.SUMMARISE:
        reword(principal, job.target_id)
        return None
    with measuring.step(measuring.Step.EXTRACT):
        due = extract_session(principal, job.target_id, obey=obey, at_once=at_once)
    if due is None:
        honour_refusals(principal, job.target_id)
        remember_session(principal, job.target_id)
    return due


def _rescan(job: Job) -> None:
    look = scan_documents if job.subject_id is None else scan
    _follow(job, look(_service(job), job.cursor))


def _import(job: Job) -> None:
    if (subject := find_subject(job.tenant_id, subject_id=job.subject_id)) is not None:
        _follow(job, bring_in(person(subject), job.target_id, job.cursor))


def _follow(job: Job, work: Iterable[tuple[str, str | None]]) -> None:
    """Note each place that the work has come to, with what was done there, if anything was."""
    for place, done in work:
        queue.note_place(job, place, *([done] if done else []))
        deadline.check()


def _decay(job: Job) -> None:
    """Visit the tenant's people one after the other; the place is the last who is done with.

    Nobody's memory fades while they have switched it off: no agent could have used it.
    """
    now = timezone.now()
    off = Q(memory_mode_until__isnull=True) | Q(memory_mode_until__gt=now)
    people = Subject.objects.of_tenant(job.tenant_id).filter(erased_at__isnull=True)
    people = people.exclude(off, memory_mode=MemoryMode.OFF)
    if job.cursor:
        people = people.filter(id__gt=job.cursor)
    for one in people.order_by("id").values_list("id", flat=True).iterator():
        principal = system(job.tenant_id, one, label="decay")
        with kept_apart("sweep_decay", one):
            decay(principal, report=lambda done: queue.note_place(job, job.cursor, *done))
        queue.note_place(job, str(one))
        deadline.check()


# Jobs that note where they are, and go on from there.
VISITS: Mapping[str, Callable[[Job], None]] = {
    JobKind.RESCAN: _rescan,
    JobKind.DECAY: _decay,
    JobKind.IMPORT: _import,
}


def tonight() -> list[Job]:
    """Write down the night's decay for each tenant that has no such job since the hour was struck."""
    now = timezone.now()
    struck = now.replace(hour=DECAY.hour, minute=0, second=0, microsecond=0)
    begun = struck if struck <= now else struck - timedelta(days=1)
    known = Job.objects.filter(
        Q(created_at__gte=begun) | Q(state__in=UNFINISHED), kind=JobKind.DECAY
    )
    with transaction.atomic():
        due = Tenant.objects.exclude(id__in=known.values("tenant_id")).values_list("id", flat=True)
        return [
            queue.add_job(
                kind=JobKind.DECAY, tenant_id=one, subject_id=None, target_id=one, agent_id=None
            )
            for one in due
        ]


def _service(job: Job) -> Principal:
    """Return the service itself, at work for whom the job is about, if it is about anybody."""
    if job.subject_id is not None:
        return system(job.tenant_id, job.subject_id, label="jobs")
    return Principal(kind=ActorKind.SYSTEM, tenant_id=job.tenant_id, actor_id=None, label="jobs")


def _principal(job: Job) -> Principal | None:
    """Return the agent that handed the work over, with the rights its grant gives it now."""
    subject = find_subject(job.tenant_id, subject_id=job.subject_id)
    if subject is None:
        return None
    agent = Principal(
        kind=ActorKind.AGENT, tenant_id=job.tenant_id, actor_id=job.agent_id, label="worker"
    )
    return rights_for(agent, subject)


def _give_up(job: Job) -> None:
    with acting(_service(job)) as principal:
        audit.record(principal, AuditCode.JOB_FAILED, object_kind="job", object_id=job.id)


def finished(job: Job) -> Job:
    """Return the job once it is done or given up, here or by a worker, however long that takes."""
    while True:
        run_job(job.id)
        job.refresh_from_db()
        if job.state not in UNFINISHED:
            return job
        time.sleep(0.2)


def wait_for(job: Job) -> Job:
    """Do the job here if no worker has begun it, else wait for that worker; return its row.

    Waits at most the policy's seconds; the job then simply is not finished yet, and goes on without
    whoever asked.
    """
    until = time.monotonic() + SESSION.wait_seconds
    with deadline.within(SESSION.wait_seconds):
        run_job(job.id, at_once=True)
    job.refresh_from_db()
    while _is_under_way(job) and time.monotonic() < until:
        time.sleep(0.05)
        job.refresh_from_db()
    return job


def _is_under_way(job: Job) -> bool:
    due = job.state == JobState.PENDING and job.due_at <= timezone.now()
    return due or job.state == JobState.RUNNING


def reembed_all() -> list[tuple[Job, bool]]:
    """Return the jobs that embed anew what has vectors of another embedder than today's; are they new?

    Raises:
        EmbedderUnavailable: if today's embedder does not load.
    """
    return [
        queue.reembed_job(tenant_id=tenant, subject_id=person)
        for tenant, person in outdated(get_embedder().id)
    ]


def outdated_indexes() -> tuple[int, int]:
    """Return how many people and tenants have vectors of another embedder, and how many jobs see to it."""
    at_work = Job.objects.filter(kind=JobKind.REEMBED, state__in=UNFINISHED)
    return len(outdated(get_embedder().id)), at_work.count()


def unfinished(job_ids: Sequence[uuid.UUID]) -> int:
    """Return how many of these jobs are not done yet."""
    return Job.objects.filter(id__in=job_ids, state__in=UNFINISHED).count()


def access_job(principal: Principal, job_id: uuid.UUID) -> Job:
    """Return one job: of an agent's own messages, about the person whose key asks, or of documents.

    Raises:
        NotFound: if there is none, or the principal may not know of it.
    """
    job = Job.objects.filter(tenant_id=principal.tenant_id, id=job_id).first()
    if job is None:
        raise NotFound
    if job.subject_id is None:
        mine = principal.kind == ActorKind.PIPELINE
    elif principal.is_person:
        mine = principal.subject_id == job.subject_id
    else:
        mine = principal.agent_id is not None and job.agent_id == principal.agent_id
    if not mine:
        raise NotFound
    return job


def decisions_about(principal: Principal, event_ids: list[uuid.UUID]) -> list[Decision]:
    """Return what the gate decided about these events, in order."""
    with acting(principal.unlimited()):
        return list(
            Decision.objects.filter(
                tenant_id=principal.tenant_id,
                subject_id=principal.person_id,
                event_id__in=event_ids,
            ).order_by("created_at")
        )
