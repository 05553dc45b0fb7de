"""A session that outgrows its budget: what its older turns said stays, capped, sealed and erasable."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from accounts.models import AuditEvent
from memory.choices import Role
from memory.forget import expire
from memory.models import Event, Job, ObjectKey, Session, Summary
from memory.providers.tokens import count_tokens
from memory.sessions.compaction import Summarised
from memory.sessions.points import Point
from memory.sessions.summaries import fold, stored
from memory.vault import open_vault
from tests.cast import Api, Cast, principal_of, system_of
from tests.memory.api.desk import assistant, contents, context, reasons, user
from tests.memory.wire import body_of, open_session, problem, tell

RULES = (
    "Ground rules: site is Nordhavn-7, order is ORD-20418, ceiling 3,750 EUR, "
    "due 2026-11-06 17:00, contact Ilse Maartens, dock 14B."
)
FACTS = ("Nordhavn-7", "ORD-20418", "3,750", "2026-11-06 17:00", "Ilse Maartens", "14B")


def chatter(turns: int) -> list[dict[str, Any]]:
    said = (
        user("What do you think about weather, lunch, code style?"),
        assistant("There is a lot to say about weather, lunch, code style."),
    )
    return [said[number % 2] for number in range(turns)]


def summary_of(body: dict[str, Any]) -> str:
    return next(one for one in contents(body) if "<summary>" in one)


def rows(cast: Cast) -> list[Summary]:
    with acting(system_of(cast.alice)):
        return list(Summary.objects.all())


def test_numbers_and_names_survive_six_compactions(api: Api, cast: Cast) -> None:
    session = open_session(api)
    events = tell(api, RULES, session=session)["events"]
    for number in range(6):
        tell(api, *chatter(60), session=session)
        body = context(api, session, budget=600)
        assert sum(body["tokens"].values()) <= 600
        assert sum(map(count_tokens, contents(body))) <= 600
        for fact in FACTS:
            assert fact in summary_of(body), (number, fact)
    (row,) = rows(cast)
    assert row.version == 6 and uuid.UUID(events[0]) in row.event_ids
    assert body_of(api("GET", f"events/{events[0]}"))["content"] == RULES
    with acting(system_of(cast.alice)):
        assert AuditEvent.objects.filter(code="session.compacted").count() == 6
        assert RULES.encode() not in bytes(row.text)


def test_a_session_is_compacted_when_it_is_asked_for(api: Api, cast: Cast) -> None:
    session = open_session(api)
    told = tell(api, RULES, "好的", *chatter(60), session=session)["events"]
    path = f"sessions/{session}/compact"
    roomy = body_of(api("POST", path, {}))
    assert roomy["summary"] == "" and rows(cast) == []
    first, again = (body_of(api("POST", path, {"budget": 600})) for _ in range(2))
    assert all(fact in first["summary"] for fact in FACTS) and first == again
    assert first["tokens"]["recent"] > 0 and sum(first["tokens"].values()) <= 600
    left = {one["reason"]: one["events"] for one in first["left_out"]}
    assert left["summarised"] == [told[0]] and left["low_information"] == [told[1]]
    assert [row.version for row in rows(cast)] == [1]
    with acting(
        system_of(cast.alice)
    ):  # whoever reads a summary leaves a line, what changes nothing too
        assert AuditEvent.objects.filter(code="context.built", object_id=session).count() == 3
    assert summary_of(context(api, session, budget=600)) == first["summary"]
    for wrong in ({"budget": 0}, {"budget": "x"}, {"query": "hi 你好"}):
        problem(api("POST", path, wrong), 400, "invalid_input")
    tell(api, {"role": "system", "content": "Be brief 简短。 " * 200}, session=session)
    problem(api("POST", path, {"budget": 100}), 413, "too_large")


def test_nothing_new_leaves_the_summary_as_it_is(api: Api, cast: Cast) -> None:
    session = open_session(api)
    tell(api, RULES, *chatter(60), session=session)
    first, second = context(api, session, budget=600), context(api, session, budget=600)
    assert second | {"recall": None} == first | {"recall": None}
    assert [row.version for row in rows(cast)] == [1]


def test_the_answer_says_what_became_of_each_turn(api: Api) -> None:
    session = open_session(api)
    told = tell(api, RULES, "好的", *chatter(60), session=session)["events"]
    left = {one["reason"]: one["events"] for one in context(api, session, budget=600)["left_out"]}
    assert left["summarised"] == [told[0]] and left["low_information"] == [told[1]]
    assert left["no_facts"][0] == told[2] and "over_summary" not in left


def test_what_was_replaced_is_shown_as_replaced(api: Api) -> None:
    session = open_session(api)
    talk = (
        user("定价 19/49/199 三档。"), assistant("记下了，三档。"),
        user("不对，改成 9/29/99。"), assistant("改好了。"),
    )  # fmt: skip
    tell(api, *talk, *chatter(60), session=session)
    said = summary_of(context(api, session, budget=600))
    assert "- 定价 19/49/199 三档。 → 不对，改成 9/29/99。" in said


def test_one_huge_tool_result_is_enough(api: Api, cast: Cast) -> None:
    session = open_session(api)
    huge = {"role": "tool", "content": "G7 13:05 139.5 元；" * 1800, "name": "trains"}
    tell(api, RULES, huge, assistant("下午有五趟。"), user("哪趟最便宜？"), session=session)
    body = context(api, session, budget=800)
    assert "ORD-20418" in summary_of(body) and contents(body)[-1] == "哪趟最便宜？"
    assert rows(cast) == []  # no turn is older than ten exchanges yet


def test_what_the_person_wants_left_out_is_in_no_summary(api: Api) -> None:
    session = open_session(api)
    tell(api, RULES, "My cat weighs 4 kg.", "别记这句。", *chatter(60), session=session)
    assert "4 kg" not in summary_of(context(api, session, budget=600))


def test_an_erasure_takes_the_summary_and_the_rest_is_told_anew(api: Api, cast: Cast) -> None:
    session = open_session(api)
    tell(api, "I live in Oslo, at dock 14B.", session=session)
    tell(api, "The order is ORD-20418 for Bo.", *chatter(60), session=session)
    assert "14B" in summary_of(context(api, session, budget=600))
    memories = body_of(api("GET", "memories?user_id=alice"))["memories"]
    (oslo,) = [one for one in memories if "Oslo" in one["text"]]
    assert api("DELETE", f"memories/{oslo['id']}").status_code in (200, 202)
    said = summary_of(context(api, session, budget=600))
    assert "14B" not in said and "Oslo" not in said and "ORD-20418" in said
    with acting(system_of(cast.alice)):
        (row,) = Summary.objects.all()
        assert row.version == 2 and ObjectKey.objects.filter(object_id=row.id).exists()


def test_what_a_summary_speaks_for_stays_as_long_as_it(api: Api, cast: Cast) -> None:
    session = open_session(api)
    events = tell(api, RULES, *chatter(60), session=session)["events"]
    context(api, session, budget=600)
    past = timezone.now() - timedelta(days=40)
    with acting(system_of(cast.alice)):
        Event.objects.filter(id=events[0]).update(expires_at=past)
    principal = system_of(cast.alice)
    assert expire.expire_events(principal) == 0
    assert expire.expire_summaries(principal) == 0
    with acting(system_of(cast.alice)):
        Summary.objects.update(updated_at=past)
    assert expire.expire_summaries(principal) == 1
    assert expire.expire_events(principal) == 1
    assert rows(cast) == []


def test_folded_turns_that_nobody_has_read_are_read_for_memories(api: Api, cast: Cast) -> None:
    session = open_session(api)
    messages = [user(RULES), *chatter(60)]
    body_of(api("POST", f"sessions/{session}/messages", {"messages": messages}), 202)
    with acting(system_of(cast.alice)):
        Job.objects.all().delete()
    context(api, session, budget=600)
    with acting(system_of(cast.alice)):
        assert [job.kind for job in Job.objects.all()] == ["extract"]


def test_of_two_compactions_at_once_one_is_kept(api: Api, cast: Cast) -> None:
    session = open_session(api)
    event = uuid.UUID(tell(api, RULES, session=session)["events"][0])
    principal = principal_of(cast.keys["assistant"], "alice")

    def made(text: str, version: int) -> Summarised:
        point = Point(event_id=event, start=0, text=text, role=Role.USER, weight=1.0)
        return Summarised(points=[point], event_ids=frozenset([event]), version=version)

    with acting(principal):
        row = Session.objects.get(id=session)
        assert fold(principal, row, made("一", 0))
        assert not fold(principal, row, made("二", 0))
        assert fold(principal, row, made("三", 1))
        assert not fold(principal, row, made("四", 1))
        found = stored(principal, open_vault(principal), row)
    assert [point.text for point in found.points] == ["三"] and found.version == 2
    assert found.points[0].place == (event, 0) and found.event_ids == {event}


@pytest.mark.parametrize("budget", [120, 200, 300, 450, 700, 1500])
def test_never_over_any_budget(api: Api, budget: int) -> None:
    session = open_session(api)
    tell(api, RULES, "我们决定用 PostgreSQL 18。", *chatter(60), session=session)
    for style in ("messages", "text"):
        body = context(api, session, budget=budget, format=style, query="现在呢？")
        said = contents(body) if style == "messages" else [body["text"]]
        assert sum(map(count_tokens, said)) <= sum(body["tokens"].values()) <= budget


def test_a_session_shows_no_other_session_s_summary(api: Api) -> None:
    session = open_session(api)
    tell(api, RULES, *chatter(60), session=session)
    context(api, session, budget=600)
    assert "ORD" not in str(context(api, open_session(api, "other"), budget=600))
    assert ("recent", "summarised") not in reasons(context(api, open_session(api, "third")))
