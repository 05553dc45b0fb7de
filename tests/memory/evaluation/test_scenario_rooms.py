"""Stories about the surroundings: sessions, faults, time, roles, steps that hold steps."""

from pathlib import Path

import pytest

from accounts.models import ApiKey, Subject
from memory.models import Event, Version
from tests.memory.evaluation.stories import (
    count,
    failure,
    passes,
    play,
    recall,
    say,
    story,
    then,
    user,
    write,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hash_embedder")]
KETTLE = write("k", "The copper kettle stands in the pantry, number KX-4471.")


def test_the_embedder_goes_and_comes_back(tmp_path: Path) -> None:
    down = {"op": "fault", "what": "embedder_down", "on": True}
    expect = [
        {"check": "degraded_flag"},
        {"check": "not_empty_success"},
        {"check": "warning_mentions", "any": ["meaning"]},
        then(down | {"on": False}),
        then(recall("KX-4471"), {"check": "degraded_flag", "eq": False}, {"check": "result_has", "all": ["kettle"]}),
    ]  # fmt: skip
    passes(tmp_path, story("A", setup=[KETTLE, down], action=recall("KX-4471"), expect=expect))


@pytest.mark.parametrize("options", [(), ("--extractor", "scripted")])
def test_a_model_that_babbles_loses_nothing(tmp_path: Path, options: tuple[str, ...]) -> None:
    babble = {"op": "fault", "what": "llm_reply", "on": True, "replies": ["Sure {", "not json", '{"facts": "oops"}']}  # fmt: skip
    setup = [babble, say("我在学吹尺八。"), babble | {"on": False}]
    slow = {"op": "fault", "what": "llm_slow", "on": False}
    expect = [count("尺八", 1), {"check": "no_5xx"}, then(slow), count("尺八", 1)]
    row = story("M", setup=setup, action={"op": "maintain", "job": "all"}, expect=expect)
    assert play(tmp_path, row, options=options)["passed"] == ["M"]


def test_a_database_that_is_away_is_no_empty_answer(tmp_path: Path) -> None:
    away = {"op": "fault", "what": "database_down", "on": True}
    expect = [
        {"check": "status", "in": ["5xx"]},
        {"check": "not_empty_success"},
        {"check": "no_5xx"},  # those under a fault do not count
        then(away | {"on": False}),
        then(recall("KX-4471"), {"check": "result_has", "all": ["kettle"]}),
    ]
    passes(tmp_path, story("B", setup=[KETTLE, away], action=recall("kettle"), expect=expect))


def test_a_hasty_client_may_come_again(tmp_path: Path) -> None:
    hasty = {"op": "fault", "what": "client_timeout", "on": True}
    again = write("k", KETTLE["text"], idem="once")
    expect = [{"check": "status", "in": ["2xx"]}, count("kettle", 1)]
    row = story("C", setup=[hasty, again, hasty | {"on": False}], action=again, expect=expect)
    passes(tmp_path, row)


def test_the_clock_ends_what_ends(tmp_path: Path) -> None:
    pass_ = write("p", "停车券停地下二层。", valid_to="2026-08-14T00:00:00+08:00", at="2026-08-10T09:00:00+08:00")  # fmt: skip
    expect = [
        {"check": "state", "target": "p", "in": ["expired"]},
        count("停车券", 0),
        then({"op": "clock", "to": "2026-08-13T23:00:00+08:00"}, count("停车券", 1)),
        then({"op": "clock", "advance": "2h"}, count("停车券", 0)),
    ]
    setup = [{"op": "profile", "tz": "Asia/Shanghai"}, pass_]
    passes(
        tmp_path, story("D", setup=setup, action={"op": "clock", "advance": "9d"}, expect=expect)
    )


def test_agents_and_audiences_see_what_they_may(tmp_path: Path) -> None:
    setup = [
        write("i", "Internal: restart node bruin.", visibility="agent", **{"as": {"agent": "ag_a"}}),
        write("h", "I was diagnosed with asthma.", source="user"),
    ]  # fmt: skip
    expect = [
        {"check": "result_lacks", "any": ["bruin"]},
        then(recall("restart node bruin", **{"as": {"agent": "ag_a"}}), {"check": "result_has", "all": ["bruin"]}),
        then(recall("diagnosed asthma"), {"check": "result_has", "all": ["asthma"]}),
        then(recall("diagnosed asthma", audience="public"), {"check": "result_lacks", "any": ["asthma"]}),
        then({"op": "list", "as": {"role": "user"}}, {"check": "active_count", "eq": 2}),
    ]  # fmt: skip
    passes(tmp_path, story("E", setup=setup, action=recall("restart node bruin"), expect=expect))


def test_a_session_is_fitted_into_a_budget(tmp_path: Path) -> None:
    long = {"role": "user", "text": "", "text_gen": {"prefix": "会议：", "repeat": "第一项通过。", "times": 40, "suffix": "散会。"}}  # fmt: skip
    setup = [
        {"op": "filler", "session": "c", "turns": 6, "topic": "天气"},
        {"op": "say", "session": "c", "messages": [long]},
    ]
    compress = {"op": "compress", "session": "c", "max_tokens": 200}
    expect = [
        {"check": "output_tokens", "max": 200},
        {"check": "output_lacks", "any": ["reef"]},
        {"check": "stored_messages", "session": "c", "min": 7, "max": 7},
        then(compress | {"max_tokens": 0}, {"check": "status", "in": [400]}),
    ]
    passes(tmp_path, story("F", setup=setup, action=compress, expect=expect))


def test_steps_are_repeated_saved_and_put_off(tmp_path: Path) -> None:
    loop = {"op": "repeat", "n": 3, "steps": [write("p{i}", "Parcel {i} went to bay {i}.")]}
    save = recall("Parcel 1 bay 1", save_as="ctx")
    told = {"op": "say", "messages": [{"role": "system", "text": "Known: {ctx}"}, user("Right.")]}
    expect = [
        count("Parcel", 3),
        {"check": "one_of", "options": [[count("Parcel", 9)], [count("Parcel", 3)]]},
        then({"op": "raw", "path": "{write}", "body": '{"text": "x"}'}, {"check": "status", "in": [400]}),
        then({"op": "delete", "match": "bay 1"}, {"check": "status", "in": ["2xx"]}),
        count("Parcel", 2),
        then({"op": "maintain", "job": "all"}),
    ]  # fmt: skip
    after = {"op": "after", "seconds": 5, "step": told}
    passes(tmp_path, story("G", setup=[loop, save], action=after, expect=expect))


def test_one_of_says_what_each_option_saw(tmp_path: Path) -> None:
    check = {"check": "one_of", "options": [[count("kettle", 3)], [count("kettle", 2)]]}
    seen = failure(tmp_path, story("H", setup=[KETTLE], action={"op": "list"}, expect=[check]))
    assert seen[0] == "one_of" and seen[1].count("1 active") == 2


RACE = story(
    "I",
    action={
        "op": "parallel",
        "steps": [
            write("a", "钥匙放在门卫室。"),
            write("b", "钥匙放在门卫室。"),
            say("My locker is number 88.", session="x"),
        ],
    },
    expect=[
        {"check": "parallel_status", "counts": {"2xx": 3}},
        {"check": "same_id", "targets": ["a", "b"]},
        count("钥匙", 1),
    ],
)


@pytest.mark.django_db(transaction=True)
def test_parallel_steps_race_and_their_people_are_erased(tmp_path: Path) -> None:
    passes(tmp_path, RACE)
    assert not Subject.objects.filter(erased_at__isnull=True).exists()
    assert not Version.objects.exists() and not Event.objects.exists()
    assert not ApiKey.objects.exists()


def test_parallel_steps_need_a_run_outside_of_a_transaction(tmp_path: Path) -> None:
    (only,) = play(tmp_path, RACE)["skipped"]
    assert "transaction" in only["reason"]
