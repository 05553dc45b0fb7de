"""What a collector of OpenTelemetry's spans is told: how the work hangs together, and no content."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from celery.contrib.testing.worker import start_worker
from django.test import Client

from config.celery import app
from config.environment import ROOT
from memory.measuring import spans
from tests.cast import Api
from tests.collector import Collected, collector
from tests.memory.operations.test_work import ASKED, said, until_done
from tests.memory.wire import body_of, open_session, propose

pytestmark = pytest.mark.django_db(transaction=True)

TRACE = "0af7651916cd43dd8448eb211c80319c"
CALLER = f"00-{TRACE}-b7ad6b7169203331-01"
CANARIES = ("quokka", "金丝雀")
# Neither what was said nor whom it is about, no address, no statement.
NEVER = (*CANARIES, "alice", "/api/v1", "127.0.0.1", "SELECT", "INSERT", "memory_")


@pytest.fixture
def collected(settings: Any) -> Iterator[Collected]:
    with collector() as found:
        settings.OTEL_EXPORTER_OTLP_ENDPOINT = found.url
        yield found
        spans.provider(found.url).shutdown()


def told(collected: Collected) -> list[Any]:
    spans.provider(collected.url).force_flush()
    return collected.spans


def codes(span: Any) -> dict[str, Any]:
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


def test_a_request_its_job_and_their_steps_are_one_trace_without_content(
    api: Api, client: Client, collected: Collected
) -> None:
    session = open_session(api)
    app.control.purge()
    with start_worker(app, perform_ping_check=False, shutdown_timeout=30):
        body = {"messages": [{"role": "user", "content": "My quokka is named 金丝雀."}]}
        answer = api(
            "POST", f"sessions/{session}/messages", body, X_Request_ID=ASKED, Traceparent=CALLER
        )
        until_done(body_of(answer, 202)["job"]["id"])
    body_of(api("POST", "recall", {"user_id": "alice", "query": "quokka 金丝雀?"}))
    propose(api, "Alice's quokka eats leaves. 金丝雀吃树叶。")
    client.get("/memories/?q=quokka&金丝雀=1")
    assert api("POST", "recall", {"quokka": "金丝雀"}).status_code == 400
    found = told(collected)
    traced = {one.name: one for one in found if one.trace_id.hex() == TRACE}
    assert {"POST api-messages", "append", "job extract", "extract", "write"} <= set(traced)
    assert {codes(one)["keepsake.request_id"] for one in traced.values()} == {ASKED}
    request = traced["POST api-messages"]
    assert request.parent_span_id.hex() == CALLER.split("-")[2]
    line = [request, *(traced[name] for name in ("append", "job extract", "extract"))]
    assert [one.parent_span_id for one in line[1:]] == [one.span_id for one in line[:-1]]
    assert codes(request) == {
        "http.request.method": "POST",
        "http.route": "api-messages",
        "http.response.status_code": 202,
        "keepsake.request_id": ASKED,
    }
    names = {one.name for one in found}
    assert {"POST api-recall", "recall", "understand", "find", "GET memories"} <= names
    assert [one for one in NEVER if one.encode() in b"".join(collected.bodies)] == []


def test_an_error_is_told_by_its_kind_alone(
    api: Api, collected: Collected, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory import jobs

    def broken(*_: Any, **__: Any) -> str:
        raise OSError("disk full of quokka 金丝雀")

    monkeypatch.setattr(jobs, "_work", broken)
    jobs.run_job(said(api, open_session(api), "quokka 金丝雀"))
    (job,) = [one for one in told(collected) if one.name == "job extract"]
    assert codes(job)["keepsake.outcome"] == "failed"
    assert job.status.code == 2 and not job.status.message and not job.events
    assert [one for one in CANARIES if one.encode() in b"".join(collected.bodies)] == []


def test_without_a_collector_nothing_is_loaded(api: Api) -> None:
    script = (
        "import sys, django; django.setup(); from memory import measuring\n"
        "with measuring.step(measuring.Step.RECALL): pass\n"
        "from memory.measuring import spans; assert spans.carried() == ''\n"
        "sys.exit(any(one.startswith('opentelemetry') for one in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, timeout=60)
