"""What the operator sees first: each figure with the rows behind it."""

import platform
from dataclasses import dataclass
from datetime import datetime

import django
from django.conf import settings
from django.db import connections
from django.urls import reverse
from django.utils import timezone

from memory.admin.models import ALIAS, Erasure, Job, Notice, Review, Step
from memory.choices import ErasureState, JobState, ReviewState, StepState

OPEN = (
    ErasureState.REQUESTED,
    ErasureState.CONFIRMED,
    ErasureState.FENCED,
    ErasureState.RUNNING,
    ErasureState.VERIFYING,
    ErasureState.NEEDS_ATTENTION,
    ErasureState.ON_HOLD,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of the first page. ``since`` is the oldest row's time."""

    words: str
    count: int
    address: str
    since: datetime | None = None
    alarming: bool = False


def figures() -> list[Figure]:
    """Return what is open, stuck or waiting now."""
    now = timezone.now()
    open_, failed = (
        Erasure.objects.filter(state__in=OPEN),
        Job.objects.filter(state=JobState.FAILED),
    )
    stuck = Erasure.objects.filter(state=ErasureState.NEEDS_ATTENTION)
    steps = Step.objects.filter(state=StepState.FAILED)
    waiting = Job.objects.filter(state__in=(JobState.PENDING, JobState.RUNNING), due_at__lte=now)
    notices = Notice.objects.filter(delivered_at__isnull=True)
    reviews = Review.objects.filter(state=ReviewState.OPEN)
    oldest = open_.order_by("requested_at").values_list("requested_at", flat=True).first()
    job = waiting.order_by("due_at").values_list("due_at", flat=True).first()
    return [
        _figure("Open erasures", open_.count(), "erasure", "open=yes", since=oldest),
        _figure(
            "Erasures that need attention",
            stuck.count(),
            "erasure",
            f"state__exact={ErasureState.NEEDS_ATTENTION}",
            alarming=True,
        ),
        _figure(
            "Failed erasure steps",
            steps.count(),
            "step",
            f"state__exact={StepState.FAILED}",
            alarming=True,
        ),
        _figure(
            "Failed jobs", failed.count(), "job", f"state__exact={JobState.FAILED}", alarming=True
        ),
        _figure("Jobs due or running", waiting.count(), "job", "waiting=yes", since=job),
        _figure("Notices not delivered", notices.count(), "notice", "delivered_at__isempty=1"),
        _figure("Open reviews", reviews.count(), "review", f"state__exact={ReviewState.OPEN}"),
    ]


def _figure(
    words: str,
    count: int,
    table: str,
    query: str,
    *,
    since: datetime | None = None,
    alarming: bool = False,
) -> Figure:
    address = reverse(f"admin:console_{table}_changelist") + f"?{query}"
    return Figure(
        words=words, count=count, address=address, since=since, alarming=alarming and count > 0
    )


def versions() -> dict[str, str]:
    """Return what runs here."""
    with connections[ALIAS].cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('server_version'), "
            "(SELECT extversion FROM pg_extension WHERE extname = 'vector'), current_user"
        )
        server, vector, role = cursor.fetchone()
    return {
        "Keepsake": str(settings.SPECTACULAR_SETTINGS["VERSION"]),
        "Python": platform.python_version(),
        "Django": django.get_version(),
        "PostgreSQL": server,
        "pgvector": vector or "none",
        "Embedder": str(settings.EMBEDDER),
        "Console role": role,
    }
