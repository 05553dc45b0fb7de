"""Every table that holds something of a person is walled, keyed, sealed and erasable.

A new table fails here until it is, or until its exemption gives a reason.
"""

import pytest
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models

from accounts.fields import SealedField
from accounts.roles import CONSOLE, CONTENT_FIELDS
from accounts.walls import CompositeForeignKey, RowWall
from memory.forget.erasers import ERASERS, EXEMPT
from tests.conftest import owner_connection

Model = type[models.Model]

# Tables of a person without a row policy, and why none of it could be read by the wrong one.
NO_WALL = {
    "accounts.PersonLink": "found by its secret before the person is known; a digest and times",
    "accounts.SubjectMerge": "asked about one subject, answered by another; ids, a state and times",
    "accounts.ApiKey": "walled by tenant: a key is shown before the person it speaks for is known",
    "accounts.AuditEvent": "written before a person is known (refused access); codes and ids only",
    "memory.Erasure": "sweepers find it across people; ids, states and times",
    "memory.ErasureStep": "sweepers find it across people; a store's name and counts",
    "memory.Tombstone": "asked for by id before the person is known; ids and times",
    "memory.LedgerEntry": "a restore replays it across people; ids and times",
    "memory.Job": "sweepers find it across people; ids and codes",
    "memory.OutboxMessage": "the sender finds it across people; ids and codes",
    "memory.IdempotencyRecord": "found by the caller's key; digests and ids",
}
NO_SUBJECT_KEY = {
    "accounts.AuditEvent": "a line outlives the person it names",
    "memory.IdempotencyRecord": "its subject may be none; it ends after days by itself",
}
NO_PARENT_KEY = {
    "memory.Evidence.event": "the quote outlives the event, whose id stays to answer 410",
}
# Text and bytes that are not sealed: what else could stand there, and why it is not content.
NOT_CONTENT = {
    "accounts.ApiKey.label": "the operator's name of a key",
    "accounts.ApiKey.prefix": "the public part of a key",
    "accounts.ApiKey.digest": "SHA-256 of a random secret",
    "accounts.AuditEvent.actor_label": "the operator's name of an agent",
    "accounts.AuditEvent.key_prefix": "the public part of a key",
    "accounts.AuditEvent.object_kind": "a code",
    "accounts.AuditEvent.fields": "names of columns",
    "accounts.AuditEvent.purpose": "a code of the grant",
    "accounts.AuditEvent.reason": "a code",
    "accounts.AuditEvent.decision": "a code",
    "accounts.AuditEvent.request_id": "random, or the caller's of 8 to 64 letters",
    "accounts.AuditEvent.address": "the network part of an IP address",
    "accounts.PersonLink.digest": "SHA-256 of a random secret",
    "accounts.Grant.kinds": "codes",
    "accounts.Look.kinds": "codes",
    "accounts.Look.reason": "a code and the name of a ticket",
    "accounts.Grant.purposes": "codes of the grant",
    "memory.Decision.request_id": "random, or the caller's of 8 to 64 letters",
    "memory.Erasure.hold_reason": "a code",
    "memory.ErasureStep.error": "a class name",
    "memory.ErasureStep.store": "an eraser's name",
    "memory.Event.redacted": "types of what was cut",
    "memory.Feedback.task_id": "the agent's name of a task",
    "memory.IdempotencyRecord.key": "a digest",
    "memory.IdempotencyRecord.request": "a digest",
    "memory.Job.cursor": "a store and the id of a row",
    "memory.Job.error": "a class name",
    "memory.Job.tally": "codes and counts",
    "memory.Job.request_id": "random, or the caller's of 8 to 64 letters",
    "memory.LedgerEntry.object_kind": "a code",
    "memory.ReviewItem.before": "state, trust, confidence, a time and a version number",
    "memory.Memory.attribute": "a slot's name in letters a to z; its value is sealed",
    "memory.Memory.project": "the agent's name of a project",
    "memory.ObjectKey.wrapped": "a wrapped key",
    "memory.OutboxMessage.error": "a class name",
    "memory.OutboxMessage.topic": "a code",
    "memory.RecallLog.policy": "a recipe's name",
    "memory.RecallLog.purpose": "a code of the grant",
    "memory.Session.external_id": "the agent's name of a session",
    "memory.SubjectKey.master_id": "the public name of a master key",
    "memory.SubjectKey.wrapped": "a wrapped key",
    "memory.TaskBoard.external_id": "the agent's name of a task",
    "memory.TaskBoard.project": "the agent's name of a project",
    "memory.Tombstone.object_kind": "a code",
    "memory.Version.language": "a language code",
}

