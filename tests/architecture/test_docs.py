"""Docs move with the code: every code a reader can meet is a row of the right table, and no other.

A row is ``| `code` | what it means |``. What the code has and the table lacks fails, and so does a
row whose code is gone.
"""

import ast
import re
import tomllib
from collections.abc import Iterable
from enum import Enum

import pytest
from django.urls import URLPattern
from django.urls.resolvers import get_resolver

from accounts import choices as who
from memory import choices as what
from memory import errors, policy
from memory.api import problems
from memory.choices import documents as shelf
from memory.choices import events, experiments, notices, topics, transfer, verdicts
from memory.forget.erasers import ERASERS
from memory.lifecycle import MOVES
from memory.policy import adjusting
from memory.recall import fates
from tests.architecture.source import CODE, PRODUCT, ROOT, described, modules, parsed, rows, section

CONCEPTS, API, OPERATE, PRIVACY, KNOWLEDGE = (
    f"docs/{name}.md" for name in ("concepts", "api", "operate", "privacy", "knowledge")
)
VOCABULARY: list[tuple[str, str, type[Enum]]] = [
    (CONCEPTS, "Kinds", what.Kind),
    (CONCEPTS, "Subtypes", what.Subtype),
    (CONCEPTS, "States", what.State),
    (CONCEPTS, "Sensitivity", what.Sensitivity),
    (CONCEPTS, "Origins", what.Origin),
    (CONCEPTS, "Trust", what.Trust),
    (CONCEPTS, "Outcomes", what.Outcome),
    (CONCEPTS, "Reason codes", what.Reason),
    (CONCEPTS, "Answers to a recall", what.RecallStatus),
    (CONCEPTS, "Topics", topics.Topic),
    (CONCEPTS, "Fates", fates.Fate),
    (CONCEPTS, "Verdicts", verdicts.Verdict),
    (CONCEPTS, "Arms", experiments.Arm),
    (CONCEPTS, "Kinds of experiment", experiments.ExperimentKind),
    (CONCEPTS, "Layers", what.Layer),
    (CONCEPTS, "Speakers", what.Role),
    (CONCEPTS, "Visibility", what.Visibility),
    (CONCEPTS, "Events", events.EventType),
    (CONCEPTS, "Review items", what.ReviewKind),
    (CONCEPTS, "Review states", what.ReviewState),
    (CONCEPTS, "Conflicts", what.ConflictState),
    (CONCEPTS, "Index states", what.IndexState),
    (CONCEPTS, "Links", what.LinkKind),
    (CONCEPTS, "Job kinds", what.JobKind),
    (CONCEPTS, "Job states", what.JobState),
    (KNOWLEDGE, "Formats", shelf.DocumentFormat),
    (KNOWLEDGE, "Document states", shelf.DocumentState),
    (KNOWLEDGE, "Faults", shelf.DocumentFault),
    (CONCEPTS, "Actors", who.ActorKind),
    (CONCEPTS, "Keys", who.KeyKind),
    (PRIVACY, "Legal hold", who.HoldReason),
    (CONCEPTS, "Actions", who.Action),
    (CONCEPTS, "Memory mode", who.MemoryMode),
    (CONCEPTS, "Learning", who.Learning),
    (CONCEPTS, "Themes", who.Theme),
    (PRIVACY, "Erasure states", what.ErasureState),
    (PRIVACY, "Erasure scopes", what.ErasureScope),
    (PRIVACY, "Step states", what.StepState),
    (PRIVACY, "Copies elsewhere", notices.NoticeState),
    (PRIVACY, "Suppressions", what.SuppressionBasis),
    (PRIVACY, "Import groups", transfer.ImportGroup),
    (PRIVACY, "Import states", transfer.ImportState),
    (PRIVACY, "Another device", who.MergeState),
    (PRIVACY, "When the operator looks", who.LookGround),
    (PRIVACY, "Audit codes", who.AuditCode),
]
READERS = {"text", "flag", "number", "words", "secret", "database_url", "_given"}


@pytest.mark.parametrize(("page", "heading", "values"), VOCABULARY, ids=str)
def test_every_word_is_described(page: str, heading: str, values: type[Enum]) -> None:
    assert described(page, heading) == {str(one.value) for one in values}


def test_no_vocabulary_is_missing_here() -> None:
    """A new enumeration of the code must be listed above."""
    ours = {
        value
        for module in (
            who,
            what,
            shelf,
            notices,
            topics,
            events,
            transfer,
            verdicts,
            experiments,
            fates,
        )
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Enum)
        and value.__module__ == module.__name__
    }
    assert ours == {values for _, _, values in VOCABULARY}


def test_every_move_between_states_is_described() -> None:
    shown = {
        CODE.findall(cells[0])[0]: set(CODE.findall(cells[1]))
        for cells in rows(CONCEPTS, "Allowed moves")
    }
    assert shown == {old.value: {new.value for new in moves} for old, moves in MOVES.items()}


def test_every_setting_is_described() -> None:
    assert described(OPERATE, "Environment variables") == set(_variables())


