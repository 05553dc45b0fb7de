"""What a session leaves when it ends: an episode of what the person said and no memory holds."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from memory import access, jobs, queue
from memory.choices.slots import SESSION_SLOT
from memory.forget import drive
from memory.models import Event, Evidence, Job, Memory, ObjectKey, Session, Summary, Suppression
from memory.policy import SESSION
from memory.sessions import episodes, life
from memory.vault import open_vault
from tests.cast import Api, Cast, principal_of, system_of
from tests.memory.api.desk import assistant, contents, context, user
from tests.memory.api.test_turns import turn
from tests.memory.wire import body_of, listed, open_session, problem, recall, tell
from tests.memory.write.test_outages import at_once

# Plain reports with a number or a name: too little for a memory of their own, enough for the day.
TALK = {
    "zh": [
        "今天在宜家看中了三盏 Fado 台灯。",
        "搬家公司报的是 3,750 元。",
        "阳台量出来是 4.2 米。",
    ],
    "en": [
        "The lamps at the shop in Malmö were 3,750 crowns.",
        "The balcony measures 4.2 metres.",
        "The plumber came with two people from Nordhavn.",
    ],
}


def talk(api: Api, *said: str, name: str = "chat 聊天") -> str:
    """Say it, with an answer after each, read for memories; return the session."""
    session = open_session(api, name)
    for text in said:
        tell(api, user(text), assistant("好的，记下了。"), session=session)
    return session


def close(api: Api, session: str) -> dict[str, Any]:
    return body_of(api("POST", f"sessions/{session}/close?wait=true", {}))


def left(cast: Cast) -> list[access.OpenedMemory]:
    """The episodes of sessions, the oldest first."""
    with acting(system_of(cast.alice)) as principal:
        rows = Memory.objects.filter(attribute=SESSION_SLOT).order_by("occurred")
        return access.open_current(open_vault(principal), rows)


def lines(cast: Cast) -> list[list[str]]:
    return [one.text.splitlines() for one in left(cast)]


@pytest.mark.parametrize("tongue", ["zh", "en"])
def test_closing_leaves_an_episode_of_what_no_memory_holds(
    api: Api, cast: Cast, tongue: str
) -> None:
    fact = {"zh": "我住在苏州。", "en": "I live in Oslo."}[tongue]
    session = talk(api, fact, *TALK[tongue], "thanks 谢谢", "How tall is K2 in metres?")
    kept = {one["text"] for one in listed(api)}
    assert close(api, session)["job"]["state"] == "succeeded"
    (one,) = left(cast)
    assert fact not in one.text and fact in kept
    assert one.text.splitlines() == [text for text in TALK[tongue] if text not in kept]
    memory = one.memory
    assert (memory.kind, memory.subtype, memory.origin) == ("episodic", "event", "agent")
    with acting(system_of(cast.alice)):
        assert memory.occurred is not None
        cited = Evidence.objects.filter(memory=memory)
        assert cited.count() == len(one.text.splitlines())
        events = Event.objects.filter(id__in=cited.values("event_id"))
        assert {event.expires_at for event in events} == {None}  # what is cited stays


def test_it_is_shown_and_recalled_like_any_other(api: Api, person: Api, cast: Cast) -> None:
    close(api, talk(api, *TALK["en"]))
    (one,) = [m for m in listed(person) if m["attribute"] == SESSION_SLOT]
    quotes = body_of(person("GET", f"memories/{one['id']}/evidence"))["evidence"]
    assert [quote["quote"] for quote in quotes] == one["text"].splitlines()
    found = recall(api, "How many metres does the balcony measure?")["memories"]
    assert one["id"] in {m["id"] for m in found}
    today = timezone.now().date()
    path = f"users/{cast.alice.id}/days?since={today - timedelta(days=1)}&until={today}"
    days = body_of(person("GET", path))["days"]
    assert one["id"] in str(days)


WORTHLESS: list[Sequence[str]] = [
    ("ok", "好的"),
    ("What does this error mean?", "这个报错是什么意思？"),
    ("I live in Oslo.", "我对花生过敏。"),  # memories of their own
    ("The balcony measures 4.2 metres.", "谢谢"),  # one sentence is no story
]


@pytest.mark.parametrize("said", WORTHLESS)
def test_what_is_not_worth_it_leaves_nothing(api: Api, cast: Cast, said: Sequence[str]) -> None:
    close(api, talk(api, *said))
    assert left(cast) == []


@pytest.mark.parametrize(
    "private",
    [
        "My password is Tr0ub4dor&3 for all 3 servers.",
        "我的密码是 Tr0ub4dor&3，三台服务器都一样。",
        "Don't remember this: the budget is 9,999 crowns.",
        "别记这句：预算是 9,999 元。",
        "Dr. Holm says my HIV test 4471 was negative.",
        "霍尔姆医生说我 4471 号艾滋病检测是阴性。",
    ],
)
def test_nothing_secret_special_or_unwanted_is_in_it(api: Api, cast: Cast, private: str) -> None:
    close(api, talk(api, *TALK["zh"], private, *TALK["en"]))
    ((*told,),) = lines(cast)
    assert told
    for word in ("Tr0ub4dor", "9,999", "4471", "PASSWORD"):
        assert word not in str(told)


def test_what_was_erased_is_not_told(api: Api, person: Api, cast: Cast) -> None:
    session = talk(api, *TALK["en"], "我住在苏州。 The flat has 92 square metres.")
    (home,) = [one for one in listed(person) if "苏州" in one["text"]]
    body_of(person("DELETE", f"memories/{home['id']}"))
    drive.sweep()
    close(api, session)
    assert lines(cast) and "92" not in str(lines(cast)) and "苏州" not in str(lines(cast))


def test_other_people_and_machines_are_not_told(api: Api, cast: Cast) -> None:
    session = talk(api, *TALK["en"])
    tell(
        api,
        user("The rent in Aarhus is 7,777 crowns.", name="Bo"),
        {"role": "tool", "content": "Row 8888 of Nordhavn, no errors."},
        assistant("You live at 6666 Elm Street in Springfield."),
        user("Fine, thanks for that.", name="alice"),
        session=session,
    )
    close(api, session)
    (told,) = lines(cast)
    assert not [digits for digits in ("7,777", "8888", "6666") if digits in str(told)]


# --- once ----------------------------------------------------------------------------------------


def test_it_is_written_once_however_often_it_is_asked(api: Api, cast: Cast) -> None:
    session = talk(api, *TALK["zh"])
    close(api, session)
    before = left(cast)[0].memory.importance
    agent = principal_of(cast.keys["assistant"], "alice")
    episodes.remember_session(agent, Session.objects.model(id=session).id)
    assert len(left(cast)) == 1 and left(cast)[0].memory.importance == before


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_is_kept(cast: Cast) -> None:
    api = Api(cast.keys["assistant"])
    session = talk(api, *TALK["en"])
    body_of(api("POST", f"sessions/{session}/close", {}), 202)
    agent = principal_of(cast.keys["assistant"], "alice")
    write: Callable[[], Any] = lambda: episodes.remember_session(agent, session)  # type: ignore[arg-type]  # noqa: E731
    assert at_once(*[write] * 6) == [None] * 6
    assert len(left(cast)) == 1


def test_opened_again_it_goes_on_and_leaves_what_was_said_since(api: Api, cast: Cast) -> None:
    first, *rest = TALK["en"], TALK["zh"]
    session = talk(api, *first)
    close(api, session)
    problem(api("POST", f"sessions/{session}/turn", {"query": "hi 你好"}), 409, "stale_state")
    assert open_session(api) == session
    assert contents(turn(api, session, "And the Oresund bridge?"))[-1] == "And the Oresund bridge?"
    close(api, talk(api, *rest[0]))
    (one, two) = lines(cast)
    assert one == first and two and not set(one) & set(two)


# --- it goes with what it came from --------------------------------------------------------------


def test_it_is_erased_with_any_message_it_tells_of(api: Api, person: Api, cast: Cast) -> None:
    session = open_session(api)
    both = "I live in Oslo. The balcony measures 4.2 metres."
    tell(api, user(both), user(TALK["en"][0]), user(TALK["en"][2]), session=session)
    close(api, session)
    (one,) = left(cast)
    assert "4.2 metres" in one.text
    (home,) = [m for m in listed(person) if "Oslo" in m["text"] and m["id"] != str(one.memory.id)]
    body_of(person("DELETE", f"memories/{home['id']}"))
    problem(person("GET", f"memories/{one.memory.id}"), 410, "gone")
    drive.sweep()
    with acting(system_of(cast.alice)):
        assert not ObjectKey.objects.filter(object_id=one.memory.id).exists()
        assert not Evidence.objects.filter(memory_id=one.memory.id).exists()


def test_what_the_person_erased_is_not_written_again(api: Api, person: Api, cast: Cast) -> None:
    session = talk(api, *TALK["zh"])
    close(api, session)
    body_of(person("DELETE", f"memories/{left(cast)[0].memory.id}"))
    drive.sweep()
    with acting(system_of(cast.alice)):
        assert Suppression.objects.filter(basis="derived").exists()
    open_session(api)
    close(api, talk(api, *TALK["en"]))
    assert left(cast) == []


# --- idle ----------------------------------------------------------------------------------------


def rest(cast: Cast, session: str, *, since: timedelta) -> None:
    with acting(system_of(cast.alice)):
        Session.objects.filter(id=session).update(last_active_at=timezone.now() - since)


def test_a_session_that_nobody_goes_on_with_is_closed(api: Api, cast: Cast) -> None:
    session = open_session(api)
    for text in TALK["zh"]:
        turn(api, session, text)  # never answered
    other = open_session(api, "other 另一个")
    rest(cast, session, since=SESSION.ends)
    rest(cast, other, since=SESSION.ends - timedelta(minutes=1))
    life.sweep()
    life.sweep()
    rows = body_of(api("GET", "sessions?user_id=alice"))["sessions"]
    assert {one["id"]: bool(one["closed_at"]) for one in rows} == {session: True, other: False}
    for job in queue.due_jobs():
        jobs.run_job(job)
    assert len(left(cast)) == 1 and not Job.objects.exclude(state="succeeded").exists()


def test_the_summary_of_a_closed_session_goes_and_its_turns_stay(api: Api, cast: Cast) -> None:
    session = open_session(api)
    for number in range(14):
        tell(
            api,
            user(f"第 {number} 件：{TALK['zh'][number % 3]}"),
            assistant(f"好的 {number}，我看一下。" * 3),
            session=session,
        )
    context(api, session, budget=300)
    with acting(system_of(cast.alice)):
        (summary,) = Summary.objects.all()
    close(api, session)
    with acting(system_of(cast.alice)):
        assert not Summary.objects.exists()
        assert not ObjectKey.objects.filter(object_id=summary.id).exists()
    assert "3,750" in str(context(api, session, budget=300))


def test_where_memory_is_off_nothing_is_left(api: Api, cast: Cast) -> None:
    session = talk(api, *TALK["en"])
    type(cast.alice).objects.filter(id=cast.alice.id).update(memory_mode="use_only")
    assert "job" not in body_of(api("POST", f"sessions/{session}/close", {}))
    assert left(cast) == []
