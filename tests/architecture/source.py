"""The tree as the architecture tests see it: files, syntax trees, and the tables of the docs."""

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("config", "accounts", "memory", "dashboard")
CODE = re.compile(r"`([^`]+)`")


def modules(*folders: str, migrations: bool = False) -> list[Path]:
    """The Python files below ``folders``, or a folder that is one file."""
    found: list[Path] = []
    for folder in folders:
        path = ROOT / folder
        found += [path] if path.is_file() else sorted(path.rglob("*.py"))
    return [path for path in found if migrations or "migrations" not in path.parts]


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def at(path: Path, node: ast.AST) -> str:
    """``file:line``, as an editor opens it."""
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"


def imports(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Every imported module or name, in dotted form; those for type checkers alone left out."""
    typing_only = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node, f"{node.module or ''}.{alias.name}") for alias in node.names)


def tracked() -> list[Path]:
    """The files of the repository: what git has or would take."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    files = (ROOT / line for line in listed.stdout.splitlines())
    return [path for path in files if path.is_file()]


def section(page: str, heading: str) -> list[str]:
    """The lines of a page below ``heading``, up to the next one."""
    lines = (ROOT / page).read_text().splitlines()
    titles = [line.lstrip("#").strip() if line.startswith("#") else "" for line in lines]
    assert heading in titles, f"{page} has no section {heading!r}"
    begin = titles.index(heading) + 1
    end = next((n for n in range(begin, len(lines)) if titles[n]), len(lines))
    return lines[begin:end]


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the tables below ``heading``, without the row of column names."""
    lines = section(page, heading)
    body = [line for n, line in enumerate(lines) if "---" not in "".join(lines[n : n + 2])]
    return [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in body
        if line.startswith("|")
    ]


def described(page: str, heading: str) -> set[str]:
    """The codes in the first column of those tables whose second column says something."""
    found: set[str] = set()
    for cells in rows(page, heading):
        if len(cells) > 1 and cells[1]:
            found.update(CODE.findall(cells[0]))
    return found
