"""Migrations outlive the code around them."""

import re

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db.migrations.loader import MigrationLoader

from tests.architecture.source import PRODUCT, at, imports, modules, parsed

# The rules and the field type that migrations carry; both are described by their arguments alone.
ALLOWED = ("accounts.walls", "accounts.fields")
OURS = (*PRODUCT, "tests", "scripts")

MIGRATIONS = [
    path
    for path in modules("accounts", "memory", "dashboard", migrations=True)
    if path.parent.name == "migrations" and path.name != "__init__.py"
]


def test_there_are_migrations() -> None:
    assert len(MIGRATIONS) >= 4


@pytest.mark.django_db
def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_they_import_nothing_that_changes() -> None:
    found = [
        f"{at(path, node)} {name}"
        for path in MIGRATIONS
        for node, name in imports(parsed(path))
        if name.split(".")[0] in OURS and not name.startswith(ALLOWED)
    ]
    assert found == []


def test_names_say_what_they_do() -> None:
    shape = re.compile(r"\d{4}_(?!auto_)[a-z][a-z0-9]*(_[a-z0-9]+)*")
    bad = [path.name for path in MIGRATIONS if not shape.fullmatch(path.stem)]
    assert bad == []


@pytest.mark.parametrize("app", ["accounts", "memory", "dashboard"])
def test_they_stand_in_one_line(app: str) -> None:
    loader = MigrationLoader(None)
    names = sorted(name for label, name in loader.disk_migrations if label == app)
    assert apps.is_installed(app)
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))
    assert len(loader.graph.leaf_nodes(app)) == (1 if names else 0)
