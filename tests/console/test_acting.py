"""What an operator may do: asked for a reason, done by a service, written down."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import keys
from accounts.acting import acting
from accounts.models import Agent, ApiKey, AuditEvent, Subject, User
from memory import tasks
from memory.admin import services
from memory.choices import ErasureState, JobKind, JobState, StepState
from memory.errors import Forbidden, InvalidInput
from memory.models import Erasure, ErasureStep, Job, Sweep, WebhookTarget
from tests.architecture.source import section
from tests.cast import Cast, system_of
from tests.cast import operator as principal_of

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])
WHY = {"because": "security", "ticket": "OPS-17"}


def act(client: Client, table: str, action: str, *ids: object, **why: str) -> Any:
    body = {"action": action, "_selected_action": [str(one) for one in ids]} | why
    return client.post(f"/admin/console/{table}/", body)


def lines() -> list[tuple[str, str, str, uuid.UUID | None]]:
    found = AuditEvent.objects.filter(code="console.acted").order_by("id")
    return [(line.decision, line.object_kind, line.reason, line.object_id) for line in found]


def key_of(cast: Cast) -> uuid.UUID:
    owner = keys.find(cast.keys["assistant"])
    assert owner is not None
    return owner.key_id


def failed_job(cast: Cast) -> Job:
    return Job.objects.create(
        tenant_id=cast.acme.id,
        subject_id=cast.alice.id,
        kind=JobKind.EXTRACT,
        target_id=uuid.uuid4(),
        state=JobState.FAILED,
        attempts=10,
        finished_at=timezone.now(),
        error="ValueError",
    )


def failed_step(cast: Cast) -> ErasureStep:
    erasure = Erasure.objects.create(
        tenant_id=cast.acme.id,
        subject_id=cast.alice.id,
        state=ErasureState.NEEDS_ATTENTION,
        requested_by_kind="person",
    )
    return ErasureStep.objects.create(
        tenant_id=cast.acme.id,
        subject_id=cast.alice.id,
        erasure=erasure,
        store="versions",
        position=1,
        state=StepState.FAILED,
        attempts=10,
        error="OSError",
    )


def test_revoking_a_key_asks_why_first(operator: Client, cast: Cast) -> None:
    key = key_of(cast)
    page = act(operator, "key", "revoke_key", key)
    assert page.status_code == 200 and b"Ticket" in page.content
    assert keys.find(cast.keys["assistant"]) is not None, "asking does nothing yet"
    assert act(operator, "key", "revoke_key", key, **WHY).status_code == 302
    assert keys.find(cast.keys["assistant"]) is None
    assert lines() == [("revoke_key", "key", "security OPS-17", key)]
    line = AuditEvent.objects.get(code="key.revoked", object_id=key)
    assert (line.actor_kind, line.actor_id) == ("operator", User.objects.get(is_staff=True).id)


@pytest.mark.parametrize(
    "why",
    [
        {"because": "security"},
        {"because": "security", "ticket": ""},
        {"because": "", "ticket": "OPS-17"},
        {"because": "boredom", "ticket": "OPS-17"},
        {"because": "security", "ticket": "Alice lives in Suzhou"},
        {"because": "security", "ticket": "苏州"},
        {"because": "security", "ticket": "OPS-17\n"},
        {"because": "security", "ticket": "x" * 40},
    ],
)
def test_without_a_reason_nothing_happens(
    operator: Client, cast: Cast, why: dict[str, str]
) -> None:
    answer = act(operator, "key", "revoke_key", key_of(cast), **why)
    if why.get("ticket") != "OPS-17\n":  # a form strips the end of a line
        assert answer.status_code == 200
        assert keys.find(cast.keys["assistant"]) is not None
        assert lines() == []


def test_a_paused_agent_is_not_let_in_until_it_is_resumed(operator: Client, cast: Cast) -> None:
    agent = cast.agents["assistant"].id
    act(operator, "agent", "pause_agent", agent, **WHY)
    assert keys.find(cast.keys["assistant"]) is None
    assert keys.find(cast.keys["colleague"]) is not None
    act(operator, "agent", "pause_agent", agent, **WHY)
    assert len(lines()) == 1, "nothing changed, nothing to write down"
    act(operator, "agent", "resume_agent", agent, **WHY)
    assert keys.find(cast.keys["assistant"]) is not None
    assert [line[0] for line in lines()] == ["pause_agent", "resume_agent"]


def held(person_id: uuid.UUID) -> tuple[bool, str]:
    subject = Subject.objects.get(id=person_id)
    return subject.held_at is not None, subject.hold_reason


def test_a_person_is_put_on_hold_with_a_ground_and_let_go(operator: Client, cast: Cast) -> None:
    alice = cast.alice.id
    assert act(operator, "person", "hold_person", alice, **WHY).status_code == 200
    unknown = act(operator, "person", "hold_person", alice, **WHY, ground="curiosity")
    assert unknown.status_code == 200 and lines() == []
    act(operator, "person", "hold_person", alice, **WHY, ground="official_order")
    assert held(alice) == (True, "official_order")
    assert b"A court or an authority ordered it" in operator.get("/admin/console/person/").content
    act(operator, "person", "end_hold", alice, **WHY)
    assert held(alice) == (False, "")
    assert lines() == [
        ("hold_person", "subject", "security OPS-17", alice),
        ("end_hold", "subject", "security OPS-17", alice),
    ]


def test_an_agent_is_given_an_address_and_its_secret_is_shown_once(
    operator: Client, cast: Cast
) -> None:
    agent = cast.agents["assistant"].id
    refused = act(operator, "agent", "register_target", agent, **WHY, url="https://10.0.0.1/x")
    assert b"not a public one" in refused.content
    page = act(operator, "agent", "register_target", agent, **WHY, url="https://example.com/x")
    assert page.status_code == 200 and b"whsec_" in page.content
    assert "no-store" in page.headers["Cache-Control"]
    assert [line[:2] for line in lines()] == [("register_target", "agent")]
    rows = operator.get("/admin/console/target/").content.decode()
    assert "https://example.com/x" in rows and "whsec_" not in rows
    with acting(principal_of(cast.acme)):
        target = WebhookTarget.objects.get()
    act(operator, "target", "revoke_target", target.id, **WHY)
    with acting(principal_of(cast.acme)):
        assert WebhookTarget.objects.get().revoked_at is not None


def test_rows_of_several_tenants_are_each_done_in_their_own(operator: Client, cast: Cast) -> None:
    chosen = [cast.agents["assistant"], cast.agents["stranger"]]
    act(operator, "agent", "pause_agent", *(agent.id for agent in chosen), **WHY)
    for agent in chosen:
        with acting(principal_of(agent.tenant)):
            assert Agent.objects.get(id=agent.id).paused_at is not None
    assert set(
        AuditEvent.objects.filter(code="console.acted").values_list("tenant_id", flat=True)
    ) == {cast.acme.id, cast.globex.id}


def test_a_job_that_was_given_up_is_tried_again(operator: Client, cast: Cast) -> None:
    job = failed_job(cast)
    act(operator, "job", "retry_job", job.id, **WHY)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.finished_at) == (JobState.PENDING, 0, None)
    assert lines() == [("retry_job", "job", "security OPS-17", job.id)]
    assert AuditEvent.objects.get(code="console.acted").subject_id == cast.alice.id


@pytest.mark.parametrize("state", [JobState.PENDING, JobState.RUNNING, JobState.FAILED])
def test_a_job_is_cancelled_and_may_be_tried_again(
    operator: Client, cast: Cast, state: JobState
) -> None:
    job = failed_job(cast)
    Job.objects.update(state=state, finished_at=None)
    act(operator, "job", "cancel_job", job.id, **WHY)
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED and job.finished_at is not None
    assert lines() == [("cancel_job", "job", "security OPS-17", job.id)]
    act(operator, "job", "retry_job", job.id, **WHY)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.PENDING, 0)


def test_a_failed_step_is_tried_again(operator: Client, cast: Cast) -> None:
    step = failed_step(cast)
    page = operator.get(f"/admin/console/erasure/{step.erasure_id}/change/")
    assert b"versions" in page.content and b"OSError" in page.content
    assert step.store in operator.get("/admin/console/erasure/").content.decode()
    act(operator, "step", "retry_step", step.id, **WHY)
    step.refresh_from_db()
    step.erasure.refresh_from_db()
    assert (step.state, step.attempts) == (StepState.QUEUED, 0)
    assert step.erasure.state == ErasureState.RUNNING
    assert lines() == [("retry_step", "erasure", "security OPS-17", step.erasure_id)]


def test_what_did_not_fail_is_left_alone(operator: Client, cast: Cast) -> None:
    job, step = failed_job(cast), failed_step(cast)
    Job.objects.update(state=JobState.SUCCEEDED)
    ErasureStep.objects.update(state=StepState.DONE)
    act(operator, "job", "retry_job", job.id, **WHY)
    act(operator, "job", "cancel_job", job.id, **WHY)
    act(operator, "step", "retry_step", step.id, **WHY)
    assert lines() == []
    assert Job.objects.get().state == JobState.SUCCEEDED


def test_nothing_can_be_added_changed_or_deleted(operator: Client, cast: Cast) -> None:
    job = failed_job(cast)
    for path in ("add/", f"{job.id}/delete/", f"{job.id}/history/"):
        assert operator.get(f"/admin/console/job/{path}").status_code in (302, 404)
    assert operator.post(f"/admin/console/job/{job.id}/change/", {"state": "x"}).status_code == 403
    act(operator, "job", "delete_selected", job.id, post="yes")
    assert Job.objects.get().state == JobState.FAILED


def test_the_first_page_says_what_is_wrong(operator: Client, cast: Cast) -> None:
    failed_job(cast)
    step = failed_step(cast)
    figures = {one.words: one for one in operator.get("/admin/").context["figures"]}
    assert figures["Failed jobs"].count == figures["Failed erasure steps"].count == 1
    assert figures["Failed jobs"].alarming
    assert [name for name in figures if not any(section("docs/operate.md", name))] == []
    assert figures["Open erasures"].since == step.erasure.requested_at
    for one in figures.values():
        rows = operator.get(one.address)
        assert rows.status_code == 200
        assert rows.context["cl"].result_count == one.count


def test_the_first_page_says_what_the_sweepers_did(operator: Client) -> None:
    tasks.seal_audit()
    hour_ago = timezone.now() - timedelta(hours=1)
    Sweep.objects.create(name="sweep_jobs", finished_at=hour_ago)
    page = operator.get("/admin/")
    runs = {one.name: one for one in page.context["sweepers"]}
    assert set(runs) >= {"sweep_jobs", "sweep_erasures", "sweep_old", "seal_audit"}
    assert not runs["seal_audit"].late and runs["sweep_jobs"].late
    assert "seal_audit" in page.content.decode() and "never" in page.content.decode()


@pytest.mark.parametrize("prefix", ["", "key:"])
def test_an_id_leads_to_its_row(operator: Client, cast: Cast, prefix: str) -> None:
    key = key_of(cast)
    for term in (str(key), cast.keys["assistant"].split("_")[2]):
        answer = operator.get("/admin/find/", {"q": prefix + term})
        assert answer.headers["Location"] == f"/admin/console/key/{key}/change/"
    found = operator.get("/admin/find/", {"q": "user:alice"}).context["hits"]
    assert len(found) == 2, "two tenants call somebody alice"


class TestServices:
    def test_only_an_operator_may(self, cast: Cast) -> None:
        person = system_of(cast.alice)
        for service in (
            services.revoke_key,
            services.pause_agent,
            services.resume_agent,
            services.retry_step,
            services.retry_job,
            services.cancel_job,
            services.end_hold,
        ):
            with pytest.raises(Forbidden):
                service(person, uuid.uuid4(), reason="security X-1")

    def test_another_tenants_row_is_not_there(self, cast: Cast) -> None:
        key = key_of(cast)
        assert not services.revoke_key(principal_of(cast.globex), key, reason="security X-1")
        with acting(principal_of(cast.acme)):
            assert ApiKey.objects.get(id=key).revoked_at is None

    @pytest.mark.parametrize(("code", "ticket"), [("why", "X-1"), ("drill", "a b"), ("drill", "")])
    def test_a_reason_is_a_code_and_a_ticket(self, code: str, ticket: str) -> None:
        with pytest.raises(InvalidInput):
            services.because(code, ticket)
