"""The app that knows what."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Memories, their life, working memory and the API."""

    name = "memory"
    verbose_name = "Memory"
