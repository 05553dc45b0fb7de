"""A language model reads conversations: when it is asked, and what happens when it cannot answer."""

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from memory import jobs
from memory.choices import JobState
from memory.evaluation.scripted_model import Reply, ScriptedModel, memories, memory, messages
from memory.models import Decision, Event, Job, Message, Session
from memory.policy import SESSION, WORK
from memory.providers import server
from tests.cast import Api, Cast, system_of
from tests.memory.wire import body_of, listed, open_session, tell, texts


def post(api: Api, *said: Any, session: str = "") -> uuid.UUID:
    """Hand over messages without waiting; return their job."""
    rows = [{"role": "user", "content": one} if isinstance(one, str) else one for one in said]
    path = f"sessions/{session or open_session(api)}/messages"
    return uuid.UUID(body_of(api("POST", path, {"messages": rows}), 202)["job"]["id"])


def reasons(cast: Cast) -> list[str]:
    with acting(system_of(cast.alice)):
        return [row.reasons[0] for row in Decision.objects.order_by("created_at")]


def shown(model: ScriptedModel, number: int = -1) -> str:
    """Return all that the model was shown."""
    return "\n".join(str(one["text"]) for one in messages(model.requests[number]))


# --- when it is asked ----------------------------------------------------------------------------


def test_without_a_memory_point_it_waits_until_the_session_is_idle(
    api: Api, model: ScriptedModel, cast: Cast
) -> None:
    job = post(api, "我们慢慢聊吧，这个话题挺有意思的。", "What do people do in Graz on a Sunday?")
    jobs.run_job(job)
    row = Job.objects.get(id=job)
    assert (row.state, row.attempts, model.requests) == (JobState.PENDING, 0, [])
    assert row.due_at > timezone.now() + SESSION.idle / 2
    with acting(system_of(cast.alice)):
        Session.objects.update(last_active_at=timezone.now() - SESSION.idle)
    jobs.run_job(job)
    assert Job.objects.get(id=job).state == JobState.SUCCEEDED
    assert len(model.requests) == 1


def test_a_memory_point_brings_all_that_waits_before_it_in_one_question(
    api: Api, model: ScriptedModel
) -> None:
    session = open_session(api)
    first = post(api, "What do people do in Graz on a Sunday?", session=session)
    jobs.run_job(first)
    second = post(api, "对了，我养了两只猫。", session=session)
    assert first == second
    jobs.run_job(second)
    assert len(model.requests) == 1
    assert "Graz" in shown(model) and "两只猫" in shown(model)


def test_a_closed_session_is_read_at_once(api: Api, model: ScriptedModel) -> None:
    session = open_session(api)
    jobs.run_job(post(api, "What do people do in Graz on a Sunday?", session=session))
    body = body_of(api("POST", f"sessions/{session}/close?wait=true", {}))
    assert body["job"]["state"] == "succeeded" and len(model.requests) == 1


def test_long_talk_is_read_in_stretches_each_with_what_came_before(
    api: Api, model: ScriptedModel
) -> None:
    said = [f"第{number}次我去了美术馆看展览。" for number in range(90)]
    jobs.run_job(post(api, *said, "我养了两只猫。"))
    assert len(model.requests) > 2
    known = [sum("known" in row for row in messages(asked)) for asked in model.requests]
    assert known == [0, *[6] * (len(known) - 1)]


# --- when it cannot ------------------------------------------------------------------------------


