"""``manage.py roll_back``: take back what a writer or a source brought in during a stretch of time."""

import uuid
from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.setup import find_tenant
from accounts.setup import operator as operator_of
from memory.choices import Origin
from memory.errors import KeepsakeError
from memory.reviews.rollback import Trail, roll_back_tenant


def _moment(text: str) -> datetime:
    """Return a moment; without an offset it is UTC."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


class Command(BaseCommand):
    """Forgets what came in, and gives reworded memories their former wording."""

    help = (
        "Take back what an agent, an origin or a session brought in. What the person has confirmed "
        "stays; what is forgotten can be taken back until the person's undo window ends."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the trail."""
        parser.add_argument("--tenant", required=True, help="name of the organisation")
        parser.add_argument("--since", required=True, type=_moment, metavar="TIME")
        parser.add_argument("--until", type=_moment, metavar="TIME", help="now, if left out")
        parser.add_argument("--agent", type=uuid.UUID, metavar="ID")
        parser.add_argument("--origin", choices=Origin.values)
        parser.add_argument("--session", type=uuid.UUID, metavar="ID")
        parser.add_argument("--user", metavar="USER_ID", help="one person; else everybody")
        parser.add_argument("--dry-run", action="store_true", help="count, change nothing")

    def handle(self, **options: Any) -> None:
        """Do it and say how much was done."""
        trail = Trail(
            since=options["since"],
            until=options["until"] or datetime.now(UTC),
            agent_id=options["agent"],
            origin=Origin(options["origin"]) if options["origin"] else None,
            session_id=options["session"],
        )
        tenant = find_tenant(options["tenant"])
        if tenant is None:
            raise CommandError(f"There is no organisation {options['tenant']}.")
        try:
            done = roll_back_tenant(
                operator_of(tenant.id), trail, user_id=options["user"], dry_run=options["dry_run"]
            )
        except KeepsakeError as error:
            raise CommandError(error.detail) from None
        self.stdout.write(f"forgotten {done.forgotten}  restored {done.restored}")
