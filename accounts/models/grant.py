"""What a subject lets one agent do."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from accounts.choices import Action, MemoryMode
from accounts.models.agent import Agent
from accounts.models.subject import Subject
from accounts.models.tenant import Tenant
from accounts.walls import personal, tenant_key


class Grant(models.Model):
    """Actions, kinds, highest sensitivity, purposes and expiry; can be paused."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, models.RESTRICT, related_name="+")
    subject = models.ForeignKey(Subject, models.CASCADE, related_name="+", db_constraint=False)
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="+", db_constraint=False)
    actions = ArrayField(models.CharField(max_length=20, choices=Action))
    kinds = ArrayField(models.CharField(max_length=20))
    clearance = models.PositiveSmallIntegerField(default=20)
    purposes = ArrayField(models.CharField(max_length=50), default=list)
    memory_mode = models.CharField(max_length=20, choices=MemoryMode, default=MemoryMode.NORMAL)
    memory_mode_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)

    right_key = ("agent_id",)
    right_fields = (
        "actions",
        "kinds",
        "clearance",
        "purposes",
        "memory_mode",
        "memory_mode_until",
        "expires_at",
        "paused_at",
    )

    class Meta:
        constraints = [
            *personal("grant"),
            tenant_key("grant", "agent_id", "accounts_agent"),
            models.UniqueConstraint(fields=["subject", "agent"], name="grant_one_per_agent"),
            models.CheckConstraint(
                condition=models.Q(clearance__in=(10, 20, 30, 40)), name="grant_clearance"
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)
