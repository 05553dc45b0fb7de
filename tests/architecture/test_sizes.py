"""No file and no function grows beyond what is read in one go."""

import ast
from pathlib import Path

import pytest

from tests.architecture.source import PRODUCT, ROOT, at, modules, parsed

LINES, FUNCTION_LINES = 300, 60
# Sentences that tests read: data, not code.
DATA = ROOT / "tests" / "data"

FILES = [path for path in modules(*PRODUCT, "scripts", "tests") if DATA not in path.parents]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_something_is_measured() -> None:
    assert len(FILES) > 100


def test_files_are_short() -> None:
    sizes = {name_of(path): len(path.read_text().splitlines()) for path in FILES}
    assert {name: lines for name, lines in sizes.items() if lines > LINES} == {}


def test_functions_are_short() -> None:
    long = {
        f"{at(path, node)} {node.name}": size
        for path in FILES
        for node in ast.walk(parsed(path))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (size := (node.end_lineno or 0) - node.lineno + 1) > FUNCTION_LINES
    }
    assert long == {}


@pytest.mark.parametrize("name", ["utils", "helpers", "common", "misc", "managers", "lib", "core"])
def test_no_attic(name: str) -> None:
    """A module is named after what it holds; a name that fits everything collects everything."""
    found = [name_of(path) for path in FILES if name in (path.stem, path.parent.name)]
    assert found == []
