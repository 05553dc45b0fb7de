"""What the operator sees first: each figure with the rows behind it."""

import platform
from dataclasses import dataclass, replace
from datetime import datetime

import django
from django.conf import settings
from django.db import connections
from django.db.models import Model, Q
from django.urls import reverse
from django.utils import timezone

from accounts.choices import AuditCode
from memory.admin.manual import slug
from memory.admin.models import ALIAS, Erasure, Job, Line, Notice, Review, Step
from memory.backup.files import last_backup
from memory.choices import UNFINISHED, ErasureState, JobState, ReviewState, StepState
from memory.choices.notices import NoticeState
from memory.models.erasure import OPEN_STATES


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of the first page. ``since`` is the oldest row's time."""

    words: str
    count: int
    address: str
    since: datetime | None = None
    alarming: bool = False

    @property
    def manual(self) -> str:
        """Where the manual says what to do."""
        return slug(self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Last:
    """When something was done last, with its rows, and where the manual tells of it."""

    words: str
    at: datetime | None
    address: str
    manual: str


def due() -> Q:
    """Return what holds of the jobs whose time has come."""
    return Q(state__in=UNFINISHED, due_at__lte=timezone.now())


def figures() -> list[Figure]:
    """Return what is open, stuck or waiting now."""
    return [
        _figure(
            "Open erasures", Erasure, Q(state__in=OPEN_STATES), "open=yes", oldest="requested_at"
        ),
        _alarm("Erasures that need attention", Erasure, ErasureState.NEEDS_ATTENTION),
        _alarm("Failed erasure steps", Step, StepState.FAILED),
        _alarm("Failed jobs", Job, JobState.FAILED),
        _figure("Jobs due or running", Job, due(), "waiting=yes", oldest="due_at"),
        _figure(
            "Notices to be sent",
            Notice,
            Q(state=NoticeState.QUEUED),
            f"state__exact={NoticeState.QUEUED}",
            oldest="created_at",
        ),
        _alarm("Notices that could not be delivered", Notice, NoticeState.NEEDS_ATTENTION),
        _figure("Open reviews", Review, Q(state=ReviewState.OPEN), "state__exact=open"),
    ]


def _figure(words: str, table: type[Model], wanted: Q, query: str, *, oldest: str = "") -> Figure:
    """Count the rows that ``query`` shows in their table; ``oldest`` names the column of times."""
    rows = table._default_manager.filter(wanted)
    since = rows.order_by(oldest).values_list(oldest, flat=True).first() if oldest else None
    address = reverse(f"admin:console_{table._meta.model_name}_changelist") + f"?{query}"
    return Figure(words=words, count=rows.count(), address=address, since=since)


def _alarm(words: str, table: type[Model], state: str) -> Figure:
    """Count the rows in a state that needs somebody; any number is too many."""
    found = _figure(words, table, Q(state=state), f"state__exact={state}")
    return replace(found, alarming=found.count > 0)


def lasts() -> list[Last]:
    """Return when a backup was made and when one was restored, here or to try it."""
    restored = Line._default_manager.filter(code=AuditCode.DATABASE_RESTORED).order_by("-id")
    lines = reverse("admin:console_line_changelist")
    return [
        Last(
            words="Backup",
            at=last_backup(),
            address=reverse("admin:manual") + "#back-up",
            manual="back-up",
        ),
        Last(
            words="Restore",
            at=restored.values_list("at", flat=True).first(),
            address=f"{lines}?code__exact={AuditCode.DATABASE_RESTORED}",
            manual="restore",
        ),
    ]


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
