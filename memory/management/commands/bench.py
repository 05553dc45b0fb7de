"""Measure how fast the product is on this machine: ``manage.py bench WHAT``."""

import json
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.evaluation.bench import embed, mixed, service

UNDER_LOAD: dict[str, Callable[..., service.Rows]] = {
    "recall": service.measure_recall,
    "write": service.measure_write,
    "append": service.measure_append,
}


class Command(BaseCommand):
    """Runs one benchmark and prints its numbers; nothing it stores is kept but lines of the log."""

    help = (
        "Measure embedding, recall, writing or messages against a floor measured in the same run, or "
        "how the service bears a mixed load."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what to measure, and how much of it."""
        what = parser.add_subparsers(dest="what", required=True)
        embedding = what.add_parser("embed", help="the embedder's engines side by side")
        embedding.add_argument("--texts", type=int, default=64, help="queries and passages a round")
        for name in UNDER_LOAD:
            load = what.add_parser(name, help=f"{name}: floor, service and HTTP, one and 8 clients")
            load.add_argument("--rows", type=int, default=1000, help="memories of each person")
            load.add_argument("--people", type=int, default=1, help="people with as many")
            load.add_argument("--calls", type=int, default=100, help="calls in each round")
        soak = what.add_parser(
            "mixed", help="recalls, messages, writes and pages over HTTP, for a while"
        )
        soak.add_argument("--rows", type=int, default=1000, help="memories of each person")
        soak.add_argument("--people", type=int, default=8, help="people with as many")
        soak.add_argument("--minutes", type=float, default=1.0, help="how long")
        soak.add_argument("--rate", type=float, default=20.0, help="requests a second")
        for one in what.choices.values():
            one.add_argument("--json", action="store_true", help="print JSON alone")

    def handle(self, **options: Any) -> None:
        """Run it."""
        try:
            result = _measured(options)
        except RuntimeError as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps(result))
            return
        for name, cells in result.items():
            numbers = "  ".join(f"{key} {value}" for key, value in cells.items())
            self.stdout.write(f"{name:<24} {numbers}")


def _measured(options: dict[str, Any]) -> dict[str, dict[str, Any]]:
    if options["what"] == "embed":
        return embed.measure(texts=options["texts"])
    if options["what"] == "mixed":
        names = ("rows", "people", "minutes", "rate")
        given = {name: options[name] for name in names}
        return mixed.measure_mixed(**given, progress=not options["json"])
    return UNDER_LOAD[options["what"]](
        rows=options["rows"],
        people=options["people"],
        calls=options["calls"],
        progress=not options["json"],
    )
