"""How far agents have been told of what was erased."""

from django.db import models


class NoticeState(models.TextChoices):
    """How far an agent has been told of an erasure."""

    TO_FETCH = "to_fetch", "To be fetched by the agent"
    QUEUED = "queued", "To be sent"
    DELIVERED = "delivered", "Delivered"
    NEEDS_ATTENTION = "needs_attention", "Could not be delivered"
