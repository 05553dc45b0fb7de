"""Procedures: proposed by anybody or by a good record, published by the person, one at a time."""

from collections.abc import Sequence
from typing import Any

import pytest

from accounts.acting import acting
from accounts.models import Grant
from memory.models import Evidence, Memory
from memory.write.procedures import written
from memory.write.steps import steps_in
from tests.cast import Api, Cast, system_of
from tests.memory.wire import body_of, listed, outcomes, problem, recall, tell, texts

STEPS = ["拉取上周数据", "Write the summary", "发给团队"]
OTHER = ["Ask Bob 问小博", "发给团队"]


def end(
    api: Api, task: str, *, how: str = "complete", done: Sequence[Any] = STEPS, **said: Any
) -> dict[str, Any]:
    """Do a task from its goal to its end."""
    state = {"goal": "写本周周报 weekly report", "done": list(done)}
    path = f"tasks/{task}"
    body_of(api("PUT", f"{path}/state", {"user_id": "alice", "state": state}), 201)
    seen = {"user_id": "alice", "step": 0, "observation": f"Numbers of {task}: 数据齐了。"}
    body_of(api("POST", f"{path}/observations", seen), 201)
    return body_of(api("POST", f"{path}/{how}", {"user_id": "alice", "kind": "周报"} | said))


def shown(api: Api) -> list[tuple[Any, ...]]:
    found = body_of(api("GET", "procedures?user_id=alice"))["procedures"]
    return [
        (one["title"], one["steps"], one["published"], one["succeeded"], one["tried"])
        for one in found
    ]


def propose(api: Api, steps: Sequence[str] = STEPS, title: str = "周报") -> dict[str, Any]:
    body: dict[str, Any] = api(
        "POST", "procedures", {"user_id": "alice", "title": title, "steps": list(steps)}
    ).json()
    return body


# --- what is left of a task ----------------------------------------------------------------------


def test_an_ended_task_leaves_an_episode_with_outcome_steps_and_events(
    api: Api, cast: Cast
) -> None:
    board = end(api, "t1", outcome="failure", cause="数据源挂了")
    (episode,) = listed(api)
    assert episode["kind"] == "episodic" and episode["origin"] == "agent"
    assert "失败" in episode["text"] and "数据源挂了" in episode["text"]
    assert episode["tags"] == ["task", "failure"] and episode["occurred"]
    path = f"memories/{episode['id']}/evidence"
    (quote,) = body_of(api("GET", path))["evidence"]
    assert [quote["event_id"]] == board["event_ids"] and "数据齐了" in quote["quote"]
    assert body_of(api("GET", f"events/{quote['event_id']}"))["expires_at"] is None
    with acting(system_of(cast.alice)):
        assert Memory.objects.get().attribute == "task"


def test_the_end_is_written_once_and_without_a_goal_not_at_all(api: Api) -> None:
    end(api, "t1")
    body_of(api("POST", "tasks/t1/complete", {"user_id": "alice"}))
    assert len(listed(api)) == 1
    state = {"user_id": "alice", "state": {"notes": "nothing to say 无"}}
    body_of(api("PUT", "tasks/t2/state", state), 201)
    body_of(api("POST", "tasks/t2/complete", {"user_id": "alice"}))
    assert len(listed(api)) == 1


def test_a_secret_in_a_step_or_cause_is_cut(api: Api, person: Api) -> None:
    end(api, "t1", done=["登录 password: Tr0ub4dor&3"], cause="密码是 Tr0ub4dor&3")
    body_of(api("POST", "procedures", {"user_id": "alice", "title": "登录", "steps": ["密码是 Tr0ub4dor&3 然后回车"]}), 201)  # fmt: skip
    assert "Tr0ub4dor" not in str(listed(person)) + str(shown(person))


def test_a_secret_in_corrected_steps_is_cut(api: Api, person: Api) -> None:
    """The text was redacted, its steps were read from the words as they came."""
    made = {"user_id": "alice", "title": "登录 log in", "steps": ["打开网页 open the page"]}
    body_of(person("POST", "procedures", made), 201)
    (one,) = listed(person)
    text = written(
        "登录 log in", ["密码是 Tr0ub4dor&3 然后回车", "password: Tr0ub4dor&3, then enter"]
    )
    body_of(person("PATCH", f"memories/{one['id']}", {"text": text}, If_Match='"1"'))
    assert "Tr0ub4dor" not in str(listed(person)) + str(shown(person))
    assert len(shown(person)[0][1]) == 2


# --- proposed by a record ------------------------------------------------------------------------


def test_a_way_that_has_proved_itself_is_proposed_and_waits(api: Api, person: Api) -> None:
    for number in range(4):
        end(api, f"t{number}")
    assert shown(api) == []
    end(api, "t4")
    assert shown(api) == [("周报", STEPS, False, 5, 5)]
    assert recall(api, "怎么写周报 weekly report steps", filters={"kind": ["procedural"]})["memories"] == []  # fmt: skip
    (item,) = body_of(person("GET", "reviews?user_id=alice"))["reviews"]
    assert item["kind"] == "new" and item["memory"]["text"] == written("周报", STEPS)
    end(api, "t5")  # once more of the same asks nothing new
    assert shown(api) == [("周报", STEPS, False, 6, 6)]
    published = body_of(person("POST", f"procedures/{item['memory']['id']}/publish"))
    assert published["state"] == "active"
    assert shown(api) == [("周报", STEPS, True, 6, 6)]
    assert body_of(person("GET", "reviews?user_id=alice"))["reviews"] == []


