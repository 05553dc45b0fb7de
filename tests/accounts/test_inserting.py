"""Rows of several tables come into being at once, or not at all."""

import pytest
from django.db import IntegrityError, transaction

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.inserting import insert
from accounts.models import AuditEvent
from memory.evaluation.bench.load import counting
from memory.models import ObjectKey, Suppression
from tests.cast import Cast, system_of


def rows_of(cast: Cast, digest: int) -> list[Suppression | ObjectKey | AuditEvent]:
    """Return rows of three tables about Alice, one of them with a list of words."""
    mine = {"tenant_id": cast.alice.tenant_id, "subject_id": cast.alice.id}
    return [
        audit.line(system_of(cast.alice), AuditCode.MEMORY_READ, fields=["100 % text", "正文"]),
        ObjectKey(**mine, object_id=cast.bob.id, wrapped=b"\x00%s key"),
        *(Suppression(**mine, basis="wording", digest=digest + n) for n in range(2)),
    ]


def test_rows_of_several_tables_are_put_in_by_one_statement(cast: Cast) -> None:
    with acting(system_of(cast.alice)):
        rows = rows_of(cast, 7)
        with counting() as queries:
            insert(rows)
        assert len(queries.sent) == 1
        assert list(Suppression.objects.order_by("digest").values_list("digest", flat=True)) == [
            7,
            8,
        ]
        kept = ObjectKey.objects.get(object_id=cast.bob.id)
        assert bytes(kept.wrapped) == b"\x00%s key" and not rows[1]._state.adding
        found = AuditEvent.objects.filter(code=AuditCode.MEMORY_READ).get()
        assert found.fields == ["100 % text", "正文"]
        insert([])


def test_if_one_is_refused_none_is_put_in(cast: Cast) -> None:
    with acting(system_of(cast.alice)):
        insert(rows_of(cast, 7))
        lines = AuditEvent.objects.count()
        with pytest.raises(IntegrityError), transaction.atomic():
            insert(rows_of(cast, 20))  # the key is there already
        assert AuditEvent.objects.count() == lines
        assert not Suppression.objects.filter(digest__gte=20).exists()
