"""``manage.py rescan``: let what is stored pass the door again, after its patterns have grown."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.setup import find_tenant
from memory.jobs import finished
from memory.rescan.begin import rescan_tenant


class Command(BaseCommand):
    """Makes a job for each person and one for the documents, does them here beside the workers, and prints what was done."""

    help = (
        "Open what is stored about each person, and the documents, and look at it with the door of today. What is more "
        "sensitive than its level is held closer; a secret is erased, and the rest stays without it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare whose."""
        parser.add_argument("--tenant", required=True, help="name of the organisation")
        parser.add_argument("--user", metavar="USER_ID", help="one person; else everybody")

    def handle(self, **options: Any) -> None:
        """Do it; stopped, the workers go on."""
        tenant = find_tenant(options["tenant"])
        if tenant is None:
            raise CommandError(f"There is no organisation {options['tenant']}.")
        jobs = rescan_tenant(tenant.id, user_id=options["user"])
        counts: Counter[str] = Counter()
        for job in jobs:
            counts.update(finished(job).counts)
        done = "  ".join(f"{what} {count}" for what, count in sorted(counts.items()))
        people = sum(job.subject_id is not None for job in jobs)
        self.stdout.write(f"people {people}  {done or 'nothing to do'}")
