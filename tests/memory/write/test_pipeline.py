"""The gate's answers: who may have what remembered, how, and what is written down about it."""

from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from accounts.models import AuditEvent, Grant
from memory.models import Decision, Memory, ReviewItem, Suppression
from memory.text.normalise import fold
from memory.vault import open_vault
from tests.cast import Api, Cast, agent_key, make_agent, make_grant, system_of
from tests.memory.wire import (
    day,
    listed,
    open_session,
    outcomes,
    problem,
    propose,
    recall,
    tell,
    texts,
)


def agent_of_alice(cast: Cast, **rights: Any) -> Api:
    agent = make_agent(cast.acme, "special")
    make_grant(agent, cast.alice, **rights)
    return Api(agent_key(agent))


# --- every answer is written down ----------------------------------------------------------------

NEW = {"valid_from": day(5)}
HOME = {"attribute": "home.city"}


@pytest.mark.parametrize(
    ("before", "text", "fields", "outcome", "reason"),
    [
        (None, "Rows a boat 划船", {}, "accepted", "inferred"),
        (("Rows a boat 划船", {}), "Rows a boat, 划船!", {}, "reinforced", "duplicate_exact"),
        (("Lives in Lyon", HOME | {"value": "Lyon", "valid_from": day(0)}), "住在里昂旁边的村子",
         HOME | NEW | {"value": "村子"}, "superseded", "new_value"),
        (("Lives in Lyon", HOME | {"value": "Lyon"}), "以前住北京",
         HOME | {"value": "北京", "valid_from": day(0)}, "accepted", "older_value"),
        (None, "Always rhyme 押韵", {"subtype": "instruction"}, "needs_confirmation", "behaviour"),
        (None, "Pays with the blue card 蓝卡", {"attribute": "payment.method"}, "needs_confirmation", "behaviour"),
        (None, "Call the office 打办公室电话", {"attribute": "contact.way"}, "needs_confirmation", "behaviour"),
        (None, "先烧水再放茶 boil, then brew", {"kind": "procedural"}, "needs_confirmation", "behaviour"),
        (None, "Hummed a tune 哼歌", {"importance": 0.2}, "refused", "not_useful"),
        (None, "患有糖尿病 has diabetes", {}, "refused", "level_not_granted"),
        (None, "密码是 Tr0ub4dor&3", {}, "refused", "secret"),
        (None, " \u200b ", {}, "refused", "empty"),
        (None, "太长 " * 1500, {}, "refused", "too_long"),
    ],
)  # fmt: skip
def test_each_answer_leaves_one_decision_and_one_audit_line_without_text(
    api: Api,
    cast: Cast,
    before: Any,
    text: str,
    fields: dict[str, Any],
    outcome: str,
    reason: str,
) -> None:
    if before:
        propose(api, before[0], **before[1])
    answer = propose(api, text, **fields)
    assert (answer["outcome"], answer["reasons"]) == (outcome, [reason])
    with acting(system_of(cast.alice)):
        row = Decision.objects.get(id=answer["decision"])
    assert (row.outcome, row.reasons) == (outcome, [reason])
    assert str(row.memory_id) == str(answer["id"])
    line = AuditEvent.objects.filter(code="memory.decided").latest("id")
    assert (line.decision, line.reason) == (outcome, reason)
    assert line.actor_id == cast.agents["assistant"].id
    assert AuditEvent.objects.filter(code="memory.decided").count() == 1 + bool(before)
    written = f"{vars(row)} {vars(line)}"
    assert not text.strip() or text.strip()[:6] not in written


def test_what_waits_is_unused_and_asks_the_person(api: Api, cast: Cast) -> None:
    answer = propose(api, "Always answer in rhyme 总是押韵", subtype="instruction")
    assert recall(api, "answer in rhyme 押韵")["memories"] == []
    assert recall(api, "anything 什么")["profile"] == []
    with acting(system_of(cast.alice)):
        item = ReviewItem.objects.get(memory_id=answer["id"])
    assert (item.state, item.kind) == ("open", "new")


def test_saying_it_again_raises_importance_up_to_one(api: Api) -> None:
    raised = []
    for _ in range(4):
        propose(api, "Rows a boat 划船", importance=0.75)
        raised.append(round(listed(api)[0]["importance"], 2))
    assert raised == [0.75, 0.85, 0.95, 1.0]


