"""How well memory serves, in numbers without content: of a tenant, or one of its agents."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Avg, Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, TruncDay
from django.utils import timezone

from accounts.choices import ActorKind, AuditCode
from memory.admin.models import Agent, Decision, Erasure, Experiment, Line, Recall, Verdict
from memory.admin.models.twin import Unnest
from memory.charts import Chart, bars
from memory.choices import Outcome, Reason, RecallStatus, ReviewState
from memory.choices import verdicts as said
from memory.choices.experiments import Arm, ExperimentKind
from memory.evaluation import metrics
from memory.operations.standing import let_go
from memory.recall.experiments import UNTOUCHED

DAYS = (7, 30, 90)
KEPT = (Outcome.ACCEPTED, Outcome.SUPERSEDED, Outcome.NEEDS_CONFIRMATION)
ANSWERS = (ReviewState.KEPT, ReviewState.EDITED, ReviewState.REJECTED)
TAKEN_BACK = "undo"
ANSWER = Coalesce("recall_id", "pk")  # what is judged: a recall, or a memory outside of any
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
    all_recalls = Recall.objects.filter(**mine, at__gte=since)
    profiles, without = Q(policy=UNTOUCHED), _without_memory(tenant_id)
    recalls = all_recalls.exclude(profiles).exclude(without)
    decided = Decision.objects.filter(**mine, created_at__gte=since)
    verdicts = Verdict.objects.filter(**mine, at__gte=since)
    lines = Line.objects.filter(tenant_id=tenant_id, at__gte=since)
    corrected, answered = _corrected(lines, agent_id), _answered(lines, agent_id)
    rejected = [pk for pk, what in answered if what == ReviewState.REJECTED]
    written = _written(lines, agent_id).count()
    per = f"{100 * corrected.count() / written:.1f}" if written else "–"
    numbers = [
        *_recalled(recalls),
        Number(
            words="Contexts without a question", value=str(all_recalls.filter(profiles).count())
        ),
        Number(
            words="Recalls without memory, by an experiment",
            value=str(all_recalls.filter(without).count()),
        ),
        *_told(verdicts),
        Number(words="Corrections by people, per 100 memories written", value=per),
        Number(words="Questions rejected by people", value=_share(len(rejected), len(answered))),
        *_erasing(tenant_id, agent_id, since),
    ]
    return Quality(
        numbers=numbers,
        reasons=_reasons(decided),
        charts={
            "Recalls": _daily(recalls, since),
            "Made it worse": _daily(verdicts.filter(verdict=said.Verdict.HURT), since, of=ANSWER),
            "Corrections by people": _daily(corrected, since),
            "Questions rejected by people": _daily(lines.filter(pk__in=rejected), since),
        },
        agents=_agents(tenant_id, recalls, verdicts),
    )


def _without_memory(tenant_id: uuid.UUID) -> Q:
    """Return which recalls were answered without memory because an experiment said so."""
    rows = Experiment.objects.filter(tenant_id=tenant_id, kind=ExperimentKind.MEMORY)
    return Q(arm=Arm.B, experiment_id__in=list(rows.values_list("pk", flat=True)))


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
    """Count answers, not rows: five memories of one recall that made it worse did so once."""
    found = verdicts.exclude(verdict="").aggregate(
        n=Count(ANSWER, distinct=True),
        **{
            one.value: Count(ANSWER, distinct=True, filter=Q(verdict=one))
            for one in (said.Verdict.HELPED, said.Verdict.HURT, said.Verdict.WRONG)
        },
    )
    ends = _ends(verdicts)
    return [
        Number(words="Answers that helped", value=_share(found["helped"], found["n"])),
        Number(words="Answers that made it worse", value=_share(found["hurt"], found["n"])),
        Number(words="Answers with something wrong", value=_share(found["wrong"], found["n"])),
        Number(words="Recalls whose task went well", value=_share(ends[True], ends.total())),
    ]


def _ends(verdicts: QuerySet[Any]) -> Counter[bool]:
    """Count how tasks ended: of each recall once, however often it was told, what was told last."""
    told = verdicts.filter(success__isnull=False, recall__isnull=False)
    last = told.order_by("recall_id", "-at", "-id").distinct("recall_id")
    return Counter(last.values_list("success", flat=True))


def _written(lines: QuerySet[Any], agent_id: uuid.UUID | None) -> QuerySet[Any]:
    """Return the log's lines of what was written: they stay when a memory is erased."""
    kept = lines.filter(code=AuditCode.MEMORY_DECIDED, decision__in=KEPT)
    return kept if agent_id is None else kept.filter(actor_id=agent_id)


def _corrected(lines: QuerySet[Any], agent_id: uuid.UUID | None) -> QuerySet[Any]:
    corrected = lines.filter(
        code=AuditCode.MEMORY_CORRECTED, actor_kind=ActorKind.PERSON, fields__contains=["text"]
    )
    return _of_agent(corrected, agent_id)


def _answered(lines: QuerySet[Any], agent_id: uuid.UUID | None) -> list[tuple[int, str]]:
    """Return the line and the answer of each memory that people were asked about, the last one."""
    asked = lines.filter(code=AuditCode.REVIEW_DECIDED, decision__in=[*ANSWERS, TAKEN_BACK])
    last = _of_agent(asked, agent_id).order_by("object_id", "-id").distinct("object_id")
    return [row for row in last.values_list("pk", "decision") if row[1] != TAKEN_BACK]


def _of_agent(lines: QuerySet[Any], agent_id: uuid.UUID | None) -> QuerySet[Any]:
    """Return the lines about memories that an agent wrote, whenever it did."""
    if agent_id is None:
        return lines
    same = {name: OuterRef(name) for name in ("tenant_id", "subject_id", "object_id")}
    return lines.filter(Exists(_written(Line.objects.filter(**same), agent_id)))


def _erasing(tenant_id: uuid.UUID, agent_id: uuid.UUID | None, since: datetime) -> list[Number]:
    """Return how long erasing took, without the time on hold; of an agent, what it asked for."""
    done = Erasure.objects.filter(tenant_id=tenant_id, erased_at__gte=since)
    if agent_id is not None:
        done = done.filter(requested_by_kind=ActorKind.AGENT, requested_by_id=agent_id)
    took = done.annotate(took=F("erased_at") - let_go()).order_by("-erased_at")
    seconds = [one.total_seconds() for one in took.values_list("took", flat=True)[:MOST]]
    return [
        Number(words="Seconds to erase, half of them", value=_at(seconds, 0.5)),
        Number(words="Seconds to erase, 95 % of them", value=_at(seconds, 0.95)),
    ]


def _reasons(decided: QuerySet[Any]) -> list[tuple[str, str, int]]:
    """Return how often each reason was given: its code, its words, the number."""
    rows = decided.order_by().annotate(one=Unnest(F("reasons"))).values("one")
    counted = rows.annotate(n=Count("pk")).order_by("-n", "one")
    words = dict(Reason.choices)
    return [(row["one"], words.get(row["one"], ""), row["n"]) for row in counted]


def _daily(rows: QuerySet[Any], since: datetime, *, of: Any = "pk") -> Chart:
    by_day = rows.order_by().annotate(day=TruncDay("at")).values("day")
    counted = by_day.annotate(n=Count(of, distinct=True))
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
    hurts = told.annotate(
        n=Count(ANSWER, distinct=True),
        hurt=Count(ANSWER, distinct=True, filter=Q(verdict=said.Verdict.HURT)),
    )
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
