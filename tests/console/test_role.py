"""The console reads through a role that cannot write and is granted no content column."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import ProgrammingError, connections, models

from accounts.models import AuditEvent
from accounts.roles import CONSOLE, console_columns
from memory.models import Memory, Version
from tests.cast import Cast, make_memory

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])

TWINS = list(apps.get_app_config("console").get_models())
REAL = {
    model._meta.db_table: model
    for label in ("accounts", "memory")
    for model in apps.get_app_config(label).get_models()
}


def test_there_are_twins() -> None:
    assert len(TWINS) > 10
    assert not any(twin._meta.managed for twin in TWINS)


@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.__name__)
def test_a_twin_has_only_columns_that_are_no_content(cast: Cast, twin: type[models.Model]) -> None:
    columns = {str(field.column) for field in twin._meta.concrete_fields}
    assert columns <= set(console_columns(REAL[twin._meta.db_table]))
    list(twin._default_manager.all())  # the database agrees
    assert twin._default_manager.all().db == twin._base_manager.all().db == "console"


def test_it_is_the_consoles_role(cast: Cast) -> None:
    with connections["console"].cursor() as cursor:
        cursor.execute("SELECT current_user, current_database()")
        role, database = cursor.fetchone()
    assert role == CONSOLE and database.startswith("test_")


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT text FROM memory_version",
        "SELECT quote FROM memory_evidence",
        "SELECT text FROM memory_event",
        "SELECT state FROM memory_taskboard",
        "SELECT attribute FROM memory_memory",
        "SELECT * FROM memory_memory",
        "SELECT digest FROM accounts_apikey",
        "SELECT wrapped FROM memory_subjectkey",
        "SELECT embedding FROM memory_vector",
        "SELECT password FROM accounts_user",
        "SELECT session_data FROM django_session",
        "UPDATE memory_job SET state = 'pending'",
        "UPDATE accounts_apikey SET revoked_at = now()",
        "DELETE FROM memory_erasure",
        "INSERT INTO accounts_tenant (id, name) VALUES (gen_random_uuid(), 'x')",
    ],
)
def test_it_can_neither_read_content_nor_write(cast: Cast, statement: str) -> None:
    with connections["console"].cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = off")
        try:
            with pytest.raises(ProgrammingError, match="permission denied"):
                cursor.execute(statement)
        finally:
            cursor.execute("SET default_transaction_read_only = on")


def test_the_real_models_fail_there_instead_of_showing_text(cast: Cast) -> None:
    make_memory(cast.alice)
    for model in (Memory, Version):
        with pytest.raises(ProgrammingError, match="permission denied"):
            list(model.objects.using("console"))


def test_the_twin_of_the_log_takes_no_rights_from_the_table(cast: Cast) -> None:
    """Rights are given per model; the log stays append-only for the app."""
    with pytest.raises(ProgrammingError, match="permission denied"):
        AuditEvent.objects.update(code="")
