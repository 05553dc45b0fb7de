"""/metrics: for whoever shows the token; codes and numbers, never whom or what."""

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import Error, InterfaceError, OperationalError, connections
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from memory import measuring
from memory.choices import ErasureState, JobKind, JobState
from memory.models import Erasure, Job
from tests.architecture.source import CODE, rows
from tests.cast import Api, Cast
from tests.memory.wire import body_of, open_session, tell

BOTH = ["default", "console"]
pytestmark = pytest.mark.django_db(databases=BOTH)

TOKEN = "a token for tests 令牌".encode().hex()
type Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture
def token(settings: Any) -> str:
    settings.METRICS_TOKEN = TOKEN
    return TOKEN


def scrape(**headers: str) -> Any:
    return Client(SERVER_NAME="localhost").get("/metrics", headers=headers)


def samples() -> Samples:
    response = scrape(Authorization=f"Bearer {TOKEN}")
    assert response.status_code == 200
    return {
        (one.name, frozenset(one.labels.items())): one.value
        for family in text_string_to_metric_families(response.content.decode())
        for one in family.samples
    }


def value(found: Samples, name: str, **labels: str) -> float:
    return found.get((name, frozenset(labels.items())), 0.0)


# --- the door ------------------------------------------------------------------------------------


def test_without_a_token_in_the_settings_there_is_no_such_address(settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert scrape(Authorization="Bearer ").status_code == 404


@pytest.mark.parametrize(
    "shown", ["", "Bearer", "Bearer wrong", TOKEN, f"bearer {TOKEN}", "Bearer 令牌"]
)
def test_another_token_is_refused(token: str, shown: str) -> None:
    response = scrape(Authorization=shown)
    assert (response.status_code, response.content) == (401, b"")
    assert response["WWW-Authenticate"] == "Bearer"


# --- what is counted -----------------------------------------------------------------------------


def test_requests_are_counted_by_route_and_status(cast: Cast, token: str) -> None:
    api, before = Api(cast.keys["assistant"]), samples()
    api("GET", "users?user_id=alice")
    api("POST", "recall", {"查询": 1})
    Api(None)("GET", f"memories/{uuid.uuid4()}")
    Client(SERVER_NAME="localhost").generic("VERBOTEN", "/health/live")
    after = samples()
    for route, method, status in (
        ("api-users", "GET", "200"),
        ("api-recall", "POST", "400"),
        ("api-memory", "GET", "401"),
        ("health-live", "other", "200"),
    ):
        labels = {"route": route, "method": method, "status": status}
        name = "keepsake_request_seconds_count"
        assert value(after, name, **labels) == value(before, name, **labels) + 1, route


@pytest.mark.django_db(transaction=True, databases=BOTH)
def test_recall_writing_and_decisions_are_counted(cast: Cast, token: str) -> None:
    api, before = Api(cast.keys["assistant"]), samples()
    tell(api, "我住在苏州。", "I am allergic to peanuts.")
    body_of(api("POST", "recall", {"user_id": "alice", "query": "我住在哪里?"}))
    body_of(api("POST", "recall", {"user_id": "alice", "query": "quantum chromodynamics 夸克"}))
    after = samples()

    def more(name: str, **labels: str) -> float:
        return value(after, name, **labels) - value(before, name, **labels)

    steps = "keepsake_step_seconds_count"
    assert more(steps, step="append", outcome="ok") == 1
    assert more(steps, step="extract", outcome="ok") == 1
    assert more(steps, step="write", outcome="accepted") == 2
    assert more(steps, step="recall", outcome="found") == 1
    assert more(steps, step="recall", outcome="nothing_relevant") == 1
    assert more(steps, step="find", outcome="ok") == 2
    assert more("keepsake_job_seconds_count", kind="extract", outcome="done") == 1
    assert more("keepsake_decisions_total", outcome="accepted", reason="stated") == 2


def test_a_step_that_fails_is_counted_by_its_code(cast: Cast, token: str) -> None:
    api, before = Api(cast.keys["assistant"]), samples()
    session = open_session(api)
    api("POST", f"sessions/{session}/close", {})
    said = {"messages": [{"role": "user", "content": "晚了 too late"}]}
    assert api("POST", f"sessions/{session}/messages", said).status_code == 409
    labels = {"step": "append", "outcome": "stale_state"}
    name = "keepsake_step_seconds_count"
    assert value(samples(), name, **labels) == value(before, name, **labels) + 1


# --- what stands ---------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True, databases=BOTH)
def test_what_waits_has_a_number_and_an_age(cast: Cast, token: str) -> None:
    now = timezone.now()
    mine = {"tenant_id": cast.acme.id, "subject_id": cast.alice.id}
    for state, minutes in ((JobState.PENDING, 7), (JobState.RUNNING, 3), (JobState.FAILED, 9)):
        Job.objects.create(
            **mine, kind=JobKind.EMBED, state=state, target_id=uuid.uuid4(),
            due_at=now - timedelta(minutes=minutes),
        )  # fmt: skip
    Job.objects.create(
        **mine, kind=JobKind.EMBED, target_id=uuid.uuid4(), due_at=now + timedelta(hours=1)
    )
    Erasure.objects.create(
        **mine, state=ErasureState.NEEDS_ATTENTION, requested_by_kind="person",
        requested_at=now - timedelta(hours=2),
    )  # fmt: skip
    found = samples()
    assert value(found, "keepsake_database_up") == 1
    states = {
        one: value(found, "keepsake_jobs", state=one) for one in ("pending", "running", "failed")
    }
    assert states == {"pending": 2, "running": 1, "failed": 1}
    assert value(found, "keepsake_queue_depth") == 2
    assert 420 <= value(found, "keepsake_queue_age_seconds") < 480
    assert value(found, "keepsake_erasures", state="needs_attention") == 1
    assert 7200 <= value(found, "keepsake_erasure_age_seconds") < 7260


@pytest.mark.parametrize("fault", [OperationalError, InterfaceError])
def test_without_the_database_the_counts_still_come(token: str, fault: type[Error]) -> None:
    def away(*_: Any) -> None:
        raise fault

    Client(SERVER_NAME="localhost").get("/health/live")
    with connections["console"].execute_wrapper(away):
        found = samples()
    assert value(found, "keepsake_database_up") == 0
    assert any(name == "keepsake_request_seconds_count" for name, _ in found)


# --- what is never there -------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True, databases=BOTH)
def test_a_hundred_memories_leave_no_word_and_no_id(cast: Cast, token: str) -> None:
    api, alice = Api(cast.keys["assistant"]), Api(cast.keys["alice"])
    canaries = [
        f"zq{number:03}quokka" if number % 2 else f"金丝雀{number:03}号" for number in range(100)
    ]
    ids: set[str] = {str(cast.acme.id), str(cast.alice.id), str(cast.agents["assistant"].id)}
    for start in range(0, 100, 50):
        items = [
            {
                "text": f"Likes the tea {one}." if number % 2 else f"喜欢喝{one}茶。",
                "kind": "semantic",
            }
            for number, one in enumerate(canaries[start : start + 50], start=start)
        ]
        body = body_of(alice("POST", "memories/batch", {"user_id": "alice", "memories": items}))
        ids |= {one["decision"] for one in body["results"]} | {
            one["id"] for one in body["results"] if one["id"]
        }
    assert len(ids) == 203
    for one in canaries[::10]:
        api("POST", "recall", {"user_id": "alice", "query": f"{one}?"})
    api("GET", f"nowhere/{canaries[0]}?q={canaries[1]}")
    api("GET", f"memories/{max(ids)}")
    text = scrape(Authorization=f"Bearer {TOKEN}").content.decode()
    assert [one for one in {*canaries, *ids, "alice", "Acme", "assistant"} if one in text] == []
    assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", text)
    labels = {
        name
        for family in text_string_to_metric_families(text)
        for one in family.samples
        for name in one.labels
    }
    assert labels <= {
        "route",
        "method",
        "status",
        "step",
        "outcome",
        "kind",
        "reason",
        "state",
        "sweep",
        "le",
    }


# --- the docs ------------------------------------------------------------------------------------


def test_every_metric_is_described_with_its_labels() -> None:
    from memory.measuring.counts import REGISTRY
    from memory.operations.gauges import GAUGES

    told = {
        CODE.findall(cells[0])[0]: set(CODE.findall(cells[1]))
        for cells in rows("docs/operate.md", "Metrics")
    }
    counts = {name: set(_labels(one)) for one, (name, *_) in REGISTRY._collector_to_names.items()}
    gauges = {name: set(labels) for name, (_, labels) in GAUGES.items()}
    plain = {
        name.replace("keepsake_decisions", "keepsake_decisions_total"): v
        for name, v in counts.items()
    }
    assert told == plain | gauges


def _labels(collector: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = collector._labelnames
    return names


def test_every_step_is_described() -> None:
    from tests.architecture.source import described

    assert described("docs/operate.md", "Steps") == {str(one) for one in measuring.Step}