def _variables() -> Iterable[str]:
    """The names given to the readers of `config.environment`, and those read directly."""
    for path in modules(*PRODUCT):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call) and node.args and _reads(node.func):
                yield from _strings(node.args[0])
            # Names that are read in a loop stand in a tuple or a table beside it.
            elif isinstance(node, (ast.Tuple, ast.Dict)):
                parts = node.elts if isinstance(node, ast.Tuple) else node.values
                yield from (
                    n for part in parts for n in _strings(part) if n.startswith("DATABASE_")
                )


def _reads(function: ast.expr) -> bool:
    owner, _, name = ast.unparse(function).rpartition(".")
    if owner in {"os.environ", "os"}:
        return name in {"get", "getenv"}
    return owner in {"", "env", "environment"} and name in READERS


def _strings(node: ast.expr) -> Iterable[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != "PATH":
        yield node.value


def test_the_example_of_an_environment_is_described() -> None:
    lines = (ROOT / ".env.example").read_text().splitlines()
    names = {line.partition("=")[0] for line in lines if "=" in line and not line.startswith("#")}
    known = described(OPERATE, "Environment variables") | described(OPERATE, "With compose")
    assert names - known == set()


def test_every_error_is_described() -> None:
    raised = {one.code for one in _all_errors(errors.KeepsakeError)}
    assert described(API, "Errors") == raised | set(problems.CODES.values()) | {"internal"}


def _all_errors(base: type[errors.KeepsakeError]) -> Iterable[type[errors.KeepsakeError]]:
    yield base
    for one in base.__subclasses__():
        yield from _all_errors(one)


def test_every_command_is_described() -> None:
    files = modules("accounts/management/commands", "memory/management/commands")
    ours = {path.stem for path in files if path.stem != "__init__"}
    assert described(OPERATE, "Commands") == ours


def test_every_route_is_described() -> None:
    found = {f"{method} {path}" for path, methods in _routes().items() for method in methods}
    assert described(API, "Routes") == found


def _routes() -> dict[str, list[str]]:
    """``/path/{name}`` of the API and of health → the methods it answers."""
    found: dict[str, list[str]] = {}
    for prefix, pattern in _patterns(get_resolver().url_patterns, ""):
        path = "/" + prefix.replace("<uuid:", "{").replace("<str:", "{").replace(">", "}")
        if path.startswith(("/api/", "/health/")) and "^" not in path:
            view = getattr(pattern.callback, "view_class", None) or getattr(
                pattern.callback, "cls", None
            )
            verbs = ("get", "post", "put", "patch", "delete")
            methods = [verb.upper() for verb in verbs if view is None or hasattr(view, verb)]
            found[path] = ["GET"] if view is None else methods
    return found


def _patterns(patterns: Iterable[object], prefix: str) -> Iterable[tuple[str, URLPattern]]:
    for one in patterns:
        path = prefix + str(getattr(one, "pattern", ""))
        if isinstance(one, URLPattern):
            yield path, one
        else:
            yield from _patterns(getattr(one, "url_patterns", ()), path)


def test_every_recipe_is_described() -> None:
    assert described(CONCEPTS, "Recall recipes") == set(policy.RECALL)


def test_every_number_of_an_own_recipe_is_described() -> None:
    told = {cells[0].strip("`"): cells[1] for cells in rows(CONCEPTS, "Own recipes")}
    assert told == {
        name: f"{one.least:g} to {one.most:.15g}" for name, one in adjusting.ADJUSTABLE.items()
    }


def test_every_store_of_an_erasure_is_described() -> None:
    assert described(PRIVACY, "Stores") == {eraser.store for eraser in ERASERS}


def test_every_embedder_is_described() -> None:
    from memory.providers.embedding import EMBEDDERS

    assert described(OPERATE, "Embedders") == set(EMBEDDERS)


def test_every_reranker_is_described() -> None:
    from memory.providers.reranking import RERANKERS

    assert described(OPERATE, "Rerankers") == set(RERANKERS)


def test_every_extractor_is_described() -> None:
    from memory.write.extractors import EXTRACTORS

    assert described(OPERATE, "Extractors") == set(EXTRACTORS)


def test_every_check_of_the_doctor_is_described() -> None:
    from config.checkup import CHECKS

    assert described(OPERATE, "Doctor") == set(CHECKS)
    assert [name for name in CHECKS if not any(section(OPERATE, name))] == [], "no runbook"


def test_every_attribute_is_described() -> None:
    from memory.write.attributes import CATALOGUE, FAMILIES

    told = {cells[0].strip("`").removesuffix(".*"): cells for cells in rows(CONCEPTS, "Attributes")}
    known = CATALOGUE | FAMILIES
    assert set(told) == set(known)
    for name, slot in known.items():
        holds = ["one" if slot.single else "many"]
        holds += [word for word in ("pinned", "profile") if getattr(slot, word)]
        assert told[name][1:3] == [", ".join(holds), str(int(slot.sensitivity))], name


def test_the_rooms_of_the_memory_are_described() -> None:
    """The picture of the layers is the one that the linter holds."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    (held,) = (one["layers"] for one in contracts["contracts"] if one["id"] == "memory")
    text = (ROOT / "docs/architecture.md").read_text()
    (shown,) = (block for block in text.split("```") if "\nchoices | errors" in block)
    names = [re.split(r"\s{2,}", line)[0] for line in shown.strip().splitlines()]
    assert names == held
