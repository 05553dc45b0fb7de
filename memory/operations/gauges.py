"""What stands in the database now, as numbers: read as the console's role, which is granted no content."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db import Error
from django.db.models import Count, Min, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from memory.choices import UNFINISHED, ErasureState, JobState, StepState
from memory.choices.notices import NoticeState
from memory.models import Erasure, ErasureStep, Job, OutboxMessage
from memory.models.erasure import OPEN_STATES
from memory.operations.standing import let_go
from memory.operations.sweeps import last_runs

CONSOLE = "console"
# Each gauge: what it is, and the name of its label.
GAUGES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "keepsake_database_up": ("1 if the database answers", ()),
    "keepsake_jobs": ("Jobs that are not done, or were given up", ("state",)),
    "keepsake_queue_depth": ("Jobs that are due or running", ()),
    "keepsake_queue_age_seconds": ("For how long the oldest of them has been due", ()),
    "keepsake_erasures": ("Erasures that are not done online", ("state",)),
    "keepsake_erasure_age_seconds": ("How long ago the oldest of them was asked for", ()),
    "keepsake_erasure_steps_failed": ("Failed steps of erasures", ()),
    "keepsake_sweep_age_seconds": ("How long ago a sweeper came to its end", ("sweep",)),
    "keepsake_sweep_found": ("Rows that its last run found", ("sweep",)),
    "keepsake_sweep_late": ("1 if a sweeper should have run since", ("sweep",)),
    "keepsake_notices": ("Notices of erasures that are not delivered", ("state",)),
}
WAITING_NOTICES = (NoticeState.QUEUED, NoticeState.NEEDS_ATTENTION)

# The values of one gauge, by label; "" for one that has none.
type Values = Mapping[str, float]


class Gauges(Collector):
    """The gauges, each asked for anew."""

    def collect(self) -> Iterator[Metric]:
        """Return what stands now; if the database does not answer, that alone."""
        try:
            found = standing()
        except Error:  # InterfaceError, too: a connection that broke
            found = {"keepsake_database_up": {"": 0.0}}
        for name, values in found.items():
            words, labels = GAUGES[name]
            gauge = GaugeMetricFamily(name, words, labels=labels)
            for label, value in values.items():
                gauge.add_metric([label] if labels else [], value)
            yield gauge


def standing() -> Mapping[str, Values]:
    """Return the values of each gauge.

    Raises:
        Error: if the database does not answer.
    """
    now = timezone.now()
    due = Job.objects.using(CONSOLE).filter(state__in=UNFINISHED, due_at__lte=now)
    requests = Erasure.objects.using(CONSOLE)
    erasures = requests.filter(state__in=OPEN_STATES)
    steps = ErasureStep.objects.using(CONSOLE).filter(state=StepState.FAILED)
    jobs = Job.objects.using(CONSOLE)
    notices = OutboxMessage.objects.using(CONSOLE)
    runs = last_runs()
    return {
        "keepsake_database_up": {"": 1.0},
        "keepsake_jobs": _by_state(jobs, (*UNFINISHED, JobState.FAILED)),
        "keepsake_queue_depth": {"": float(due.count())},
        "keepsake_queue_age_seconds": {"": _age(due, "due_at", now)},
        "keepsake_erasures": _by_state(requests, (*OPEN_STATES, ErasureState.ON_HOLD)),
        "keepsake_erasure_age_seconds": {"": _age(erasures, let_go(), now)},
        "keepsake_erasure_steps_failed": {"": float(steps.count())},
        "keepsake_sweep_age_seconds": {
            run.name: (now - run.finished_at).total_seconds() for run in runs if run.finished_at
        },
        "keepsake_sweep_found": {run.name: float(run.found) for run in runs},
        "keepsake_sweep_late": {run.name: float(run.late) for run in runs},
        "keepsake_notices": _by_state(notices, WAITING_NOTICES),
    }


def _by_state(rows: QuerySet[Any], states: tuple[Any, ...]) -> Values:
    """Count the rows in each of the states, the empty ones too."""
    counted = rows.filter(state__in=states).order_by().values_list("state").annotate(n=Count("pk"))
    found = dict(counted)
    return {str(state): float(found.get(str(state), 0)) for state in states}


def _age(rows: QuerySet[Any], column: str | Coalesce, now: datetime) -> float:
    """Return the seconds since the earliest time of a column; 0 where there is no row."""
    first: datetime | None = rows.aggregate(first=Min(column))["first"]
    return 0.0 if first is None else max((now - first).total_seconds(), 0.0)
