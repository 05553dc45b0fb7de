"""``manage.py drill``: bring a failure about, and see that nothing is lost."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config.drills.drills import DRILLS, run


class Command(BaseCommand):
    """Starts a service of its own for each drill; the one that runs here is left alone."""

    help = "Break a part of a service in a temporary folder and see that nothing is lost."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare which."""
        parser.add_argument("name", nargs="+", choices=[*DRILLS, "all"], help="which failure")

    def handle(self, *args: Any, **options: Any) -> None:
        """Hold the drills one after the other; exit with 1 if one failed."""
        names = list(DRILLS) if "all" in options["name"] else options["name"]
        passed = [run(name, self.stdout.write) for name in names]
        if not all(passed):
            raise SystemExit(1)