OURS: list[Model] = [
    model
    for app in ("accounts", "memory", "dashboard")
    for model in apps.get_app_config(app).get_models()
]


def columns(model: Model) -> set[str]:
    return {str(field.column) for field in model._meta.local_concrete_fields}


PERSONAL = [model for model in OURS if {"tenant_id", "subject_id"} <= columns(model)]
OF_TENANTS = [model for model in OURS if "tenant_id" in columns(model)]


def label(model: Model) -> str:
    return str(model._meta.label)


def keys(model: Model) -> set[tuple[tuple[str, ...], str]]:
    return {
        (rule.columns, rule.to)
        for rule in model._meta.constraints
        if isinstance(rule, CompositeForeignKey)
    }


def test_the_personal_tables_are_seen() -> None:
    assert {"memory.Memory", "memory.Version", "memory.Job", "accounts.Grant"} <= set(
        map(label, PERSONAL)
    )


def test_every_personal_table_has_a_row_policy() -> None:
    walled = {
        label(model)
        for model in PERSONAL
        for rule in model._meta.constraints
        if isinstance(rule, RowWall) and rule.columns == ("tenant_id", "subject_id")
    }
    assert {label(model) for model in PERSONAL} - walled == set(NO_WALL)


def test_tables_without_a_row_policy_hold_nothing_sealed() -> None:
    found = [
        str(field)
        for model in PERSONAL
        if label(model) in NO_WALL
        for field in model._meta.local_concrete_fields
        if isinstance(field, (SealedField, models.TextField, models.JSONField))
    ]
    assert found == []


def test_every_personal_table_is_tied_to_its_subject() -> None:
    tied = {
        label(model)
        for model in PERSONAL
        if (("tenant_id", "subject_id"), "accounts_subject") in keys(model)
    }
    assert {label(model) for model in PERSONAL} - tied == set(NO_SUBJECT_KEY)


def test_every_reference_between_personal_rows_carries_the_person() -> None:
    """A key of one column lets a row point at another person's row, which it cannot even see."""
    loose = set()
    for model in PERSONAL:
        for field in model._meta.local_concrete_fields:
            parent = field.related_model
            if parent in PERSONAL and isinstance(parent, type):
                whole = (("tenant_id", "subject_id", str(field.column)), parent._meta.db_table)
                if whole not in keys(model):
                    loose.add(f"{label(model)}.{field.name}")
    assert loose == set(NO_PARENT_KEY)


def test_every_reference_inside_a_tenant_carries_the_tenant() -> None:
    loose = []
    for model in OF_TENANTS:
        for field in model._meta.local_concrete_fields:
            parent = field.related_model
            if isinstance(parent, type) and parent in OF_TENANTS and parent not in PERSONAL:
                whole = (("tenant_id", str(field.column)), parent._meta.db_table)
                if whole not in keys(model) and label(model) not in NO_SUBJECT_KEY:
                    loose.append(f"{label(model)}.{field.name}")
    assert loose == []


# Tables of a tenant, about nobody, that hold what people wrote.
KNOWLEDGE = {"Document", "Passage", "PassageVector", "PassageTerm", "TenantKey", "DocumentKey"}
KNOWLEDGE_CODES = {"format", "language", "state", "fault", "sender_kind", "wrapped", "master_id"}


def test_knowledge_is_walled_by_tenant_and_sealed() -> None:
    models_of = {model for model in OURS if model.__name__ in KNOWLEDGE}
    assert len(models_of) == len(KNOWLEDGE)
    for model in models_of:
        walls = [rule.columns for rule in model._meta.constraints if isinstance(rule, RowWall)]
        assert walls == [("tenant_id",)], label(model)
        plain = {field.name for field in model._meta.local_concrete_fields if holds_bytes(field)}
        assert plain <= KNOWLEDGE_CODES, label(model)


