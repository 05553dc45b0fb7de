"""The audit log: in the transaction of the change, with codes and ids, and never with content."""

import io
import logging
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from accounts import audit
from accounts.acting import acting
from accounts.choices import ActorKind, AuditCode
from accounts.models import AuditEvent
from accounts.principal import Principal
from memory import jobs
from memory.models import Job
from tests.cast import Api, Cast, operator, principal_of

# What Alice says. None of it may stand in the audit log or in a log line.
CANARIES = ("quibblesnark", "魑魅豆", "zorviktea", "饕餮面", "hunter2horse", "13912345678")


def lines(**which: Any) -> list[AuditEvent]:
    return list(AuditEvent.objects.filter(**which).order_by("id"))


def nobody() -> Principal:
    return Principal(kind=ActorKind.NOBODY, tenant_id=uuid.uuid4(), actor_id=None)


class TestRecord:
    @pytest.mark.django_db(transaction=True)
    def test_outside_a_transaction_it_refuses(self) -> None:
        with pytest.raises(RuntimeError, match="in the transaction of the change"):
            audit.record(nobody(), AuditCode.KEY_CREATED)
        assert not lines()

    def test_no_line_stays_without_its_change(self, cast: Cast) -> None:
        before = len(lines())
        with pytest.raises(RuntimeError), transaction.atomic():  # noqa: PT012 - both in one
            audit.record(operator(cast.acme), AuditCode.KEY_CREATED)
            raise RuntimeError
        assert len(lines()) == before

    def test_it_says_who_did_what_to_what_and_whose(self, cast: Cast) -> None:
        agent = principal_of(cast.keys["assistant"], "alice").using(address="203.0.113.0")
        memory = uuid.uuid4()
        with acting(agent):
            audit.record(agent, AuditCode.MEMORY_READ, object_kind="memory", object_id=memory)
        line = lines()[-1]
        assert (line.code, line.object_kind, line.object_id) == ("memory.read", "memory", memory)
        assert (line.tenant_id, line.subject_id) == (cast.acme.id, cast.alice.id)
        assert (line.actor_kind, line.actor_id) == ("agent", cast.agents["assistant"].id)
        assert (line.actor_label, line.address) == ("assistant", "203.0.113.0")
        assert line.key_prefix == cast.keys["assistant"].split("_")[2]

    def test_the_model_itself_only_adds(self, db: None) -> None:
        with transaction.atomic():
            line = audit.record(nobody(), AuditCode.KEY_CREATED)
        with pytest.raises(TypeError, match="append-only"):
            line.delete()
        with pytest.raises(IntegrityError, match="duplicate key"), transaction.atomic():
            line.save()


class TestShorten:
    @pytest.mark.parametrize(
        ("address", "short"),
        [
            ("203.0.113.77", "203.0.113.0"),
            ("2001:db8:abcd:12::1", "2001:db8:abcd::"),
            ("::ffff:203.0.113.77", "::"),
            ("", ""),
            ("不是地址", ""),
            ("203.0.113.77, 10.0.0.1", ""),
        ],
    )
    def test_a_network_is_kept_not_a_machine(self, address: str, short: str) -> None:
        assert audit.shorten(address) == short

    @given(st.ip_addresses() | st.text())
    def test_no_address_comes_out_whole(self, address: Any) -> None:
        short = audit.shorten(str(address))
        assert short == "" or short.endswith((".0", "::"))


class TestDenied:
    """A refusal leaves its line, though what it refused was rolled back."""

    @pytest.mark.parametrize(
        ("caller", "reason"),
        [("stranger", "not_found"), ("bob", "not_found"), ("off", "forbidden")],
    )
    def test_it_is_noted(self, cast: Cast, caller: str, reason: str) -> None:
        made = Api(cast.keys["assistant"])(
            "POST", "memories", {"user_id": "alice", "text": "I like tea 茶"}
        ).json()
        response = Api(cast.keys[caller])("GET", f"memories/{made['id']}")
        assert response.status_code in (403, 404)
        line = lines(code=AuditCode.ACCESS_DENIED)[-1]
        assert (line.reason, line.key_prefix) == (reason, cast.keys[caller].split("_")[2])
        assert line.request_id == response["X-Request-ID"]


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """Everything logged at INFO and above, in the form that leaves the process."""
    from structlog.stdlib import ProcessorFormatter

    form = django_settings.LOGGING["formatters"]["json"]
    handler = logging.StreamHandler(written := io.StringIO())
    handler.setFormatter(ProcessorFormatter(**{k: v for k, v in form.items() if k != "()"}))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield written
    root.removeHandler(handler)
    root.setLevel(level)


