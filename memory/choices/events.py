"""The vocabulary of raw inputs."""

from django.db import models


class EventType(models.TextChoices):
    """What sort of raw input an event is."""

    MESSAGE = "message", "Message"
    TOOL_RESULT = "tool_result", "Tool result"
    OBSERVATION = "observation", "Observation"
