"""Whoever takes a safeguard out is told by a named test: each is taken out of a copy and they are run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from config.environment import ROOT
from tests.mutants.table import MUTANTS, Mutant

NOT_COPIED = (".git", ".venv", "var", "__pycache__", ".hypothesis", ".pytest_cache", ".mypy_cache")
# A run of its own starts its own servers.
OURS = (
    "DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_CONSOLE_URL", "REDIS_URL", "DATA_DIR",
    "DJANGO_SETTINGS_MODULE", "PYTEST_CURRENT_TEST", "PYTEST_ADDOPTS",
)  # fmt: skip


def named(mutant: Mutant) -> str:
    return mutant.name


@pytest.mark.parametrize("mutant", MUTANTS, ids=named)
def test_what_is_taken_out_stands_there_once(mutant: Mutant) -> None:
    source = (ROOT / mutant.file).read_text()
    assert source.count(mutant.before) == 1
    compile(source.replace(mutant.before, mutant.after), mutant.file, "exec")
    for test in mutant.tests:
        path, *_, name = test.partition("[")[0].split("::")
        assert f"def {name}(" in (ROOT / path).read_text(), test


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree without what is made while it runs."""
    tree = tmp_path_factory.mktemp("mutants") / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*NOT_COPIED))
    return tree


def run(tree: Path, *tests: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in OURS}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", *tests],
        cwd=tree,
        env=environment | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


@pytest.mark.deep
@pytest.mark.timeout(3000)
def test_with_everything_in_place_they_pass(copy: Path) -> None:
    done = run(copy, *sorted({test for mutant in MUTANTS for test in mutant.tests}))
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.deep
@pytest.mark.timeout(900)
@pytest.mark.parametrize("mutant", MUTANTS, ids=named)
def test_each_named_test_fails_without_it(copy: Path, mutant: Mutant) -> None:
    file = copy / mutant.file
    whole = file.read_text()
    file.write_text(whole.replace(mutant.before, mutant.after))
    try:
        done = run(copy, *mutant.tests)
    finally:
        file.write_text(whole)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout[-3000:] + done.stderr
    for test in mutant.tests:
        assert f"\nFAILED {test}" in done.stdout, f"{test} passed\n{done.stdout[-3000:]}"
