"""In the console: sets are brought, the service is measured on them, and two evaluations are compared."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from django.test import Client

from accounts.acting import acting
from accounts.models import AuditEvent
from memory import tasks
from memory.admin import evaluations
from memory.errors import Forbidden, InvalidInput
from memory.evaluation import runs
from memory.models import EvaluationRun, EvaluationSet
from tests.cast import Cast, principal_of
from tests.cast import operator as operator_of
from tests.memory.evaluation.test_whole import ASKED, LIVES, MOVED

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])
REASON = {"because": "drill", "ticket": "OPS-7"}


def jsonl(*rows: Any) -> bytes:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


def on_tenant(client: Client, cast: Cast, action: str, **given: Any) -> Any:
    chosen = {"action": action, "_selected_action": [str(cast.acme.id)]}
    return client.post("/admin/console/tenant/", chosen | REASON | given)


def bring(client: Client, cast: Cast, content: bytes, name: str = "moves") -> Any:
    file = SimpleUploadedFile("set.jsonl", content)
    return on_tenant(client, cast, "add_set", name=name, content=file)


def test_a_set_is_brought_measured_and_compared(
    operator: Client, cast: Cast, hash_embedder: None
) -> None:
    assert bring(operator, cast, jsonl(LIVES, MOVED, ASKED)).status_code == 302
    for name in ("before", "after"):
        asked = on_tenant(operator, cast, "evaluate_tenant", on="moves", policy="inject", name=name)
        assert asked.status_code == 302
    first, second = EvaluationRun.objects.order_by("at")
    assert first.state == "pending" and first.data == "set moves"
    assert runs.due() == [first.id, second.id]  # whom a sweep wakes
    for waiting in runs.due():
        tasks.run_evaluation(str(waiting))
    for row in (first, second):
        row.refresh_from_db()
        assert row.state == "succeeded", row.error
        assert row.numbers["write.sessions"] == 2 and row.numbers["leakage.foreign"] == 0
        assert row.recipe == {"base": "inject", "numbers": {}, "name": "inject"}
        assert row.digest and row.seconds is not None
    page = operator.get(f"/admin/console/run/{first.id}/change/").content.decode()
    assert "write.precision" in page and "before" in page
    chosen = {"action": "compare", "_selected_action": [str(first.id), str(second.id)]}
    compared = operator.post("/admin/console/run/", chosen).content.decode()
    assert "difference" in compared and "write.recall" in compared
    assert "different data" not in compared
    one = operator.post("/admin/console/run/", chosen | {"_selected_action": [str(first.id)]})
    assert one.status_code == 302
    done = [line.decision for line in AuditEvent.objects.filter(code="console.acted")]
    assert done == ["add_set", "evaluate_tenant", "evaluate_tenant"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"{}", "line 1"),
        (jsonl(LIVES) + b"\n\n{", "line 3"),
        (jsonl(ASKED), "no session"),
        (b"\xff\xfe", "UTF-8"),
        (jsonl(LIVES, LIVES), "twice"),
    ],
    ids=["empty", "broken", "no session", "bytes", "twice"],
)
def test_a_file_that_is_not_understood_is_refused_by_line(
    operator: Client, cast: Cast, content: bytes, says: str
) -> None:
    answer = bring(operator, cast, content)
    assert answer.status_code == 200 and says in answer.content.decode()
    with acting(operator_of(cast.acme)):
        assert not EvaluationSet.objects.exists()


def test_what_is_brought_is_sealed_and_can_be_removed(operator: Client, cast: Cast) -> None:
    bring(operator, cast, jsonl(LIVES))
    bring(operator, cast, jsonl(LIVES, ASKED | {"evidence": ["g1"]}))
    with acting(operator_of(cast.acme)):
        row = EvaluationSet.objects.get()
    assert row.lines == 2 and "北京".encode() not in bytes(row.content)
    page = operator.get("/admin/console/set/").content.decode()
    assert "moves" in page and "北京" not in page
    removing = {"action": "remove_set", "_selected_action": [str(row.id)], **REASON}
    assert operator.post("/admin/console/set/", removing).status_code == 302
    with acting(operator_of(cast.acme)):
        assert not EvaluationSet.objects.exists()


def test_a_run_whose_set_is_gone_fails_and_says_so(operator: Client, cast: Cast) -> None:
    bring(operator, cast, jsonl(LIVES))
    on_tenant(operator, cast, "evaluate_tenant", on="moves", policy="default")
    with acting(operator_of(cast.acme)):
        EvaluationSet.objects.all().delete()
    row = EvaluationRun.objects.get()
    runs.run(row.id)
    row.refresh_from_db()
    assert (row.state, row.error) == ("failed", "DoesNotExist")
    runs.run(row.id)  # a second worker finds it done


def test_how_far_it_is_can_be_seen_while_it_runs(cast: Cast) -> None:
    row = EvaluationRun.objects.create(what="all", data="example 10 7")
    report = runs.Progress(row.id)
    report(3, 40)
    report(4, 40)  # at once again: not noted
    report.close()
    with connections["console"].cursor() as cursor:
        cursor.execute("SELECT done, total FROM memory_evaluationrun")
        assert cursor.fetchone() == (3, 40)
    assert runs.due() == [], "its lease is held on"


def test_only_an_operator_and_only_what_there_is(operator: Client, cast: Cast) -> None:
    agent = principal_of(cast.keys["assistant"], "alice")
    with pytest.raises(Forbidden):
        evaluations.add_set(agent, cast.acme.id, reason="drill OPS-1", name="a", content=b"")
    acme = operator_of(cast.acme)
    with pytest.raises(InvalidInput, match="no set"):
        evaluations.evaluate_tenant(
            acme, cast.acme.id, reason="drill OPS-1", on="nothing", policy="default"
        )
    with pytest.raises(InvalidInput, match="policy must be"):
        evaluations.evaluate_tenant(
            acme, cast.acme.id, reason="drill OPS-1", on="100", policy="nobody"
        )
    assert bring(operator, cast, jsonl(LIVES), name="Two words").status_code == 200
