"""Where an agent wants to be told what was erased."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Agent
from accounts.walls import RowWall, row_key, tenant_key
from memory.models.base import TenantRow


class WebhookTarget(TenantRow):
    """An address of one agent, registered by an operator; one at a time.

    The secret that signs what is sent there is derived from the tenant's key and this row's id, and
    stored nowhere.
    """

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="+", db_constraint=False)
    url = models.CharField(max_length=500)
    created_at = models.DateTimeField(default=timezone.now)
    revoked_at = models.DateTimeField(null=True, blank=True)

    right_fields = ("revoked_at",)

    class Meta:
        constraints = [
            row_key("webhooktarget", "tenant", "id"),
            RowWall(name="webhooktarget_wall", columns=["tenant_id"]),
            tenant_key("webhooktarget", "agent_id", "accounts_agent"),
            models.UniqueConstraint(
                fields=["tenant", "agent"],
                condition=Q(revoked_at__isnull=True),
                name="webhooktarget_one",
            ),
        ]
