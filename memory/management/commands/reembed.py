"""``manage.py reembed``: after a change of the embedder, make its vectors of all that is remembered."""

import time
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from memory import jobs
from memory.errors import EmbedderUnavailable
from memory.providers.embedding import get_embedder

LOOK_AGAIN = 1.0  # seconds


class Command(BaseCommand):
    """Makes one job for each person and each tenant's documents; workers do them."""

    help = (
        "Make vectors of today's EMBEDDER for everybody who has others, in the background. Those of "
        "EMBEDDER_BEFORE serve a person until all of the new ones are made; then they are dropped."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--wait", action="store_true", help="show how far the workers are")

    def handle(self, **options: Any) -> None:
        """Hand the work over; run again, it hands nothing over twice."""
        try:
            found = jobs.reembed_all()
        except EmbedderUnavailable as error:
            raise CommandError(error.detail) from None
        made = sum(is_new for _, is_new in found)
        self.stdout.write(f"{get_embedder().name}: {made} new jobs, {len(found) - made} under way")
        if options["wait"]:
            _follow([job.id for job, _ in found])


def _follow(ids: Sequence[Any]) -> None:
    """Show how many of the jobs are done until all of them are; to stop watching stops no job."""
    with tqdm(total=len(ids), desc="reembed") as bar:
        while left := jobs.unfinished(ids):
            bar.update(len(ids) - left - bar.n)
            time.sleep(LOOK_AGAIN)
        bar.update(len(ids) - bar.n)
