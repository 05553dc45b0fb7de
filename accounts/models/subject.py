"""Whom memories are about."""

import uuid
from typing import Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from accounts.choices import HoldReason, Learning, MemoryMode
from accounts.models.tenant import Tenant
from accounts.walls import row_key, tenant_key


class SubjectQuerySet(models.QuerySet["Subject"]):
    """Words about subjects."""

    def of_tenant(self, tenant_id: uuid.UUID) -> Self:
        """Keep this tenant's subjects."""
        return self.filter(tenant_id=tenant_id)

    def of_login(self, user_id: uuid.UUID) -> Self:
        """Keep the subjects linked to this login."""
        return self.filter(login_id=user_id, erased_at__isnull=True)


class Subject(models.Model):
    """A person inside one tenant, named by the agent's ``user_id``, linked to a login or not.

    No row policy: the row must be found before the person is known. It holds ids and switches,
    no content. ``list_filters`` are the codes by which the person narrowed their list last, and
    ``list_views`` those they keep; ``visited_at`` is when they last looked, ``visit_before`` the end
    of the visit before that one.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, models.RESTRICT, related_name="subjects")
    external_id = models.CharField(max_length=200)
    login = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="subjects"
    )
    is_anonymous = models.BooleanField(default=False)
    merged_into = models.ForeignKey(
        "self", models.RESTRICT, null=True, blank=True, db_constraint=False
    )
    time_zone = models.CharField(max_length=50, default="UTC")
    language = models.CharField(max_length=10, blank=True)
    memory_mode = models.CharField(max_length=20, choices=MemoryMode, default=MemoryMode.NORMAL)
    memory_mode_until = models.DateTimeField(null=True, blank=True)
    learning = models.CharField(max_length=20, choices=Learning, default=Learning.ORDINARY)
    undo_minutes = models.PositiveIntegerField(default=10)
    hide_sensitive = models.BooleanField(default=True)  # whether lists withhold sensitive texts
    interests = models.BooleanField(default=True)  # whether topics of questions are counted
    list_filters = models.CharField(max_length=300, blank=True)
    list_views = ArrayField(models.CharField(max_length=300), default=list, blank=True)
    visited_at = models.DateTimeField(null=True, blank=True)
    visit_before = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    held_at = models.DateTimeField(null=True, blank=True)  # since when nothing may be destroyed
    hold_reason = models.CharField(max_length=50, choices=HoldReason, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)

    right_fields = (
        "memory_mode",
        "memory_mode_until",
        "learning",
        "hide_sensitive",
        "interests",
        "held_at",
        "hold_reason",
    )

    objects = SubjectQuerySet.as_manager()

    class Meta:
        constraints = [
            row_key("subject", "tenant", "id"),
            tenant_key("subject", "merged_into_id", "accounts_subject"),
            models.UniqueConstraint(fields=["tenant", "external_id"], name="subject_external_id"),
            models.CheckConstraint(
                condition=models.Q(memory_mode__in=MemoryMode.values), name="subject_memory_mode"
            ),
            models.CheckConstraint(
                condition=models.Q(learning__in=Learning.values), name="subject_learning"
            ),
            models.CheckConstraint(
                condition=models.Q(undo_minutes__lte=7 * 24 * 60), name="subject_undo_minutes"
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)
