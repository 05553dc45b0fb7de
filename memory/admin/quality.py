"""How well memory serves, in numbers without content: of a tenant, or one of its agents."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Avg, Count, F, Q, QuerySet
from django.db.models.functions import TruncDay
from django.utils import timezone

from accounts.choices import ActorKind, AuditCode
from memory.admin.models import Agent, Decision, Erasure, Line, Recall, Review, Verdict
from memory.admin.models.twin import Unnest
from memory.charts import Chart, bars
from memory.choices import Outcome, Reason, RecallStatus, ReviewState
from memory.choices import verdicts as said
from memory.evaluation import metrics

DAYS = (7, 30, 90)
KEPT = (Outcome.ACCEPTED, Outcome.SUPERSEDED, Outcome.NEEDS_CONFIRMATION)
MOST = 10_000  # erasures whose time is looked at, the newest


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """One line: what it is, and its value as shown; "–" where nothing was counted."""

    words: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One agent's line."""

    agent: Any
    recalls: int
    items: str
    tokens: str
    nothing: str
    hurt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """The page: numbers, the gate's reasons, recalls and hurts a day, and each agent's line."""

    numbers: Sequence[Number]
    reasons: Sequence[tuple[str, str, int]]
    charts: Mapping[str, Chart]
    agents: Sequence[Served]


def quality(tenant_id: uuid.UUID, *, agent_id: uuid.UUID | None, days: int) -> Quality:
    """Return what the last ``days`` days show of a tenant, or of one of its agents alone."""
    since = timezone.now() - timedelta(days=days)
    mine = {"tenant_id": tenant_id} | ({} if agent_id is None else {"agent_id": agent_id})
    recalls = Recall.objects.filter(**mine, at__gte=since)
    decided = Decision.objects.filter(**mine, created_at__gte=since)
    verdicts = Verdict.objects.filter(**mine, at__gte=since)
    numbers = [*_recalled(recalls), *_told(verdicts)]
    if agent_id is None:  # these are the person's doing, whichever agent wrote
        numbers += _of_people(tenant_id, since, written=decided.filter(outcome__in=KEPT).count())
    hurt = verdicts.filter(verdict=said.Verdict.HURT)
    return Quality(
        numbers=numbers,
        reasons=_reasons(decided),
        charts={"Recalls": _daily(recalls, since), "Made it worse": _daily(hurt, since)},
        agents=_agents(tenant_id, recalls, verdicts),
    )


def _recalled(recalls: QuerySet[Any]) -> list[Number]:
    found = recalls.aggregate(
        n=Count("pk"),
        items=Avg("result_count"),
        tokens=Avg("tokens"),
        nothing=Count("pk", filter=Q(status=RecallStatus.NOTHING_RELEVANT)),
        degraded=Count("pk", filter=Q(status=RecallStatus.DEGRADED)),
    )
    return [
        Number(words="Recalls", value=str(found["n"])),
        Number(words="Items handed over, on average", value=_mean(found["items"])),
        Number(words="Tokens handed over, on average", value=_mean(found["tokens"])),
        Number(words="Nothing relevant", value=_share(found["nothing"], found["n"])),
        Number(words="Could not search everything", value=_share(found["degraded"], found["n"])),
    ]


def _told(verdicts: QuerySet[Any]) -> list[Number]:
    found = verdicts.aggregate(
        n=Count("pk", filter=~Q(verdict="")),
        helped=Count("pk", filter=Q(verdict=said.Verdict.HELPED)),
        hurt=Count("pk", filter=Q(verdict=said.Verdict.HURT)),
        wrong=Count("pk", filter=Q(verdict=said.Verdict.WRONG)),
    )
    ends = _ends(verdicts)
    return [
        Number(words="Feedback: helped", value=_share(found["helped"], found["n"])),
        Number(words="Feedback: made it worse", value=_share(found["hurt"], found["n"])),
        Number(words="Feedback: wrong", value=_share(found["wrong"], found["n"])),
        Number(words="Tasks that went well", value=_share(ends[True], ends.total())),
    ]


