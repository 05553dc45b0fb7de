"""Celery's names for the services. A task is a few lines; every one may run twice.

A sweeper returns how many rows it found, which is written down.
"""

import uuid

from celery import shared_task

from accounts import sealing
from accounts.subjects import system
from memory import jobs, queue
from memory.aggregation import patterns
from memory.evaluation import runs
from memory.forget import drive, expire, telling
from memory.operations import retention
from memory.operations.sweeps import sweeper
from memory.reviews import ageing
from memory.sessions import life
from memory.vault import audit_signer

AN_HOUR = 3600  # seconds; what measures takes longer than what serves


@shared_task(name="memory.run_job")
def run_job(job_id: str) -> None:
    """Do one job."""
    jobs.run_job(uuid.UUID(job_id))


@sweeper
def sweep_jobs() -> int:
    """Take up jobs whose message was lost or whose worker died."""
    due = queue.due_jobs()
    for job_id in queue.in_time(due):
        jobs.run_job(job_id)
    return len(due)


@shared_task(name="memory.run_erasure")
def run_erasure(erasure_id: str) -> None:
    """Drive one erasure."""
    drive.run(uuid.UUID(erasure_id))


@sweeper
def sweep_erasures() -> int:
    """Take up erasures whose steps are due."""
    return drive.sweep()


@sweeper
def sweep_expired() -> int:
    """Delete events nothing cites, and erase what was forgotten when its undo window ends."""
    return expire.sweep()


@shared_task(name="memory.end_undo_windows")
def end_undo_windows(tenant_id: str, subject_id: str) -> None:
    """Erase what one person forgot and cannot take back any more."""
    ids = uuid.UUID(tenant_id), uuid.UUID(subject_id)
    principal = system(*ids, label="expiry")
    if expire.end_undo_windows(principal):
        expire.look_ahead(principal)


@sweeper
def sweep_decay() -> int:
    """Write the night's decay down once it is due."""
    return len(jobs.tonight())


@sweeper
def sweep_notices() -> int:
    """Tell agents what was erased, at the addresses they have for it."""
    return telling.sweep()


@sweeper
def sweep_sessions() -> int:
    """Close the sessions that nobody has gone on with."""
    return life.sweep()


@sweeper
def sweep_patterns() -> int:
    """Count anew what happens again and again."""
    return patterns.sweep()


@sweeper
def sweep_reviews() -> int:
    """Let questions lapse, settle what was decided, and ask what may not be true any more."""
    return ageing.sweep()


@sweeper
def seal_audit() -> int:
    """Seal the newest lines of the audit log."""
    return sealing.seal(audit_signer())


@shared_task(name="memory.run_evaluation", soft_time_limit=AN_HOUR, time_limit=AN_HOUR + 60)
def run_evaluation(run_id: str) -> None:
    """Do one evaluation."""
    runs.run(uuid.UUID(run_id))


@sweeper
def sweep_evaluations() -> int:
    """Take up evaluations whose message was lost or whose worker died."""
    due = list(runs.due())
    for run_id in due:
        queue.enqueue(runs.TASK, run_id)
    return len(due)


@sweeper
def sweep_old() -> int:
    """Delete the rows of operation whose time is over."""
    return retention.sweep()
