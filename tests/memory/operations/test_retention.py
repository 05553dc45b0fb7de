"""Rows of operation end after their time, and each table of operation says when, or why not."""

import uuid
from dataclasses import replace
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.acting import acting
from accounts.models import PersonLink, User
from memory.choices import JobKind, JobState
from memory.choices.notices import NoticeState
from memory.forget import expire
from memory.models import Feedback, Job, OutboxMessage, RecalledMemory, RecallLog
from memory.operations import retention
from memory.policy import RETENTION, WORK
from tests.architecture.source import CODE, rows
from tests.architecture.test_stores import NO_WALL, label
from tests.cast import Api, Cast, system_of
from tests.memory.wire import body_of, propose, recall

pytestmark = pytest.mark.django_db


def job(cast: Cast, state: JobState, days: int) -> uuid.UUID:
    then = timezone.now() - timedelta(days=days)
    made = Job.objects.create(
        tenant_id=cast.acme.id, kind=JobKind.EMBED, state=state, target_id=uuid.uuid4(),
        created_at=then, due_at=then, finished_at=None if state == JobState.PENDING else then,
    )  # fmt: skip
    return made.id


def test_jobs_end_after_their_time(cast: Cast) -> None:
    stay = {
        job(cast, JobState.SUCCEEDED, 29),
        job(cast, JobState.FAILED, 89),
        job(cast, JobState.PENDING, 900),
    }
    for state, days in ((JobState.SUCCEEDED, 31), (JobState.CANCELLED, 31), (JobState.FAILED, 91)):
        job(cast, state, days)
    assert retention.sweep() == 3
    assert set(Job.objects.values_list("id", flat=True)) == stay
    assert retention.sweep() == 0


def test_one_sweep_ends_more_than_a_batch(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ended one batch an hour: with more work than that the tables grew for ever."""
    monkeypatch.setattr(retention, "WORK", replace(WORK, batch=1))
    for _ in range(25):
        job(cast, JobState.SUCCEEDED, 31)
    assert retention.sweep() == 25


def test_notices_links_and_sign_ins_end_after_their_time(cast: Cast) -> None:
    now = timezone.now()
    mine = {"tenant_id": cast.acme.id, "subject_id": cast.alice.id}
    for days in (399, 401):
        OutboxMessage.objects.create(
            **mine, topic="memory.erased", state=NoticeState.TO_FETCH,
            created_at=now - timedelta(days=days),
        )  # fmt: skip
    for days in (29, 31):
        PersonLink.objects.create(
            **mine, digest=uuid.uuid4().bytes, expires_at=now - timedelta(days=days)
        )
    user = User.objects.create_user("kay@example.com")
    for minutes in (-1, 1):
        session = Session.objects.create(
            session_key=uuid.uuid4().hex,
            session_data="",
            expire_date=now + timedelta(minutes=minutes),
        )
        UserSession.objects.create(user=user, session_key=session.session_key, ip="203.0.113.77")
    UserSession.objects.create(user=user, session_key="signed out", ip="203.0.113.77")
    assert retention.sweep() == 5
    for model in (OutboxMessage, PersonLink, Session, UserSession):
        assert model._default_manager.count() == 1
    assert UserSession.objects.get().session_key == Session.objects.get().session_key


def test_recalls_of_long_ago_end_but_those_that_were_judged(api: Api, cast: Cast) -> None:
    propose(api, "I live in Suzhou 苏州")
    ids = []
    for query in ("苏州", "Suzhou", "where does the user live"):
        found = body_of(api("POST", "recall", {"user_id": "alice", "query": query}))
        ids.append(uuid.UUID(found["recall_id"]))
    judged = {"recall_id": str(ids[0]), "verdict": "helped"}
    assert api("POST", "feedback", judged).status_code == 201
    alice = system_of(cast.alice)
    with acting(alice):
        RecallLog.objects.filter(id__in=ids[:2]).update(
            at=timezone.now() - RETENTION.recalls - timedelta(hours=1)
        )
    expire.sweep()
    with acting(alice):
        assert set(RecallLog.objects.values_list("id", flat=True)) == {ids[0], ids[2]}
        assert set(RecalledMemory.objects.values_list("recall_id", flat=True)) <= {ids[0], ids[2]}


def test_what_agents_said_long_ago_ends_and_with_it_the_recall(api: Api, cast: Cast) -> None:
    """A regression: a recall that was judged, and what was said of it, were kept for ever."""
    memory = propose(api, "I live in Suzhou 苏州")["id"]
    found = [recall(api, query)["recall_id"] for query in ("苏州", "Suzhou")]
    for one in found:
        body_of(api("POST", "feedback", {"recall_id": one, "verdict": "helped"}), 201)
    body_of(api("POST", "feedback", {"memory_id": memory, "verdict": "helped"}), 201)
    alice, now = system_of(cast.alice), timezone.now()
    with acting(alice):
        RecallLog.objects.update(at=now - RETENTION.feedback - timedelta(days=1))
        told = Feedback.objects.exclude(recall_id=found[1])
        told.update(at=now - RETENTION.feedback - timedelta(hours=1))
    expire.sweep()
    with acting(alice):
        (left,) = RecallLog.objects.values_list("id", flat=True)
        (said,) = Feedback.objects.values_list("recall_id", flat=True)
    assert str(left) == str(said) == found[1]


def test_each_table_of_operation_ends_or_says_why_not() -> None:
    """Those without a row policy are tables of work, and more stand beside them."""
    ending = {label(kept.model) for kept in retention.ENDING}
    assert set(NO_WALL) - ending - set(retention.STAYING) == set()
    assert ending & set(retention.STAYING) == set()


def test_each_is_described() -> None:
    told = {CODE.findall(cells[0])[0] for cells in rows("docs/operate.md", "Retention")}
    assert told == {label(kept.model) for kept in retention.ENDING} | set(retention.STAYING)
    days = {CODE.findall(cells[0])[0]: cells[1] for cells in rows("docs/operate.md", "Retention")}
    for name, kept in (
        ("memory.Job", RETENTION.jobs),
        ("memory.OutboxMessage", RETENTION.notices),
        ("memory.RecallLog", RETENTION.recalls),
        ("memory.Feedback", RETENTION.feedback),
        ("accounts.PersonLink", RETENTION.links),
    ):
        assert days[name].startswith(f"{kept.days} days"), name
