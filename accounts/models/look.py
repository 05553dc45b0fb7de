"""An operator's look at what is remembered about one person."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.choices import LookGround
from accounts.models.subject import Subject
from accounts.models.tenant import Tenant
from accounts.walls import RowWall, subject_key


class Look(models.Model):
    """What an operator may read of a person, and until when.

    ``operator_id`` is the login that broke the glass; where the person let the operator look, any
    operator may. ``reason`` is a code with a ticket's name. ``views`` counts the pages shown. The
    look's own row holds ids, codes and times, so no look is needed to read it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, models.RESTRICT, related_name="+")
    subject = models.ForeignKey(Subject, models.CASCADE, related_name="+", db_constraint=False)
    ground = models.CharField(max_length=20, choices=LookGround)
    operator_id = models.UUIDField(null=True)
    reason = models.CharField(max_length=50, blank=True)
    clearance = models.PositiveSmallIntegerField(default=20)
    kinds = ArrayField(models.CharField(max_length=20))
    memory_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    views = models.PositiveIntegerField(default=0)
    looked_at = models.DateTimeField(null=True)

    right_fields = ("ended_at",)

    class Meta:
        constraints = [
            RowWall(name="look_wall"),
            subject_key("look"),
            models.CheckConstraint(
                condition=Q(clearance__in=(10, 20, 30, 40)), name="look_clearance"
            ),
            models.CheckConstraint(
                condition=Q(ground=LookGround.GRANTED, operator_id__isnull=True)
                | Q(ground=LookGround.BREAK_GLASS, operator_id__isnull=False),
                name="look_operator",
            ),
            models.UniqueConstraint(
                fields=["subject", "ground", "operator_id"],
                nulls_distinct=False,
                condition=Q(ended_at__isnull=True),
                name="look_one_open",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_open(self) -> bool:
        """Whether it lets anybody look now."""
        return self.ended_at is None and self.ends_at > timezone.now()