def _ends(verdicts: QuerySet[Any]) -> Counter[bool]:
    """Count how tasks ended: of each recall once, however often it was told, what was told last."""
    told = verdicts.filter(success__isnull=False)
    of_recalls = told.filter(recall__isnull=False).order_by("recall_id", "-at", "-id")
    last = [of_recalls.distinct("recall_id"), told.filter(recall=None)]
    return Counter(one for rows in last for one in rows.values_list("success", flat=True))


def _of_people(tenant_id: uuid.UUID, since: datetime, *, written: int) -> list[Number]:
    corrected = Line.objects.filter(
        tenant_id=tenant_id,
        at__gte=since,
        code=AuditCode.MEMORY_CORRECTED,
        actor_kind=ActorKind.PERSON,
    ).count()
    answers = Review.objects.filter(tenant_id=tenant_id, decided_at__gte=since)
    answered = answers.aggregate(
        n=Count("pk"), rejected=Count("pk", filter=Q(state=ReviewState.REJECTED))
    )
    done = Erasure.objects.filter(tenant_id=tenant_id, erased_at__gte=since)
    took = done.annotate(took=F("erased_at") - F("requested_at")).order_by("-erased_at")
    seconds = [one.total_seconds() for one in took.values_list("took", flat=True)[:MOST]]
    per = f"{100 * corrected / written:.1f}" if written else "–"
    return [
        Number(words="Corrections by people, per 100 memories written", value=per),
        Number(
            words="Questions rejected by people", value=_share(answered["rejected"], answered["n"])
        ),
        Number(words="Seconds to erase, half of them", value=_at(seconds, 0.5)),
        Number(words="Seconds to erase, 95 % of them", value=_at(seconds, 0.95)),
    ]


def _reasons(decided: QuerySet[Any]) -> list[tuple[str, str, int]]:
    """Return how often each reason was given: its code, its words, the number."""
    rows = decided.order_by().annotate(one=Unnest(F("reasons"))).values("one")
    counted = rows.annotate(n=Count("pk")).order_by("-n", "one")
    words = dict(Reason.choices)
    return [(row["one"], words.get(row["one"], ""), row["n"]) for row in counted]


def _daily(rows: QuerySet[Any], since: datetime) -> Chart:
    counted = rows.order_by().annotate(day=TruncDay("at")).values("day").annotate(n=Count("pk"))
    known = {row["day"].date(): row["n"] for row in counted}
    days = (timezone.now() - since).days
    first = timezone.localtime(since) + timedelta(days=1)  # TruncDay counts the zone's days, too
    spans = [first + timedelta(days=number) for number in range(days)]
    return bars([(day, known.get(day.date(), 0)) for day in spans])


def _agents(tenant_id: uuid.UUID, recalls: QuerySet[Any], verdicts: QuerySet[Any]) -> list[Served]:
    asked = recalls.filter(agent_id__isnull=False).order_by().values("agent_id")
    counted = asked.annotate(
        n=Count("pk"),
        items=Avg("result_count"),
        tokens=Avg("tokens"),
        nothing=Count("pk", filter=Q(status=RecallStatus.NOTHING_RELEVANT)),
    )
    told = verdicts.exclude(verdict="").order_by().values("agent_id")
    hurts = told.annotate(n=Count("pk"), hurt=Count("pk", filter=Q(verdict=said.Verdict.HURT)))
    by_agent = {row["agent_id"]: row for row in hurts}
    names = {one.pk: one for one in Agent.objects.filter(tenant_id=tenant_id)}
    nothing: dict[str, int] = {"n": 0, "hurt": 0}
    return [
        Served(
            agent=names.get(row["agent_id"]),
            recalls=row["n"],
            items=_mean(row["items"]),
            tokens=_mean(row["tokens"]),
            nothing=_share(row["nothing"], row["n"]),
            hurt=_share(*_pair(by_agent.get(row["agent_id"], nothing))),
        )
        for row in counted.order_by("-n")
    ]


def _pair(row: Mapping[str, int]) -> tuple[int, int]:
    return row["hurt"], row["n"]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} % ({part} of {whole})" if whole else "–"


def _mean(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _at(values: Sequence[float], share: float) -> str:
    return f"{metrics.percentile(values, share):.1f}" if values else "–"
