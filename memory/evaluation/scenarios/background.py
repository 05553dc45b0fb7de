"""The work behind the answers, done here and now for the people of one story alone."""

from datetime import datetime, timedelta

from django.db.models import QuerySet, Sum
from django.utils import timezone

from accounts.subjects import system
from memory import jobs, queue
from memory.aggregation.consolidate import consolidate
from memory.choices import UNFINISHED, JobKind, StepState
from memory.evaluation.scenarios.reply import Skipped
from memory.evaluation.scenarios.world import World
from memory.forget import drive, expire
from memory.forget.decay import decay
from memory.models import ErasureStep, Job

# A story waits at most so long for work that is put off.
PATIENCE = timedelta(seconds=60)
# What ``maintain`` may ask for.
OFFERED = ("all", "expire", "decay", "consolidate", "reindex")


def run_due(world: World) -> None:
    """Do what is due now, jobs and erasures, and what only waits for the session to go idle."""
    for _ in range(100):
        ids = list(_jobs(world).filter(due_at__lte=timezone.now()).values_list("id", flat=True))
        for job_id in ids:
            jobs.run_job(job_id, at_once=True)
        steps = _steps(world).filter(due_at__lte=timezone.now())
        for erasure_id in set(steps.values_list("erasure_id", flat=True)):
            drive.run(erasure_id)
        if not ids:
            return


def settle(world: World) -> bool:
    """Do all work there is, moving the clock to what is put off; return whether none is left."""
    until = world.clock.at + PATIENCE
    run_due(world)
    while (due := _next(world)) is not None and due <= until:
        world.clock.set(max(due, world.clock.at))
        run_due(world)
    return _next(world) is None


def _jobs(world: World) -> QuerySet[Job]:
    tenants = [tenant.id for tenant in world.cast.tenants.values()]
    return Job.objects.filter(tenant_id__in=tenants, state__in=UNFINISHED).order_by("due_at")


def reembedded(world: World) -> int:
    """Return how many wordings of the story's people have been embedded anew."""
    tenants = [tenant.id for tenant in world.cast.tenants.values()]
    done = Job.objects.filter(tenant_id__in=tenants, kind=JobKind.REEMBED).aggregate(Sum("done"))
    return int(done["done__sum"] or 0)


def _steps(world: World) -> QuerySet[ErasureStep]:
    tenants = [tenant.id for tenant in world.cast.tenants.values()]
    return ErasureStep.objects.filter(tenant_id__in=tenants).exclude(state=StepState.DONE)


def _next(world: World) -> datetime | None:
    """Return when the next piece of work is due; None if there is none."""
    moments = [
        rows.order_by("due_at").values_list("due_at", flat=True).first()
        for rows in (_jobs(world), _steps(world))
    ]
    return min((one for one in moments if one is not None), default=None)


def maintain(world: World, job: str) -> None:
    """Run the jobs that otherwise run by the clock.

    Raises:
        Skipped: for a job that this version does not have.
    """
    if job not in OFFERED:
        raise Skipped(f"no job {job!r} is known here")
    for tenant_id, subject_id in world.cast.everybody():
        if job == "reindex":
            queue.reembed_job(tenant_id=tenant_id, subject_id=subject_id)
            continue
        principal = system(tenant_id, subject_id, label="expiry")
        if job in ("all", "expire"):
            expire.expire_events(principal)
            expire.end_undo_windows(principal)
        if job in ("all", "decay"):
            decay(principal, report=lambda _: None)
        if job in ("all", "consolidate"):
            consolidate(principal)
    settle(world)
