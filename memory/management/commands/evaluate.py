"""Measure the product: ``manage.py evaluate WHAT``, on your own data or on an example made for it."""

import json
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.errors import InvalidInput
from memory.evaluation import dedupe, gate, pii, retrieval, runs, silence, stale
from memory.evaluation.example import example
from memory.evaluation.scenarios import runner
from memory.evaluation.scenarios.faults import LLM, RULES, SCRIPTED
from memory.evaluation.whole import baseline, run
from memory.evaluation.whole.people import Recipe
from memory.policy import RECALL

Options = dict[str, Any]
Result = dict[str, Any]
GENERATE, CHECK = "generate", "check"
SESSIONS, SEED = 1000, 7  # of the example, if nothing else is said


def _retrieval(path: Path, options: Options, *, progress: bool) -> Result:
    return retrieval.evaluate(
        path, text_field=options["field"], policy_name=options["policy"], progress=progress
    )


def _scenarios(path: Path, options: Options, *, progress: bool) -> Result:
    return runner.evaluate(
        path, only=options["only"], progress=progress, extractor=options["extractor"]
    )


def _all(path: Path, options: Options, *, progress: bool) -> Result:
    recipe = Recipe(base=options["policy"], numbers=dict(options["set"]))
    return run.evaluate(path, progress=progress, recipe=recipe)


def _number(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    return name, float(value)


MEASURES: dict[str, Callable[..., Result]] = {
    runs.ALL: _all,
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

    help = "Measure the whole service, or one part of it, on a JSONL file: yours, or the example's."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what to measure, on what and how."""
        parser.add_argument("what", choices=sorted([*MEASURES, GENERATE, CHECK]))
        parser.add_argument(
            "--data", type=Path, metavar="FILE", help="of all and check: without, the example"
        )
        parser.add_argument("--json", action="store_true", help="print JSON alone")
        parser.add_argument(
            "--save",
            nargs="?",
            const="",
            metavar="NAME",
            help="keep the numbers, to be seen in the console",
        )
        _of_parts(parser)
        _of_the_whole(parser)

    def handle(self, **options: Any) -> None:
        """Run it."""
        try:
            if options["what"] == GENERATE:
                self._generate(options)
            elif options["what"] == CHECK:
                self._check(options)
            else:
                self._measure(options)
        except InvalidInput as error:
            raise CommandError(error.detail) from None

    def _measure(self, options: Options) -> None:
        with _data(options) as path:
            result = _measured(path, options)
        if options["json"]:
            self.stdout.write(json.dumps(result, ensure_ascii=False, default=str))
            return
        for name, part in result.items():
            for line in _rows(name, part):
                self.stdout.write(line)

    def _generate(self, options: Options) -> None:
        if options["out"] is None:
            raise CommandError("Say with --out where it goes.")
        sessions, seed = _size(options)
        count = example.write(options["out"], sessions=sessions, seed=seed)
        self.stdout.write(f"{count} lines in {options['out']}")

    def _check(self, options: Options) -> None:
        """Compare with a baseline, exit with 1 if something fell; or write one."""
        file: Path | None = options["baseline"]
        if file is None:
            raise CommandError("Name the file with --baseline.")
        was = None if options["write_baseline"] else baseline.read(file)
        if was is not None and options["data"] is None:
            options |= {"sessions": was.sessions, "seed": was.seed}
        with _data(options) as path:
            digest = runs.digest_of(path)
            if was is not None and was.digest != digest:
                raise CommandError(f"{file} was measured on other data; write it anew.")
            result = _measured(path, options | {"what": runs.ALL})
        if was is None:
            of = _size(options) if options["data"] is None else (None, None)
            numbers = runs.numbers_of(result)
            made = baseline.Baseline(numbers=numbers, digest=digest, sessions=of[0], seed=of[1])
            baseline.write(file, made)
            self.stdout.write(f"{file} written.")
            return
        worse = baseline.drops(result, was, margin=options["margin"])
        for one in worse:
            self.stdout.write(f"✗ {one}")
        if worse:
            sys.exit(1)
        self.stdout.write(f"✓ nothing is worse by more than {options['margin']:g}")


def _of_parts(parser: ArgumentParser) -> None:
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


def _of_the_whole(parser: ArgumentParser) -> None:
    parser.add_argument("--sessions", type=int, help=f"of the example, {SESSIONS} if not given")
    parser.add_argument("--seed", type=int, help=f"of the example, {SEED} if not given")
    parser.add_argument("--out", type=Path, metavar="FILE", help="of generate: where it goes")
    parser.add_argument(
        "--set",
        type=_number,
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="of all and check: a number of the recall recipe, as a tenant may set it",
    )
    parser.add_argument("--baseline", type=Path, metavar="FILE", help="of check: what it was")
    parser.add_argument("--write-baseline", action="store_true", help="of check: write that file")
    parser.add_argument("--margin", type=float, default=baseline.MARGIN, help="of check")


def _size(options: Options) -> tuple[int, int]:
    sessions, seed = options["sessions"], options["seed"]
    return SESSIONS if sessions is None else sessions, SEED if seed is None else seed


@contextmanager
def _data(options: Options) -> Iterator[Path]:
    """Give the file that is measured on; for the whole, without one, the example."""
    path: Path | None = options["data"]
    if path is None and options["what"] in (runs.ALL, CHECK):
        sessions, seed = _size(options)
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "example.jsonl"
            example.write(made, sessions=sessions, seed=seed)
            yield made
        return
    if path is None:
        raise CommandError("Name a file with --data.")
    if not path.is_file():
        raise CommandError(f"There is no file {path}.")
    yield path


def _measured(path: Path, options: Options) -> Result:
    """Return the numbers, and keep them if that is wanted."""
    if options["save"] is not None:
        runs.check_name(options["save"])
    begun = time.perf_counter()
    result = MEASURES[options["what"]](path, options, progress=not options["json"])
    if options["save"] is not None:
        sessions, seed = _size(options)
        runs.save(
            result,
            what=options["what"],
            name=options["save"],
            data="file" if options["data"] else f"{runs.EXAMPLE} {sessions} {seed}",
            path=path,
            recipe={"base": options["policy"], "numbers": dict(options["set"])},
            seconds=time.perf_counter() - begun,
        )
    return result


def _rows(name: str, part: Any) -> list[str]:
    """Return one part of a result as lines: a row, or a row for each of its own parts."""
    if isinstance(part, dict) and any(isinstance(one, dict | list) for one in part.values()):
        return [row for inner, one in part.items() for row in _rows(inner, one)]
    if isinstance(part, list):
        return [row for one in part for row in _rows(name, one)]
    cells = (
        "  ".join(f"{key} {value}" for key, value in part.items())
        if isinstance(part, dict)
        else str(part)
    )
    return [f"{name:<24} {cells}"]
