"""The coarse topics a person's questions are counted by."""

from django.db import models


class Topic(models.TextChoices):
    """What a question is about, as far as it is counted. Special topics are not among them."""

    HOME = "home", "Home"
    WORK = "work", "Work"
    LEARNING = "learning", "Learning"
    FAMILY = "family", "Family and people"
    ANIMALS = "animals", "Animals"
    FOOD = "food", "Food and drink"
    LEISURE = "leisure", "Leisure"
    THINGS = "things", "Things and devices"
    SOFTWARE = "software", "Software"
    TRAVEL = "travel", "Places and travel"
