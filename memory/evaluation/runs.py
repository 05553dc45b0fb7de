"""Evaluations that are saved: begun from the command line or the console, and kept as numbers alone."""

import hashlib
import re
import subprocess
import tempfile
import time
import uuid
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from accounts.acting import acting
from accounts.setup import operator
from memory.aead import unseal
from memory.choices import UNFINISHED, JobState
from memory.errors import InvalidInput
from memory.evaluation.example import example
from memory.evaluation.whole import run as whole
from memory.evaluation.whole.people import Recipe
from memory.evaluation.whole.tally import flat
from memory.models import EvaluationRun, EvaluationSet
from memory.policy import WORK
from memory.queue import is_free
from memory.vault import open_tenant_vault

log = structlog.get_logger()

ALL = "all"
EXAMPLE = "example"
# Parts of a result whose names are all ours; others are named after what stands in the file.
KEPT = frozenset(
    (
        "overall", "sessions", "gated", "read", "default", "inject",
        "write", "kinds", "sensitive", "dedupe", "recall", "tasks", "stale", "leakage", "erasure", "injected", "latency",
    )
)  # fmt: skip
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
PURPOSE = "evaluation set"
TASK = "memory.run_evaluation"
EVERY = 5.0  # seconds between two notes of how far a run is
NOTE = "UPDATE memory_evaluationrun SET done = %s, total = %s, leased_until = %s WHERE id = %s"


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def version() -> str:
    """Return which revision of the code runs: the release, and the commit where there is one."""
    release = str(settings.SPECTACULAR_SETTINGS["VERSION"])
    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--dirty"],  # noqa: S607
            cwd=settings.BASE_DIR,
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return release
    return f"{release} {found.stdout.strip()}"[:60]


def check_name(name: str) -> None:
    """Refuse a name that could be a sentence.

    Raises:
        InvalidInput: says what a name is.
    """
    if name and not NAME.fullmatch(name):
        raise InvalidInput("A name is up to 40 of a-z, 0-9, ., _ and -, a letter or digit first.")


def numbers_of(result: Mapping[str, Any]) -> dict[str, float]:
    """Return what of a result may be kept: numbers under names of ours."""
    return flat({name: _plain(part) for name, part in result.items() if name in KEPT})


def _plain(part: Any) -> Any:
    """Return a part without the parts in it that are named after the file's own words."""
    if not isinstance(part, Mapping):
        return part
    return {name: one for name, one in part.items() if name not in ("by_kind", "failed")}


def save(
    result: Mapping[str, Any],
    *,
    what: str,
    name: str,
    data: str,
    path: Path,
    recipe: Mapping[str, Any],
    seconds: float,
) -> EvaluationRun:
    """Keep the numbers of an evaluation that somebody ran on the command line."""
    now = timezone.now()
    return EvaluationRun.objects.create(
        what=what,
        name=name,
        data=data,
        digest=digest_of(path),
        recipe=dict(recipe),
        version=version(),
        numbers=numbers_of(result),
        seconds=round(seconds, 1),
        state=JobState.SUCCEEDED,
        at=now - timedelta(seconds=seconds),
        finished_at=now,
    )


def due() -> list[uuid.UUID]:
    """Return the runs that wait, or whose worker is gone."""
    waiting = EvaluationRun.objects.filter(is_free(timezone.now()), state__in=UNFINISHED)
    return list(waiting.order_by("at").values_list("id", flat=True))


def run(run_id: uuid.UUID) -> None:
    """Do one evaluation that waits, and keep its numbers; one that somebody else does is left alone."""
    row = _lease(run_id)
    if row is None:
        return
    begun = time.perf_counter()
    try:
        with tempfile.TemporaryDirectory() as folder, closing(Progress(row.id)) as report:
            path = Path(folder) / "set.jsonl"
            _lay_out(row, path)
            recipe = Recipe(base=row.recipe["base"], numbers=row.recipe.get("numbers", {}))
            result = whole.evaluate(path, progress=False, recipe=recipe, report=report)
            found, digest = numbers_of(result), digest_of(path)
    except Exception as error:
        log.exception("evaluation_failed", run=str(row.id))
        _finish(row, state=JobState.FAILED, error=type(error).__name__)
        return
    seconds = round(time.perf_counter() - begun, 1)
    _finish(row, state=JobState.SUCCEEDED, numbers=found, digest=digest, seconds=seconds)


def _finish(row: EvaluationRun, **what: Any) -> None:
    what |= {"finished_at": timezone.now(), "leased_until": None}
    EvaluationRun.objects.filter(id=row.id).update(**what)


def _lease(run_id: uuid.UUID) -> EvaluationRun | None:
    with transaction.atomic():
        rows = EvaluationRun.objects.select_for_update(skip_locked=True)
        row = rows.filter(is_free(timezone.now()), id=run_id, state__in=UNFINISHED).first()
        if row is None:
            return None
        row.state, row.version = JobState.RUNNING, version()
        row.leased_until = timezone.now() + timedelta(seconds=WORK.lease_seconds)
        row.save(update_fields=["state", "version", "leased_until"])
    return row


def _lay_out(row: EvaluationRun, path: Path) -> None:
    """Write what is measured on to a file: the tenant's set, or the example."""
    if row.set_id is None:
        _, sessions, seed = row.data.split()
        example.write(path, sessions=int(sessions), seed=int(seed))
        return
    if row.owner_id is None:
        raise EvaluationSet.DoesNotExist
    service = operator(row.owner_id)
    with acting(service):
        found = EvaluationSet.objects.get(tenant_id=row.owner_id, id=row.set_id)
        key = open_tenant_vault(service).derived(PURPOSE)
        path.write_bytes(unseal(key, bytes(found.content), found.id.bytes))


class Progress:
    """Notes how far a run is, on a connection of its own: the run's transaction is rolled back.

    Its clock is the real one; the service's is moved meanwhile.
    """

    def __init__(self, run_id: uuid.UUID) -> None:
        self.run_id, self.last, self.beside = run_id, 0.0, connection.copy()

    def __call__(self, done: int, total: int) -> None:
        """Note it, and hold the lease on."""
        if time.monotonic() - self.last < EVERY:
            return
        self.last = time.monotonic()
        until = datetime.now(UTC) + timedelta(seconds=WORK.lease_seconds)
        with self.beside.cursor() as cursor:
            cursor.execute(NOTE, [done, total, until, self.run_id])

    def close(self) -> None:
        """Let the connection go."""
        self.beside.close()
