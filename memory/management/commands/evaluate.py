"""Measure the product on your own data: ``manage.py evaluate retrieval --data FILE``."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.evaluation import retrieval
from memory.policy import RECALL


class Command(BaseCommand):
    """Runs one evaluation and prints its numbers; nothing it stores is kept."""

    help = "Measure retrieval on JSONL conversations, through the product's own services."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what to measure and how."""
        parser.add_argument("what", choices=["retrieval"])
        parser.add_argument("--data", required=True, type=Path, metavar="FILE")
        parser.add_argument("--field", default="text", choices=["text", "text_other", "text_last"])
        parser.add_argument("--policy", default="default", choices=sorted(RECALL))
        parser.add_argument("--json", action="store_true", help="print JSON alone")

    def handle(self, **options: Any) -> None:
        """Run it."""
        path: Path = options["data"]
        if not path.is_file():
            raise CommandError(f"There is no file {path}.")
        result = retrieval.evaluate(
            path,
            text_field=options["field"],
            policy_name=options["policy"],
            progress=not options["json"],
        )
        if options["json"]:
            self.stdout.write(json.dumps(result, ensure_ascii=False))
            return
        for name, row in [("overall", result["overall"]), *result["by_category"].items()]:
            cells = "  ".join(f"{key} {value}" for key, value in row.items())
            self.stdout.write(f"{name:<24} {cells}")
        self.stdout.write(f"{'gated':<24} {result['gated']}")
