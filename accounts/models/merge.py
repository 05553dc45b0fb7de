"""A wish to make an anonymous subject and a person one, and what became of it."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.choices import MergeState
from accounts.models.subject import Subject
from accounts.models.tenant import Tenant
from accounts.walls import subject_key, tenant_key


class SubjectMerge(models.Model):
    """An agent asks whether ``source`` is the person too; only the person answers.

    No row policy: it is asked about one subject and answered by another. It holds ids and times.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, models.RESTRICT, related_name="+")
    subject = models.ForeignKey(Subject, models.RESTRICT, related_name="+", db_constraint=False)
    source = models.ForeignKey(Subject, models.RESTRICT, related_name="+", db_constraint=False)
    agent_id = models.UUIDField()
    state = models.CharField(max_length=20, choices=MergeState, default=MergeState.ASKED)
    asked_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            subject_key("subjectmerge"),
            tenant_key("subjectmerge", "source_id", "accounts_subject"),
            models.CheckConstraint(
                condition=Q(state__in=MergeState.values), name="subjectmerge_state"
            ),
            models.UniqueConstraint(
                fields=["subject", "source"],
                condition=Q(state=MergeState.ASKED),
                name="subjectmerge_one_open",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)
