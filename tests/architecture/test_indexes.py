"""No approximate vector index: a recall ranks exactly the rows of one person.

A global HNSW index with a filter returns too few rows, and which ones depends on other people's.
"""

import pytest
from django.apps import apps
from django.db import connection

from tests.architecture.source import PRODUCT, at, imports, modules, parsed

APPROXIMATE = ("hnsw", "ivfflat")


@pytest.mark.django_db
def test_the_database_has_none() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'")
        found = cursor.fetchall()
    assert len(found) > 20
    assert [name for name, sql in found if any(kind in sql.lower() for kind in APPROXIMATE)] == []


def test_no_model_declares_one() -> None:
    found = [
        f"{model._meta.label}: {index.name}"
        for model in apps.get_models()
        for index in model._meta.indexes
        if type(index).__name__.lower().startswith(APPROXIMATE)
    ]
    assert found == []


def test_none_is_imported_or_written_as_sql() -> None:
    files = modules(*PRODUCT, migrations=True)
    imported = [
        f"{at(path, node)} {name}"
        for path in files
        for node, name in imports(parsed(path))
        if name.rpartition(".")[2].lower().startswith(APPROXIMATE)
    ]
    written = [
        str(path)
        for path in files
        if any(f"using {kind}" in path.read_text().lower() for kind in APPROXIMATE)
    ]
    assert imported + written == []
