"""What agents say of what they were handed: codes, ids and times, never a word."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.walls import personal
from memory.choices.verdicts import Verdict
from memory.models.base import PersonalRow
from memory.models.memory import Memory
from memory.models.recall import RecallLog


class Feedback(PersonalRow):
    """One agent's verdict on one memory, on one recall as a whole (no memory), or on one in the other.

    ``success`` says whether the task that the recall was for went well, ``task_id`` which one it was.
    That may be all that is told of a recall, with no verdict: nothing was handed over, say.
    """

    agent_id = models.UUIDField()
    recall = models.ForeignKey(
        RecallLog, models.RESTRICT, related_name="+", null=True, db_constraint=False
    )
    memory = models.ForeignKey(
        Memory, models.RESTRICT, related_name="+", null=True, db_constraint=False
    )
    verdict = models.CharField(max_length=10, choices=Verdict, blank=True)
    task_id = models.CharField(max_length=200, blank=True)
    success = models.BooleanField(null=True)
    at = models.DateTimeField(default=timezone.now)

    content_fields = ("task_id",)

    class Meta:
        constraints = [
            *personal(
                "feedback",
                parents={"recall_id": "memory_recalllog", "memory_id": "memory_memory"},
            ),
            models.UniqueConstraint(
                fields=["agent_id", "recall", "memory", "verdict"],
                nulls_distinct=False,
                name="feedback_once",
            ),
            models.CheckConstraint(
                condition=Q(verdict__in=[*Verdict.values, ""]), name="feedback_verdict"
            ),
            models.CheckConstraint(
                condition=(Q(memory__isnull=False) & ~Q(verdict=""))
                | Q(recall__isnull=False, verdict__in=(Verdict.HELPED, Verdict.HURT))
                | Q(recall__isnull=False, memory=None, verdict="", success__isnull=False),
                name="feedback_of_something",
            ),
        ]
