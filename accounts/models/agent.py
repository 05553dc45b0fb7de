"""Programs that read and write, and the keys they come with."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.choices import KeyKind
from accounts.models.subject import Subject
from accounts.models.tenant import Tenant
from accounts.walls import RowWall, row_key, tenant_key


class Agent(models.Model):
    """A program of one tenant. ``system_of_record`` marks a writer that owns business facts.

    ``may_link`` is for the app that people sign in to: whoever opens its link takes charge of the
    person's memory, so a program that merely remembers has no business giving one.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, models.RESTRICT, related_name="agents")
    name = models.CharField(max_length=200)
    system_of_record = models.BooleanField(default=False)
    may_link = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    paused_at = models.DateTimeField(null=True, blank=True)

    right_fields = ("may_link", "paused_at")

    class Meta:
        constraints = [
            row_key("agent", "tenant", "id"),
            models.UniqueConstraint(fields=["tenant", "name"], name="agent_name"),
            RowWall(name="agent_wall", columns=["tenant_id"]),
        ]

    def __str__(self) -> str:
        return self.name


class ApiKey(models.Model):
    """A key: found by prefix, compared by the SHA-256 of its 256-bit secret, shown once."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, models.RESTRICT, related_name="+")
    kind = models.CharField(max_length=20, choices=KeyKind)
    agent = models.ForeignKey(
        Agent, models.CASCADE, null=True, blank=True, related_name="keys", db_constraint=False
    )
    subject = models.ForeignKey(
        Subject, models.CASCADE, null=True, blank=True, related_name="+", db_constraint=False
    )
    label = models.CharField(max_length=100, blank=True)
    prefix = models.CharField(max_length=8, unique=True)
    digest = models.BinaryField(max_length=32)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    # When it was presented last although it lets nobody in any more.
    refused_at = models.DateTimeField(null=True, blank=True)

    # Not content, but nothing the console needs to see.
    content_fields = ("digest",)
    right_fields = ("expires_at", "revoked_at")

    class Meta:
        constraints = [
            RowWall(name="apikey_wall", columns=["tenant_id"]),
            tenant_key("apikey", "agent_id", "accounts_agent"),
            tenant_key("apikey", "subject_id", "accounts_subject"),
            models.CheckConstraint(
                name="apikey_speaks_for_one",
                condition=Q(kind=KeyKind.AGENT, agent__isnull=False, subject__isnull=True)
                | Q(kind=KeyKind.PIPELINE, agent__isnull=True, subject__isnull=True)
                | Q(kind=KeyKind.PERSON, agent__isnull=True, subject__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.prefix