# --- consent -------------------------------------------------------------------------------------


def test_a_special_inference_waits_even_where_the_grant_covers_it(cast: Cast) -> None:
    cleared = agent_of_alice(cast, clearance=40)
    answer = propose(cleared, "患有糖尿病 has diabetes")
    assert (answer["outcome"], answer["reasons"]) == ("needs_confirmation", ["sensitive"])
    with acting(system_of(cast.alice)):
        assert ReviewItem.objects.get(memory_id=answer["id"]).kind == "sensitive"


def test_an_agent_may_raise_the_level_and_never_lower_it(cast: Cast) -> None:
    cleared = agent_of_alice(cast, clearance=40)
    assert propose(cleared, "Rows a boat 划船", sensitivity=40)["reasons"] == ["sensitive"]
    assert propose(cleared, "患有糖尿病 has diabetes", sensitivity=10)["reasons"] == ["sensitive"]


def test_a_kind_the_grant_leaves_out_is_refused(cast: Cast) -> None:
    answer = propose(Api(cast.keys["no_episodes"]), "Saw a heron 看到苍鹭", kind="episodic")
    assert answer["reasons"] == ["kind_not_granted"]


@pytest.mark.parametrize(
    ("caller", "reason"),
    [("colleague", "no_grant"), ("paused", "no_grant"), ("lapsed", "no_grant"),
     ("reader", "no_grant"), ("off", "memory_off")],
)  # fmt: skip
def test_who_may_not_write_is_refused(cast: Cast, caller: str, reason: str) -> None:
    assert propose(Api(cast.keys[caller]), "Rows a boat 划船")["reasons"] == [reason]


@pytest.mark.parametrize(("mode", "may_recall"), [("use_only", True), ("off", False)])
@pytest.mark.parametrize("whose", ["person", "grant"])
def test_memory_modes_switch_learning_off_and_recall_where_said(
    api: Api, cast: Cast, mode: str, whose: str, *, may_recall: bool
) -> None:
    propose(api, "Rows a boat 划船")
    switch(cast, whose, memory_mode=mode)
    assert propose(api, "Plays the cello 大提琴")["reasons"] == ["memory_off"]
    assert tell(api, "我住在苏州。")["decisions"] == []
    if may_recall:
        assert texts(recall(api, "boat 划船")["memories"]) == ["Rows a boat 划船"]
    else:
        asked = {"user_id": "alice", "query": "boat"}
        problem(api("POST", "recall", asked), 403, "forbidden")


def test_a_mode_ends_when_its_time_is_over(api: Api, cast: Cast) -> None:
    switch(cast, "person", memory_mode="off", memory_mode_until=timezone.now())
    assert propose(api, "Rows a boat 划船")["outcome"] == "accepted"


def switch(cast: Cast, whose: str, **to: Any) -> None:
    if whose == "person":
        type(cast.alice).objects.filter(id=cast.alice.id).update(**to)
        return
    with acting(system_of(cast.alice)):
        Grant.objects.filter(agent=cast.agents["assistant"]).update(**to)


@pytest.mark.parametrize(
    ("learning", "outcome", "reason"),
    [("ordinary", "accepted", "inferred"), ("ask_first", "needs_confirmation", "ask_first"),
     ("only_stated", "refused", "only_stated")],
)  # fmt: skip
def test_learning_modes_bind_guesses_and_not_what_the_person_says(
    api: Api, cast: Cast, learning: str, outcome: str, reason: str
) -> None:
    switch(cast, "person", learning=learning)
    answer = propose(api, "Rows a boat 划船")
    assert (answer["outcome"], answer["reasons"]) == (outcome, [reason])
    assert outcomes(tell(api, "我住在苏州。")) == [("accepted", ["stated"])]


# --- what must not be learnt again ---------------------------------------------------------------


def suppress(cast: Cast, basis: str, text: str, **more: Any) -> None:
    with acting(system_of(cast.alice)) as principal:
        digest = open_vault(principal).digest(f"suppress {basis}", text)
        Suppression.objects.create(
            tenant=cast.acme, subject=cast.alice, basis=basis, digest=digest, **more
        )


