"""Faces parse, call one function below, and render. They reach no table themselves."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.source import PRODUCT, ROOT, at, imports, modules, parsed

FACES = modules(
    "dashboard", "memory/api", "memory/tasks.py", "memory/management", "accounts/management"
)
DOORS = {"objects", "_default_manager", "_base_manager"}
TASK_LINES = 5

# Where a number between 0 and 1 may stand outside memory/policy, and why. How sure one pattern or one
# source is (``confidence=``) stands beside it and needs no entry.
NUMBERS = {
    "memory/admin/quality.py": "percentiles of a report",
    "memory/evaluation/bench/embed.py": "percentiles of a report",
    "memory/evaluation/bench/load.py": "the percentiles that are printed",
    "memory/evaluation/bench/mixed.py": "percentiles of a report, and when it begins to count",
    "memory/evaluation/bench/service.py": "a floor that took no time",
    "memory/evaluation/example/example.py": "how often the example holds what",
    "memory/evaluation/scripted_model.py": "seconds between two looks",
    "memory/evaluation/retrieval.py": "percentiles of a report",
    "memory/evaluation/whole/baseline.py": "by how much a report may differ",
    "memory/evaluation/whole/tally.py": "percentiles of a report",
    "memory/jobs.py": "seconds between two looks",
    "memory/management/commands/up.py": "seconds between two looks",
    "memory/models/memory.py": "a column's default",
    "memory/providers/e5.py": "the make of the model: another share is another model id",
    "memory/providers/e5_onnx/graph.py": "keeps a division from dividing by zero",
    "memory/providers/embedding.py": "keeps a division from dividing by zero",
    "memory/providers/server.py": "seconds between two tries",
    "memory/providers/tokens.py": "what a character costs a tokeniser, measured",
    "memory/write/cards.py": "how far each sign makes a number a card's",
}


def test_there_are_faces() -> None:
    assert len(FACES) > 15


def test_no_face_reaches_a_table() -> None:
    found = [
        f"{at(path, node)} .{node.attr}"
        for path in FACES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and node.attr in DOORS
    ]
    assert found == []


def test_no_face_imports_a_model() -> None:
    found = [
        f"{at(path, node)} {name}"
        for path in FACES
        for node, name in imports(parsed(path))
        if name.startswith(("memory.models", "accounts.models"))
    ]
    assert found == []


def test_tasks_are_a_few_lines() -> None:
    functions = [node for node in parsed(ROOT / "memory/tasks.py").body if hasattr(node, "body")]
    assert functions
    long = [
        node.name
        for node in functions
        if isinstance(node, ast.FunctionDef)
        and (node.body[-1].end_lineno or 0) - node.body[0].lineno >= TASK_LINES
    ]
    assert long == []


def test_only_the_queue_enqueues() -> None:
    calls = {"delay", "apply_async", "send_task"}
    found = [
        f"{at(path, node)} .{node.attr}"
        for path in modules(*PRODUCT)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and node.attr in calls
    ]
    assert [one for one in found if not one.startswith("memory/queue.py:")] == []
    assert found, "the queue itself must be seen"


def test_no_signals_of_our_own() -> None:
    found = [
        f"{at(path, node)} {name}"
        for path in modules(*PRODUCT)
        for node, name in imports(parsed(path))
        if name.startswith(("django.dispatch", "django.db.models.signals"))
        or (name.startswith("django.") and ".signals" in name)
    ]
    assert found == []


def test_numbers_that_tune_stand_in_the_policy() -> None:
    """A threshold elsewhere would be found by nobody who looks for what can be tuned."""
    found: dict[str, list[int]] = {}
    for path in modules("memory"):
        lines = [node.lineno for node in _fractions(parsed(path))]
        if lines and path.parent.name != "policy":
            found[str(path.relative_to(ROOT))] = lines
    assert {name: lines for name, lines in found.items() if name not in NUMBERS} == {}
    assert set(NUMBERS) - set(found) == set(), "no longer needed"


def _fractions(tree: ast.AST) -> Iterator[ast.Constant]:
    """Literals between 0 and 1, except where a name says they are a confidence."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.Constant):
            if isinstance(child.value, float) and 0 < child.value < 1:
                yield child
        elif isinstance(child, ast.arguments):
            yield from _of_defaults(child)
        elif not _is_confidence(child):
            yield from _fractions(child)


def _is_confidence(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg == "confidence"
    return isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "confidence"


def _of_defaults(arguments: ast.arguments) -> Iterator[ast.Constant]:
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    kept = [default for arg, default in pairs if default and arg.arg != "confidence"]
    for default in [*arguments.defaults, *kept]:
        yield from _fractions(ast.Expression(default))


def test_the_rule_sees_a_threshold() -> None:
    source = "def f(x, *, confidence=0.8, gate=0.3):\n    return g(x, confidence=0.9) > 0.2\n"
    assert [node.value for node in _fractions(ast.parse(source))] == [0.3, 0.2]


def test_paths_of_the_allow_list_exist() -> None:
    assert [name for name in NUMBERS if not Path(ROOT, name).exists()] == []
