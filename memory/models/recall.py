"""Who asked for memories, when, and which were handed over. No query, no text."""

from django.db import models
from django.utils import timezone

from accounts.choices import ActorKind
from accounts.walls import personal, row_key
from memory.choices import RecallStatus
from memory.choices.experiments import Arm
from memory.models.base import PersonalRow


class RecallLog(PersonalRow):
    """One recall and its answer's kind; ``arm`` is its session's in the experiment that ran then."""

    actor_kind = models.CharField(max_length=20, choices=ActorKind)
    agent_id = models.UUIDField(null=True)
    session_id = models.UUIDField(null=True)
    status = models.CharField(max_length=20, choices=RecallStatus)
    policy = models.CharField(max_length=30)
    purpose = models.CharField(max_length=50, blank=True)
    result_count = models.PositiveIntegerField(default=0)
    tokens = models.PositiveIntegerField(default=0)  # of what was handed over
    experiment_id = models.UUIDField(null=True)
    arm = models.CharField(max_length=1, choices=Arm, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [row_key("recalllog"), *personal("recalllog")]
        indexes = [
            models.Index(fields=["tenant", "subject", "-at"], name="recalllog_list"),
            models.Index(
                fields=["experiment_id"],
                condition=models.Q(experiment_id__isnull=False),
                name="recalllog_experiment",
            ),
        ]


class RecalledMemory(PersonalRow):
    """One memory handed over by one recall."""

    recall = models.ForeignKey(
        RecallLog, models.RESTRICT, related_name="recalled", db_constraint=False
    )
    memory_id = models.UUIDField(db_index=True)
    rank = models.PositiveSmallIntegerField()
    profile = models.BooleanField(default=False)

    class Meta:
        constraints = [*personal("recalledmemory", parents={"recall_id": "memory_recalllog"})]
