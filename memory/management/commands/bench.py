"""Measure how fast the product is on this machine: ``manage.py bench WHAT``."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from memory.evaluation.bench import embed


class Command(BaseCommand):
    """Runs one benchmark and prints its numbers; nothing it stores is kept."""

    help = "Measure embedding against a floor measured in the same run."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what to measure, and how much of it."""
        what = parser.add_subparsers(dest="what", required=True)
        embedding = what.add_parser("embed", help="the embedder's engines side by side")
        embedding.add_argument("--json", action="store_true", help="print JSON alone")
        embedding.add_argument("--texts", type=int, default=64, help="queries and passages a round")

    def handle(self, **options: Any) -> None:
        """Run it."""
        result = embed.measure(texts=options["texts"])
        if options["json"]:
            self.stdout.write(json.dumps(result))
            return
        for name, cells in result.items():
            numbers = "  ".join(f"{key} {value}" for key, value in cells.items())
            self.stdout.write(f"{name:<24} {numbers}")