@pytest.mark.parametrize("garbage", ["", "not json", '{"facts": "oops"}', '{"memories": [{"text": "hiking"}]}'])  # fmt: skip
def test_garbage_is_a_failure_that_is_tried_again_and_never_silence(
    api: Api, model: ScriptedModel, cast: Cast, garbage: str
) -> None:
    model.part = lambda _: garbage
    job = post(api, "我下个月开始值夜班。")
    jobs.run_job(job)
    row = Job.objects.get(id=job)
    assert (row.state, row.error) == (JobState.PENDING, "ModelGarbled")
    assert row.due_at > timezone.now() and listed(api) == [] and reasons(cast) == []
    shown_job = body_of(api("GET", f"jobs/{job}"))
    assert (shown_job["state"], shown_job["error"]) == ("pending", "ModelGarbled")
    model.part = lambda _: memories(memory(0, "我下个月开始值夜班"))
    jobs.run_job(job)
    assert Job.objects.get(id=job).state == JobState.SUCCEEDED
    assert texts(listed(api)) == ["我下个月开始值夜班"]


def test_a_model_that_never_answers_well_ends_as_failed_with_the_events_kept(
    api: Api, model: ScriptedModel, cast: Cast
) -> None:
    model.part = lambda _: "no"
    job = post(api, "我养了两只猫。")
    for _ in range(WORK.attempts + 1):
        jobs.run_job(job)
    row = Job.objects.get(id=job)
    assert (row.state, row.attempts, row.error) == (JobState.FAILED, WORK.attempts, "ModelGarbled")
    with acting(system_of(cast.alice)):
        assert Event.objects.count() == 1 and Message.objects.get().extracted_at is None
    del model.part  # once it is well again, the next message brings the lost one along
    model.part = lambda _: memories(memory(0, "我养了两只猫"))
    tell(api, "你好，在吗？")
    assert texts(listed(api)) == ["我养了两只猫"]


def test_one_message_that_yields_only_garbage_keeps_nobody_else_from_being_heard(
    api: Api, model: ScriptedModel
) -> None:
    def part(asked: Any) -> str:
        rows = [one for one in messages(asked) if "message" in one]
        if any("poison" in one["text"] for one in rows):
            return "garbage"
        return memories(*(memory(one["message"], one["text"]) for one in rows))

    model.part = part
    job = post(api, "我养了两只猫。", "My cat eats poison ivy every day.", "I play the oboe.")
    jobs.run_job(job)
    assert set(texts(listed(api))) == {"我养了两只猫。", "I play the oboe."}
    assert Job.objects.get(id=job).error == "ModelGarbled"


def test_the_servers_retry_after_puts_the_job_off(
    api: Api, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "LONGEST_PAUSE", 0.01)
    model.replies = [Reply(status=429, headers={"Retry-After": "900"}) for _ in range(9)]
    job = post(api, "我养了两只猫。")
    jobs.run_job(job)
    row = Job.objects.get(id=job)
    assert (row.state, row.error) == (JobState.PENDING, "ModelUnavailable")
    assert row.due_at > timezone.now() + timedelta(seconds=800)


def test_whoever_waits_waits_no_longer_than_promised(
    api: Api, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SESSION", replace(SESSION, wait_seconds=0.2))
    model.replies = [Reply(pause=0.6)]
    session = open_session(api)
    said = {"messages": [{"role": "user", "content": "我养了两只猫。"}]}
    body = body_of(api("POST", f"sessions/{session}/messages?wait=true", said), 202)
    assert "decisions" not in body
    row = Job.objects.get(id=body["job"]["id"])
    assert (row.state, row.attempts, row.error) == (JobState.PENDING, 0, "")
    jobs.run_job(row.id)
    assert texts(listed(api)) == ["我养了两只猫。"]


def test_a_job_that_takes_too_long_goes_on_where_it_stood(
    api: Api, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "WORK", replace(WORK, patience=0.5))
    said = [f"第{number}次我去了美术馆看展览，还买了{number}本书。" for number in range(60)]
    model.replies = [Reply(), Reply(pause=1.0)]
    job = post(api, *said, "我养了两只猫。")
    jobs.run_job(job)
    assert Job.objects.get(id=job).state == JobState.PENDING
    monkeypatch.setattr(jobs, "WORK", WORK)
    jobs.run_job(job)
    assert Job.objects.get(id=job).state == JobState.SUCCEEDED
    assert "我养了两只猫。" in texts(listed(api))
