"""What a person keeps asking about: counts of coarse topics, never a question."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.walls import personal
from memory.choices.topics import Topic
from memory.models.base import PersonalRow


class Interest(PersonalRow):
    """How often the person asked about one topic."""

    topic = models.CharField(max_length=20, choices=Topic)
    count = models.PositiveIntegerField(default=0)
    first_at = models.DateTimeField(default=timezone.now)
    last_at = models.DateTimeField(default=timezone.now)

    content_fields = ("topic", "count")

    class Meta:
        constraints = [
            *personal("interest"),
            models.CheckConstraint(condition=Q(topic__in=Topic.values), name="interest_topic"),
            models.UniqueConstraint(fields=["tenant", "subject", "topic"], name="interest_one"),
        ]
