"""``manage.py down``: stop the service that runs here."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.embedded.files import prepare
from config.embedded.service import stop_leftovers, stop_running
from config.embedded.supervisor import NotStarted


class Command(BaseCommand):
    """Ask the supervisor to stop, or stop what a killed one has left."""

    help = "Stops the service started by `manage.py up` in this DATA_DIR and waits for it."
    requires_system_checks: tuple[str, ...] = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Stop everything; stopping nothing is no error."""
        prepare(settings.DATA_DIR)
        try:
            stopped = stop_running(settings.DATA_DIR)
        except NotStarted as error:
            raise CommandError(str(error)) from error
        left = stop_leftovers(settings.DATA_DIR, say=self.stdout.write)
        self.stdout.write("Stopped." if stopped or left else "Nothing was running.")
