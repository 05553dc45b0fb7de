# ruff: noqa: ARG001 - every check takes the same arguments
"""Searching everything a story's people have left for words that must be nowhere.

Tables are searched row by row for the words as text and as bytes, and everything sealed is opened
as far as a key still opens it.
"""

import uuid
from collections.abc import Iterator, Sequence

from django.apps import apps
from django.db import connection, models

from memory.evaluation.opened import opened_texts
from memory.evaluation.scenarios.checks_answers import Check, Seen, _seen
from memory.evaluation.scenarios.looking import eye
from memory.evaluation.scenarios.reply import Malformed, Reply, Skipped
from memory.evaluation.scenarios.world import World
from memory.models import SubjectKey
from memory.vault import open_vault

# All of these are tables here: searching the tables searches them.
IN_TABLES = {
    "rows", "vectors", "fulltext", "history", "raw_messages", "working_memory", "cache",
    "audit_text",
}  # fmt: skip
ELSEWHERE = {"queue", "logs"}
# Files the service does not write: there is nothing to look at.
NOT_MADE = {"export", "export_files"}
ON_DISK = {"db_file_bytes"}


def zero_traces(world: World, reply: Reply, check: Check) -> Seen:
    """The words occur nowhere in the named places.

    Raises:
        Skipped: for the database's files, which nothing of a run that is rolled back need reach.
    """
    places = set(check["in"])
    if unknown := places - IN_TABLES - ELSEWHERE - NOT_MADE - ON_DISK:
        raise Malformed(f"zero_traces knows no place {min(unknown)!r}")
    words = [str(one) for one in check["of"]]
    found = list(_in_tables(world, words)) if places & IN_TABLES else []
    found += [f"queue: {one}" for one in _in(world.sent, words)] if "queue" in places else []
    found += [f"logs: {one}" for one in _in(world.logged, words)] if "logs" in places else []
    if not found and places & ON_DISK:
        raise Skipped("the database's files are not looked at by this run")
    return _seen(not found, found)


def _in(texts: Sequence[str], words: Sequence[str]) -> set[str]:
    return {word for word in words for text in texts if word in text}


def _in_tables(world: World, words: Sequence[str]) -> Iterator[str]:
    for tenant_id, subject_id in world.cast.everybody():
        with eye(tenant_id, subject_id) as principal:
            for model in _tables():
                yield from (
                    f"{model._meta.db_table}: {word}" for word in _rows(model, tenant_id, words)
                )
            if SubjectKey.objects.filter(subject_id=subject_id).exists():
                opened = list(opened_texts(open_vault(principal), subject_id))
                yield from (f"opened: {word}" for word in sorted(_in(opened, words)))


def _tables() -> list[type[models.Model]]:
    return [
        model
        for app in ("accounts", "memory")
        for model in apps.get_app_config(app).get_models()
        if "tenant_id" in {field.column for field in model._meta.local_concrete_fields}
    ]


def _rows(model: type[models.Model], tenant_id: uuid.UUID, words: Sequence[str]) -> list[str]:
    """Return the words that a visible row of the tenant shows as text or as bytes."""
    table = connection.ops.quote_name(model._meta.db_table)
    sql = (
        f"SELECT count(*) FROM {table} AS t WHERE t.tenant_id = %s "  # noqa: S608 - our own name
        "AND (strpos(t::text, %s) > 0 OR strpos(t::text, %s) > 0)"
    )
    there = []
    with connection.cursor() as cursor:
        for word in words:
            cursor.execute(sql, [tenant_id, word, word.encode().hex()])
            row = cursor.fetchone()
            there += [word] if row and row[0] else []
    return there
