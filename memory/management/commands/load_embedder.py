"""``manage.py load_embedder``: make ready what the embedder keeps on disk, before anybody waits."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from memory.errors import EmbedderUnavailable
from memory.providers.embedding import get_embedder


class Command(BaseCommand):
    """Load the embedder of the settings once; a container's image runs it when it is built."""

    help = "Loads the embedder of EMBEDDER once, which builds its files in EMBEDDER_CACHE."
    requires_system_checks: tuple[str, ...] = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Load it and say which it is."""
        try:
            embedder = get_embedder()
        except (EmbedderUnavailable, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{embedder.name}, {embedder.dim} numbers a vector")