@pytest.mark.parametrize(
    "ends",
    [
        [("failure", STEPS)] * 2 + [("success", STEPS)] * 5,  # too often in vain
        [("success", OTHER)] * 6 + [("failure", STEPS)] + [("success", STEPS)] * 5,  # a better way
        [("success", [])] * 6,  # nobody said how
        [("success", STEPS)] * 4 + [("success", OTHER)],
    ],
)
def test_a_record_that_is_not_good_enough_proposes_nothing(
    api: Api, cast: Cast, ends: list[tuple[str, list[str]]]
) -> None:
    with acting(system_of(cast.alice)):  # so that the other way's own proposal does not count here
        Grant.objects.update(kinds=["episodic"])
    for number, (outcome, steps) in enumerate(ends):
        end(api, f"t{number}", done=steps, outcome=outcome)
    with acting(system_of(cast.alice)):
        Grant.objects.update(kinds=["episodic", "procedural", "semantic"])
        assert not Memory.objects.filter(kind="procedural").exists()
    end(api, "last", done=ends[-1][1], outcome="failure")
    assert shown(api) == []


def test_cancelled_tasks_are_no_tries(api: Api) -> None:
    for number in range(5):
        end(api, f"t{number}")
        end(api, f"c{number}", how="cancel", done=STEPS)
    assert shown(api) == [("周报", STEPS, False, 5, 5)]


def test_an_erased_episode_counts_no_more(api: Api) -> None:
    for number in range(4):
        end(api, f"t{number}")
    api("DELETE", f"memories/{listed(api)[0]['id']}")
    end(api, "t4")
    assert shown(api) == []


# --- proposed by somebody ------------------------------------------------------------------------


def test_an_agents_waits_and_the_persons_own_is_in_use(api: Api, person: Api) -> None:
    assert propose(api)["outcome"] == "needs_confirmation"
    assert shown(api) == shown(person) == [("周报", STEPS, False, 0, 0)]
    assert propose(person, ["一步 one"], "发版 release")["outcome"] == "accepted"
    assert ("发版 release", ["一步 one"], True, 0, 0) in shown(api)
    found = recall(api, "发版 release 一步 one")["memories"]
    assert texts(found) == ["发版 release\n1. 一步 one"]


def test_what_waits_of_one_agent_no_other_sees(api: Api, cast: Cast) -> None:
    propose(api)
    assert shown(Api(cast.keys["reader"])) == []


def test_a_published_version_retires_the_one_before(api: Api, person: Api, cast: Cast) -> None:
    first = propose(person)["id"]
    assert propose(api, OTHER)["outcome"] == "needs_confirmation"
    (item,) = body_of(person("GET", "reviews?user_id=alice"))["reviews"]
    assert item["kind"] == "conflict" and item["current"]["id"] == first
    assert shown(api)[0][1:3] == (STEPS, True)  # the old one stays in use until then
    answered = body_of(person("POST", f"procedures/{item['memory']['id']}/publish"))
    assert (answered["id"], answered["version"]) == (first, 2)
    assert shown(api) == [("周报", OTHER, True, 0, 0)]
    assert propose(person, STEPS)["outcome"] == "superseded"
    assert shown(api) == [("周报", STEPS, True, 0, 0)]


def test_the_person_edits_steps_as_text(api: Api, person: Api) -> None:
    propose(api)
    (item,) = body_of(person("GET", "reviews?user_id=alice"))["reviews"]
    text = "周报\n1. 查数\n2. Send it"
    body_of(person("POST", f"reviews/{item['id']}/edit", {"text": text}))
    assert shown(api) == [("周报", ["查数", "Send it"], True, 0, 0)]


def test_only_the_person_publishes_and_only_procedures(api: Api, person: Api) -> None:
    waiting = propose(api)["id"]
    problem(api("POST", f"procedures/{waiting}/publish"), 403, "forbidden")
    tell(api, "我养了两只猫。")
    (cats,) = [one for one in listed(person) if "猫" in one["text"]]
    problem(person("POST", f"procedures/{cats['id']}/publish"), 404, "not_found")


@pytest.mark.parametrize(
    "body",
    [
        {"title": "x"},
        {"title": "x", "steps": []},
        {"title": "", "steps": ["a"]},
        {"title": "x", "steps": [""]},
        {"title": "x", "steps": ["a"] * 51},
        {"title": "x", "steps": "a"},
    ],
)
def test_a_procedure_has_a_title_and_steps(api: Api, body: dict[str, Any]) -> None:
    problem(api("POST", "procedures", {"user_id": "alice"} | body), 400, "invalid_input")


def test_text_and_steps_are_two_sides_of_one_thing() -> None:
    steps = ("查数\n再查", "Write 3.5 pages", "发")
    flat = tuple(" ".join(one.split()) for one in steps)
    assert steps_in(written("周报 weekly", steps)) == flat
    assert steps_in("no steps here") == ()


def test_what_an_agent_says_in_talk_makes_no_procedure(api: Api, cast: Cast) -> None:
    answer = tell(api, {"role": "assistant", "content": "周报\n1. 查数\n2. 写\n3. 发"})
    assert outcomes(answer) == []
    with acting(system_of(cast.alice)):
        assert not Evidence.objects.exists() and shown(api) == []


@pytest.mark.parametrize("slot", ["task", "procedure"])
def test_the_services_own_slots_are_filled_by_nobody_else(api: Api, slot: str) -> None:
    body = {"user_id": "alice", "text": "Deploys on Fridays 周五", "attribute": slot}
    problem(api("POST", "memories", body), 400, "invalid_input")


def test_many_ends_of_the_same_task_are_no_flood(api: Api, cast: Cast) -> None:
    for number in range(30):
        end(api, f"t{number}", outcome="failure")
    with acting(system_of(cast.alice)):
        assert Memory.objects.filter(attribute="task").count() == 30
