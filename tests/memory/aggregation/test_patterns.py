"""Patterns as memories: stated with their counts, opened down to the messages, gone with their episodes."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from accounts.choices import Learning, MemoryMode
from accounts.models import Subject
from memory import access
from memory.aggregation import patterns
from memory.choices import Kind, State, Subtype
from memory.forget import drive
from memory.models import Derivation, Memory, Version
from memory.vault import open_vault
from tests.cast import Api, Cast, remember, system_of
from tests.dashboard.conftest import sign_in
from tests.memory.wire import body_of, listed, problem, propose, recall, tell, texts

SWIM = "下班去游泳了"


def friday(weeks: int) -> datetime:
    """Return noon of a Friday some weeks before the last one."""
    today = timezone.now().date()
    last = today - timedelta(days=(today.weekday() - 4) % 7 or 7)
    return datetime.combine(last - timedelta(weeks=weeks), time(12), UTC)


def swim(cast: Cast, *weeks: int, text: str = SWIM, **more: Any) -> list[Memory]:
    principal = system_of(cast.alice)
    return [
        remember(principal, text, kind=Kind.EPISODIC, occurred=friday(week), **more)
        for week in weeks
    ]


def stated(cast: Cast, *states: State) -> list[str]:
    """Count anew, then return what is stated."""
    patterns.sweep()
    with acting(system_of(cast.alice)):
        rows = Memory.objects.filter(subtype=Subtype.PATTERN, state__in=states or (State.ACTIVE,))
        return [one.text for one in access.open_current(open_vault(system_of(cast.alice)), rows)]


def test_a_pattern_is_stated_once_with_its_counts(api: Api, person: Api, cast: Cast) -> None:
    swim(cast, 0, 4, 10)
    assert stated(cast) == ["周五：游泳，11 个周五中有 3 个。"]
    assert stated(cast) == ["周五：游泳，11 个周五中有 3 个。"]
    (found,) = [one for one in listed(person) if one["subtype"] == "pattern"]
    assert (found["kind"], found["version"], found["trust"]) == ("episodic", 1, 20)
    counts = {name: found["metadata"][name] for name in ("weekday", "hits", "base")}
    assert counts == {"weekday": "5", "hits": "3", "base": "11"}
    assert "周五：游泳，11 个周五中有 3 个。" in texts(recall(api, "周五 游泳")["memories"])


def test_new_counts_are_a_new_version(person: Api, cast: Cast) -> None:
    swim(cast, 0, 4, 10)
    stated(cast)
    swim(cast, 1)
    assert stated(cast) == ["周五：游泳，11 个周五中有 4 个。"]
    (found,) = [one for one in listed(person) if one["subtype"] == "pattern"]
    assert found["version"] == 2
    with acting(system_of(cast.alice)):
        assert Derivation.objects.filter(memory_id=found["id"]).count() == 4


def test_it_opens_down_to_the_messages(api: Api, person: Api, cast: Cast) -> None:
    swim(cast, 4, 10)
    event = tell(api, "今天也去游泳了，很舒服。")["events"][0]
    answer = propose(
        api,
        "下班去游泳了，很舒服",
        kind="episodic",
        occurred=friday(0).isoformat(),
        evidence={"event_id": event, "quote": "去游泳了"},
    )
    stated(cast)
    (found,) = [one for one in listed(person) if one["subtype"] == "pattern"]
    sources = body_of(person("GET", f"memories/{found['id']}/sources"))["sources"]
    assert len(sources) == 3 and sources[-1]["memory"]["id"] == answer["id"]
    assert sources[-1]["event_ids"] == [event]
    assert body_of(person("GET", f"events/{event}"))["expires_at"] is None  # kept with its citer


def test_an_erased_episode_takes_the_pattern_with_it(api: Api, person: Api, cast: Cast) -> None:
    first, *_ = swim(cast, 0, 2, 4, 10)
    stated(cast)
    (found,) = [one for one in listed(person) if one["subtype"] == "pattern"]
    erasure = body_of(person("DELETE", f"memories/{first.id}"))
    problem(person("GET", f"memories/{found['id']}"), 410, "gone")
    assert recall(api, "周五 游泳 11 个周五")["status"] in ("found", "nothing_relevant")
    drive.run(erasure["id"])
    with acting(system_of(cast.alice)):
        assert Memory.objects.get(id=found["id"]).state == State.ERASED
        assert not Version.objects.filter(memory_id=found["id"]).exists()
        assert not Derivation.objects.exists()
        assert Memory.objects.filter(state=State.ACTIVE).count() == 3  # the other episodes stay
    assert stated(cast) == ["周五：游泳，9 个周五中有 3 个。"] or stated(cast) == [
        "周五：游泳，11 个周五中有 3 个。"
    ]


def test_what_the_person_erased_is_not_stated_again(person: Api, cast: Cast) -> None:
    swim(cast, 0, 4, 10)
    stated(cast)
    (found,) = [one for one in listed(person) if one["subtype"] == "pattern"]
    body_of(person("DELETE", f"memories/{found['id']}"))
    assert stated(cast) == []
    address = f"users/{cast.alice.id}/suppressions"
    rows = body_of(person("GET", address))["suppressions"]
    (kept,) = [one for one in rows if one["basis"] == "derived"]
    person("DELETE", f"{address}/{kept['id']}")
    assert len(stated(cast)) == 1


@pytest.mark.parametrize("move", ["pause", "forget"])
def test_what_the_person_put_away_stays_put_away(move: str, person: Api, cast: Cast) -> None:
    swim(cast, 0, 4, 10)
    stated(cast)
    (found,) = [one for one in listed(person) if one["subtype"] == "pattern"]
    body_of(person("POST", f"memories/{found['id']}/{move}"))
    swim(cast, 1)
    assert stated(cast) == []


def test_it_is_held_as_closely_as_its_closest_episode(api: Api, person: Api, cast: Cast) -> None:
    swim(cast, 0, 4)
    swim(cast, 10, sensitivity=40)
    assert stated(cast) == []
    assert len(stated(cast, State.PENDING)) == 1  # a sensitive guess waits for the person
    with acting(system_of(cast.alice)):
        pattern = Memory.objects.get(subtype=Subtype.PATTERN)
    assert pattern.sensitivity == 40
    assert api("GET", f"memories/{pattern.id}").status_code == 404
    assert not any(one["subtype"] == "pattern" for one in listed(api))


def test_an_agent_without_a_grant_for_episodes_sees_none(person: Api, cast: Cast) -> None:
    swim(cast, 0, 4, 10)
    stated(cast)
    (found,) = [one for one in listed(person) if one["subtype"] == "pattern"]
    blind = Api(cast.keys["no_episodes"])
    assert blind("GET", f"memories/{found['id']}").status_code == 404
    assert blind("GET", f"memories/{found['id']}/sources").status_code == 404


def test_what_one_agent_keeps_to_itself_is_not_counted(cast: Cast) -> None:
    swim(cast, 0, 4)
    swim(cast, 10, visibility="agent")
    assert stated(cast, *State) == []


@pytest.mark.parametrize(
    ("change", "states"),
    [
        ({"learning": Learning.ASK_FIRST}, {"pending"}),
        ({"learning": Learning.ONLY_STATED}, set()),
        ({"memory_mode": MemoryMode.OFF}, set()),
    ],
    ids=str,
)
def test_the_persons_choice_for_guesses_holds(
    change: dict[str, str], states: set[str], cast: Cast
) -> None:
    swim(cast, 0, 4, 10)
    Subject.objects.filter(id=cast.alice.id).update(**change)
    patterns.sweep()
    with acting(system_of(cast.alice)):
        found = Memory.objects.filter(subtype=Subtype.PATTERN)
        assert set(found.values_list("state", flat=True)) == states


def test_days_are_the_persons(cast: Cast) -> None:
    """At eight in the evening of a Thursday in London it is Friday in Shanghai."""
    for week in (0, 4, 10):
        remember(
            system_of(cast.alice),
            SWIM,
            kind=Kind.EPISODIC,
            occurred=friday(week) - timedelta(hours=16),
        )
    assert stated(cast)[0].startswith("周四")
    Subject.objects.filter(id=cast.alice.id).update(time_zone="Asia/Shanghai")
    assert any(one.startswith("周五") for one in stated(cast))


def test_a_pattern_of_which_nothing_is_left_is_put_away(cast: Cast) -> None:
    swim(cast, 0, 4, 10)
    stated(cast)
    with acting(system_of(cast.alice)):
        Memory.objects.filter(subtype=Subtype.EVENT).update(state=State.PAUSED)
    assert stated(cast) == []
    assert len(stated(cast, State.ARCHIVED)) == 1


def test_nobody_elses_days_are_counted(person: Api, cast: Cast) -> None:
    swim(cast, 0, 4)
    remember(system_of(cast.bob), SWIM, kind=Kind.EPISODIC, occurred=friday(10))
    assert stated(cast, *State) == []


# --- days ----------------------------------------------------------------------------------------


def of_days(api: Api, cast: Cast, since: date, until: date) -> Any:
    return api("GET", f"users/{cast.alice.id}/days?since={since}&until={until}")


def test_days_list_what_happened_and_how_it_ended(api: Api, person: Api, cast: Cast) -> None:
    swim(cast, 0, 1)
    remember(
        system_of(cast.alice), "Release 部署失败", kind=Kind.EPISODIC,
        occurred=friday(0) + timedelta(hours=1), outcome="failure",
    )  # fmt: skip
    swim(cast, 2, text="I went to the dentist", sensitivity=40)
    day = friday(0).date()
    found = body_of(of_days(api, cast, day - timedelta(days=20), day))["days"]
    assert [one["date"] for one in found] == [f"{day}", f"{day - timedelta(days=7)}"]
    assert (found[0]["succeeded"], found[0]["failed"]) == (0, 1)
    assert [one["outcome"] for one in found[0]["episodes"]] == [None, "failure"]
    mine = body_of(of_days(person, cast, day - timedelta(days=20), day))["days"]
    assert len(mine) == 3  # the person sees the special one too


@pytest.mark.parametrize(
    ("since", "until"),
    [
        ("2026-02-01", "2026-01-01"),
        ("2026-01-01", "2026-12-31"),
        ("0001-01-01", "0001-01-02"),
        ("9999-12-30", "9999-12-31"),
        ("yesterday", "2026-01-01"),
        ("2026-02-30", "2026-03-01"),
    ],
)
def test_days_that_are_none_are_refused(since: str, until: str, api: Api, cast: Cast) -> None:
    answer = api("GET", f"users/{cast.alice.id}/days?since={since}&until={until}")
    assert answer.status_code == 400


def test_the_page_of_a_pattern_shows_what_it_was_counted_from(cast: Cast) -> None:
    swim(cast, 0, 4, 10)
    stated(cast)
    with acting(system_of(cast.alice)):
        pattern = Memory.objects.get(subtype=Subtype.PATTERN)
    browser = sign_in(cast.alice, email="alice@example.com")
    text = browser.get(f"/memories/{pattern.id}/").content.decode()
    assert "Counted from" in text and text.count(SWIM) == 3
