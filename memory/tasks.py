"""Celery's names for the services. A task is a few lines; every one may run twice."""

import uuid

from celery import shared_task

from accounts import sealing
from memory import jobs, queue
from memory.aggregation import patterns
from memory.evaluation import runs
from memory.forget import drive, expire, telling
from memory.reviews import ageing
from memory.sessions import life
from memory.vault import audit_signer

AN_HOUR = 3600  # seconds; what measures takes longer than what serves


@shared_task(name="memory.run_job")
def run_job(job_id: str) -> None:
    """Do one job."""
    jobs.run_job(uuid.UUID(job_id))


@shared_task(name="memory.sweep_jobs")
def sweep_jobs() -> None:
    """Take up jobs whose message was lost or whose worker died."""
    for job_id in queue.due_jobs():
        jobs.run_job(job_id)


@shared_task(name="memory.run_erasure")
def run_erasure(erasure_id: str) -> None:
    """Drive one erasure."""
    drive.run(uuid.UUID(erasure_id))


@shared_task(name="memory.sweep_erasures")
def sweep_erasures() -> None:
    """Take up erasures whose steps are due."""
    drive.sweep()


@shared_task(name="memory.sweep_expired")
def sweep_expired() -> None:
    """Delete events nothing cites, and erase what was forgotten when its undo window ends."""
    expire.sweep()


@shared_task(name="memory.sweep_decay")
def sweep_decay() -> None:
    """Write the night's decay down once it is due."""
    jobs.tonight()


@shared_task(name="memory.sweep_notices")
def sweep_notices() -> None:
    """Tell agents what was erased, at the addresses they have for it."""
    telling.sweep()


@shared_task(name="memory.sweep_sessions")
def sweep_sessions() -> None:
    """Close the sessions that nobody has gone on with."""
    life.sweep()


@shared_task(name="memory.sweep_patterns")
def sweep_patterns() -> None:
    """Count anew what happens again and again."""
    patterns.sweep()


@shared_task(name="memory.sweep_reviews")
def sweep_reviews() -> None:
    """Let questions lapse, settle what was decided, and ask what may not be true any more."""
    ageing.sweep()


@shared_task(name="memory.seal_audit")
def seal_audit() -> None:
    """Seal the newest lines of the audit log."""
    sealing.seal(audit_signer())


@shared_task(name="memory.run_evaluation", soft_time_limit=AN_HOUR, time_limit=AN_HOUR + 60)
def run_evaluation(run_id: str) -> None:
    """Do one evaluation."""
    runs.run(uuid.UUID(run_id))


@shared_task(name="memory.sweep_evaluations", soft_time_limit=AN_HOUR, time_limit=AN_HOUR + 60)
def sweep_evaluations() -> None:
    """Take up evaluations whose message was lost or whose worker died."""
    for run_id in runs.due():
        runs.run(run_id)