def whole_story(cast: Cast) -> list[int]:
    """Say, propose, recall, open, correct, be refused, erase; return the statuses."""
    say, own = Api(cast.keys["assistant"]), Api(cast.keys["alice"])
    alice = {"user_id": "alice"}
    session = say("POST", "sessions", alice).json()["id"]
    talk = f"sessions/{session}/messages?wait=true"
    spoken = (
        "I love quibblesnark soup，我喜欢魑魅豆。",
        "我的密码是 hunter2horse, my password: hunter2horse",
        "我的电话是13912345678",
    )
    said = [{"role": "user", "content": text, "name": "饕餮面"} for text in spoken]
    fact = alice | {
        "text": "I love zorviktea 和饕餮面",
        "attribute": "taste.food",
        "value": "zorviktea",
        "about": "魑魅豆",
        "tags": ["饕餮面"],
        "metadata": {"quibblesnark": "zorviktea"},
    }
    done = [say("POST", talk, {"messages": said}), say("POST", "memories", fact)]
    id_ = done[1].json()["id"]
    done += [
        say("POST", "recall", alice | {"query": "quibblesnark 魑魅豆"}),
        say("POST", "recall", alice | {"query": "x", "filters": {"zorviktea": ["饕餮面"]}}),
        say("GET", "memories?user_id=alice"),
        say("GET", f"memories/{id_}"),
        say("PATCH", f"memories/{id_}", {"text": "I hate zorviktea 面"}, If_Match='"9"'),
        say("PATCH", f"memories/{id_}", {"text": "I hate zorviktea 面"}, If_Match='"1"'),
        say("POST", "memories", alice | {"text": "zorviktea", "饕餮面": 1}),
        say("POST", "memories", alice | {"text": "password: hunter2horse"}),
        Api(cast.keys["low"])(
            "POST", "memories", alice | {"text": "quibblesnark", "sensitivity": 40}
        ),
        own("POST", "memories", alice | {"text": "I really hate zorviktea 饕餮面"}),
        Api(cast.keys["bob"])("POST", "recall", alice | {"query": "quibblesnark"}),
        say("DELETE", f"memories/{id_}"),
        say("GET", f"memories/{id_}"),
    ]
    return [response.status_code for response in done]


def test_no_word_of_anybody_is_in_the_log_or_the_logs(cast: Cast, logged: io.StringIO) -> None:
    statuses = whole_story(cast)
    assert {200, 201, 400, 404, 410, 412, 422} <= set(statuses)
    written = " ".join(str(vars(line)) for line in lines())
    codes = {line.code for line in lines()}
    assert {
        AuditCode.SESSION_OPENED,
        AuditCode.MESSAGES_APPENDED,
        AuditCode.MEMORY_DECIDED,
        AuditCode.MEMORY_RECALLED,
        AuditCode.MEMORY_LISTED,
        AuditCode.MEMORY_READ,
        AuditCode.MEMORY_CORRECTED,
        AuditCode.ERASURE_FENCED,
        AuditCode.ACCESS_DENIED,
    } <= codes
    for canary in CANARIES:
        assert canary not in written
        assert canary not in logged.getvalue()


def test_a_failing_job_logs_what_broke_but_no_words(
    cast: Cast, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ValueError("cannot read quibblesnark 魑魅豆")

    monkeypatch.setattr("memory.jobs.extract_session", broken)
    say = Api(cast.keys["assistant"])
    session = say("POST", "sessions", {"user_id": "alice"}).json()["id"]
    said = [{"role": "user", "content": "I love quibblesnark 魑魅豆"}]
    say("POST", f"sessions/{session}/messages", {"messages": said})
    jobs.run_job(Job.objects.get().id)
    assert Job.objects.get().error == "ValueError"
    assert "job_failed" in logged.getvalue()
    for canary in CANARIES:
        assert canary not in logged.getvalue()


def test_a_failing_jobs_log_line_says_where_it_broke(
    cast: Cast, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ValueError("密 secret")

    monkeypatch.setattr("memory.jobs.extract_session", broken)
    say = Api(cast.keys["assistant"])
    session = say("POST", "sessions", {"user_id": "alice"}).json()["id"]
    said = [{"role": "user", "content": "I love tea 茶"}]
    say("POST", f"sessions/{session}/messages", {"messages": said})
    jobs.run_job(Job.objects.get().id)
    assert "ValueError" in logged.getvalue() and "test_audit.py" in logged.getvalue()


def test_a_purpose_is_a_code_and_no_room_for_words(cast: Cast) -> None:
    say = Api(cast.keys["assistant"])
    asked = {"user_id": "alice", "query": "tea 茶", "purpose": "she loves quibblesnark 魑魅豆"}
    say("POST", "recall", asked)
    written = " ".join(str(vars(line)) for line in lines())
    assert "quibblesnark" not in written and "魑魅豆" not in written
