"""What can become of a wording that a question could reach."""

from django.db import models


class Fate(models.TextChoices):
    """What became of a wording that a question could have reached, and why."""

    TAKEN = "taken", "Handed over"
    PROFILE = "profile", "Handed over with the profile"
    BELOW_GATE = "below_gate", "Not about the question"
    OUTSIDE_TIME = "outside_time", "From another time than the question names"
    DUPLICATE = "duplicate", "Says the same as one above it"
    OVER_TOP_K = "over_top_k", "More than were asked for"
    OVER_BUDGET = "over_budget", "No room for it"
    NOT_CLOSE = "not_close", "Too far from the question to be looked at"
    FILTERED = "filtered", "Left out by a filter"
    SUPERSEDED = "superseded", "A newer wording holds"
    ENDED = "ended", "No longer true"
    EXPIRED = "expired", "Expired"
    NOT_IN_USE = "not_in_use", "Not in use: waiting, paused, archived or forgotten"
    KIND_NOT_GRANTED = "kind_not_granted", "The agent may not see this kind"
    ABOVE_LEVEL = "above_level", "Above the agent's level"
    OTHER_AGENT = "other_agent", "Kept for another agent"
    EXPERIMENT = "experiment", "Held back by an experiment of the organisation"
    NOT_ALLOWED = "not_allowed", "The agent is handed nothing"