def holds_bytes(field: "models.Field[object, object]") -> bool:
    kinds = (models.TextField, models.CharField, models.JSONField, models.BinaryField)
    return isinstance(field, kinds) and not isinstance(field, SealedField)


@pytest.mark.django_db
def test_the_database_has_the_walls_the_models_declare() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, p.polname FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid "
            "WHERE c.relrowsecurity AND p.polpermissive AND p.polroles = '{0}' AND p.polcmd = '*'"
        )
        policies = set(cursor.fetchall())
        cursor.execute("SELECT conname FROM pg_constraint WHERE contype = 'f' AND convalidated")
        constraints = {name for (name,) in cursor.fetchall()}
    for model in OURS:
        for rule in model._meta.constraints:
            if isinstance(rule, RowWall):
                assert (model._meta.db_table, rule.name) in policies
            elif isinstance(rule, CompositeForeignKey):
                assert rule.name in constraints


def test_every_personal_table_has_an_eraser_or_a_reason() -> None:
    erased = {label(model) for eraser in ERASERS for model in eraser.models}
    assert {label(model) for model in PERSONAL} - erased - set(EXEMPT) == set()
    assert set(EXEMPT) & erased == set(), "erased and exempt at once"
    assert set(EXEMPT) - {label(model) for model in OURS} == set(), "no such table"
    assert all(len(reason) > 10 for reason in EXEMPT.values())


def test_every_written_word_is_sealed() -> None:
    plain = {
        f"{label(model)}.{field.name}"
        for model in PERSONAL
        for field in model._meta.local_concrete_fields
        if holds_words(field)
    }
    assert plain == set(NOT_CONTENT)


def holds_words(field: "models.Field[object, object]") -> bool:
    """Whether a column could hold what a person wrote, in the clear."""
    inner = field.base_field if isinstance(field, ArrayField) else field
    kinds = (models.TextField, models.CharField, models.JSONField, models.BinaryField)
    return isinstance(inner, kinds) and not isinstance(inner, SealedField) and not inner.choices


def hidden(model: Model) -> list[str]:
    """The columns the console must not see: sealed, bytes, vectors, and what the model names."""
    named = getattr(model, "content_fields", ())
    return [
        str(field.column)
        for field in model._meta.local_concrete_fields
        if field.name in {*named, "password"} or isinstance(field, CONTENT_FIELDS)
    ]


@pytest.mark.django_db
def test_the_console_may_read_no_content() -> None:
    asked = [(model._meta.db_table, column) for model in OURS for column in hidden(model)]
    assert len(asked) > 15
    with owner_connection() as owner:
        granted = [
            f"{table}.{column}"
            for table, column in asked
            if owner.execute(
                "SELECT has_column_privilege(%s, %s, %s, 'SELECT')", [CONSOLE, table, column]
            ).fetchone()[0]
        ]
        sees = owner.execute(
            "SELECT has_column_privilege(%s, 'memory_memory', 'state', 'SELECT')", [CONSOLE]
        ).fetchone()[0]
    assert granted == []
    assert sees, "the console sees states; else this test asks the wrong role"


@pytest.mark.django_db
def test_the_console_may_change_nothing() -> None:
    with owner_connection() as owner:
        rows = owner.execute(
            "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') "
            "AND relnamespace = 'public'::regnamespace AND ("
            "has_table_privilege(%(role)s, oid, 'INSERT, UPDATE, DELETE, TRUNCATE') "
            "OR has_any_column_privilege(%(role)s, oid, 'INSERT, UPDATE'))",
            {"role": CONSOLE},
        ).fetchall()
    assert rows == []


@pytest.mark.django_db
def test_the_console_sees_no_table_of_sessions_or_second_factors() -> None:
    with owner_connection() as owner:
        rows = owner.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' "
            "AND relname ~ '^(mfa|account|django_session|usersessions|socialaccount)(_|$)'"
            " AND has_any_column_privilege(%s, oid, 'SELECT')",
            [CONSOLE],
        ).fetchall()
    assert rows == []