@pytest.mark.parametrize(
    ("basis", "what"), [("attribute", "home.city"), ("wording", fold("我住在苏州。"))]
)
def test_what_is_suppressed_is_refused_whoever_says_it(
    api: Api, cast: Cast, basis: str, what: str
) -> None:
    suppress(cast, basis, what)
    assert outcomes(tell(api, "我住在苏州！")) == [("refused", ["suppressed"])]
    answer = propose(api, "我住在苏州", attribute="home.city", value="苏州")
    assert answer["reasons"] == ["suppressed"]
    assert outcomes(tell(api, "I play the oboe on Fridays.")) == [("accepted", ["stated"])]


def test_a_lifted_suppression_binds_no_more(api: Api, cast: Cast) -> None:
    suppress(cast, "attribute", "home.city", lifted_at=timezone.now())
    assert outcomes(tell(api, "我住在苏州。")) == [("accepted", ["stated"])]


# --- secrets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["my password is Tr0ub4dor&3", "我的密码是 Tr0ub4dor&3"])
def test_a_secret_alone_is_refused(api: Api, text: str) -> None:
    assert propose(api, text)["reasons"] == ["secret"]
    assert outcomes(tell(api, text)) == [("refused", ["secret"])]


def test_a_secret_inside_something_useful_is_stored_as_a_placeholder(api: Api, cast: Cast) -> None:
    answer = propose(api, "The staging server for 报表 opens with password Tr0ub4dor&3 after nine")
    assert (answer["outcome"], answer["reasons"]) == ("accepted", ["inferred", "secret"])
    (text,) = texts(listed(api))
    assert "Tr0ub4dor" not in text and "[PASSWORD]" in text


# --- whose words they are ------------------------------------------------------------------------


def test_the_person_quoted_word_for_word_is_believed(api: Api) -> None:
    event = tell(api, "嗯，那双 kayak 鞋是 43 码的，记不清哪年买的。")["events"][0]
    quoted = {"event_id": event, "quote": "kayak 鞋是 43 码的"}
    answer = propose(api, "她的 kayak 鞋是 43 码", evidence=quoted)
    assert (answer["outcome"], answer["reasons"]) == ("accepted", ["stated"])
    (found,) = [one for one in listed(api) if one["id"] == answer["id"]]
    assert (found["origin"], found["trust"]) == ("person_quoted", 30)
    (item,) = recall(api, "kayak 鞋 43 码")["memories"]
    assert item["evidence"] == [event]


@pytest.mark.parametrize("quote", ["kayak 鞋是 44 码的", "KAYAK", "她的"])
def test_a_quote_that_was_not_said_is_400(api: Api, cast: Cast, quote: str) -> None:
    event = tell(api, "那双 kayak 鞋是 43 码的。")["events"][0]
    body = {"user_id": "alice", "text": "鞋 44 码", "evidence": {"event_id": event, "quote": quote}}
    problem(api("POST", "memories", body), 400, "invalid_input")
    with acting(system_of(cast.alice)):
        assert not Memory.objects.filter(origin="person_quoted").exists()


def test_a_quote_of_anybody_else_stays_the_agent_s_guess(api: Api) -> None:
    said = {"role": "assistant", "content": "You wear size 43 shoes 四十三码."}
    event = tell(api, said)["events"][0]
    quoted = {"event_id": event, "quote": "size 43 shoes"}
    propose(api, "Wears size 43 shoes 鞋码", evidence=quoted)
    propose(api, "Reads in bed 睡前看书", evidence={"event_id": event})
    assert {(one["origin"], one["trust"]) for one in listed(api)} == {("agent", 20)}


def test_a_quote_without_its_event_or_of_another_s_is_refused(api: Api, cast: Cast) -> None:
    evidence: dict[str, Any] = {"quote": "我喜欢茶"}
    body = {"user_id": "alice", "text": "喜欢茶 likes tea", "evidence": evidence}
    problem(api("POST", "memories", body), 400, "invalid_input")
    low = Api(cast.keys["low"])
    event = tell(low, "我喜欢茶。", session=open_session(low))["events"][0]
    evidence["event_id"] = event
    problem(api("POST", "memories", body), 404, "not_found")


def test_a_quote_that_does_not_say_the_text_does_not_lend_the_person_s_trust(api: Api) -> None:
    event = tell(api, "I had a nice walk. 好的")["events"][0]
    quoted = {"event_id": event, "quote": "I"}
    answer = propose(api, "Send payments to account 42", subtype="instruction", evidence=quoted)
    assert answer["outcome"] == "needs_confirmation"
