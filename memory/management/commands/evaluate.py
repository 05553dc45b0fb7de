"""Measure the product on your own data: ``manage.py evaluate WHAT --data FILE``."""

import json
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.errors import InvalidInput
from memory.evaluation import dedupe, gate, pii, retrieval, silence, stale
from memory.evaluation.scenarios import runner
from memory.evaluation.scenarios.faults import LLM, RULES, SCRIPTED
from memory.policy import RECALL

Result = dict[str, Any]


def _retrieval(path: Path, options: dict[str, Any], *, progress: bool) -> Result:
    return retrieval.evaluate(
        path, text_field=options["field"], policy_name=options["policy"], progress=progress
    )


def _scenarios(path: Path, options: dict[str, Any], *, progress: bool) -> Result:
    return runner.evaluate(
        path, only=options["only"], progress=progress, extractor=options["extractor"]
    )


MEASURES: dict[str, Callable[..., Result]] = {
    "retrieval": _retrieval,
    "gate": lambda path, _, *, progress: gate.evaluate(path, progress=progress),
    "pii": lambda path, _, *, progress: pii.evaluate(path, progress=progress),
    "dedupe": lambda path, _, *, progress: dedupe.evaluate(path, progress=progress),
    "scenarios": _scenarios,
    "silence": lambda path, _, *, progress: silence.evaluate(path, progress=progress),
    "stale": lambda path, _, *, progress: stale.evaluate(path, progress=progress),
}


class Command(BaseCommand):
    """Runs one evaluation and prints its numbers; nothing it stores is kept."""

    help = "Measure recall, gate, redaction, merging or whole stories on JSONL files of your own."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what to measure and how."""
        parser.add_argument("what", choices=sorted(MEASURES))
        parser.add_argument("--data", required=True, type=Path, metavar="FILE")
        parser.add_argument("--field", default="text", choices=["text", "text_other", "text_last"])
        parser.add_argument("--policy", default="default", choices=sorted(RECALL))
        parser.add_argument("--only", metavar="ID", help="of scenarios: play this one alone")
        parser.add_argument(
            "--extractor",
            default=RULES,
            choices=[RULES, LLM, SCRIPTED],
            help="of scenarios: who reads conversations; llm asks the model of LLM_BASE_URL, "
            "scripted one that plays a part",
        )
        parser.add_argument("--json", action="store_true", help="print JSON alone")

    def handle(self, **options: Any) -> None:
        """Run it."""
        path: Path = options["data"]
        if not path.is_file():
            raise CommandError(f"There is no file {path}.")
        try:
            result = MEASURES[options["what"]](path, options, progress=not options["json"])
        except InvalidInput as error:
            raise CommandError(error.detail) from None
        if options["json"]:
            self.stdout.write(json.dumps(result, ensure_ascii=False, default=str))
            return
        for name, part in result.items():
            for line in _rows(name, part):
                self.stdout.write(line)


def _rows(name: str, part: Any) -> list[str]:
    """Return one part of a result as lines: a row, or a row for each of its own parts."""
    if isinstance(part, dict) and any(isinstance(one, dict) for one in part.values()):
        return [row for inner, one in part.items() for row in _rows(inner, one)]
    if isinstance(part, list):
        return [row for one in part for row in _rows(name, one)]
    cells = (
        "  ".join(f"{key} {value}" for key, value in part.items())
        if isinstance(part, dict)
        else str(part)
    )
    return [f"{name:<24} {cells}"]
