"""Older turns: word for word while there is room, else the summary, and each accounted for."""

from memory.choices import Role
from memory.context.fit import lay_out
from memory.context.values import Desk, Part, Why
from memory.providers.tokens import count_tokens
from tests.memory.context.desks import exchange, fact, turn


def test_recent_exchanges_shrink_from_the_oldest_on() -> None:
    exchanges = [fact(number) for number in range(6)]
    whole = sum(count_tokens(one.text) for turns in exchanges for one in turns)
    kept_before = 7
    for budget in (whole, whole * 3 // 4, whole // 2, whole // 3):
        laid = lay_out(Desk(language="zh", exchanges=exchanges), budget=budget)
        shown = [piece.text for piece in laid.pieces if piece.part == Part.RECENT]
        kept = len(shown) // 2
        assert shown == [one.text for turns in exchanges[6 - kept :] for one in turns]
        gone = {one.event_id for turns in exchanges[: 6 - kept] for one in turns}
        assert {id_ for one in laid.left_out for id_ in one.ids} == gone
        assert kept < kept_before
        kept_before = kept
    assert kept_before >= 1


def test_as_long_as_all_fits_nothing_is_summarised_however_many_turns() -> None:
    exchanges = [exchange(number) for number in range(40)]
    laid = lay_out(Desk(exchanges=exchanges), budget=8000)
    assert len(laid.pieces) == 80
    assert laid.folded is None and laid.left_out == []


def test_over_budget_older_turns_become_their_points_and_each_is_accounted_for() -> None:
    exchanges = [fact(number) for number in range(1, 15)]
    desk = Desk(language="zh", exchanges=exchanges)
    laid = lay_out(desk, budget=900)
    block = next(piece for piece in laid.pieces if piece.part == Part.SUMMARY)
    shown = [piece.text for piece in laid.pieces if piece.part == Part.RECENT]
    for user, _ in exchanges:
        assert (user.text in shown) != (f"- {user.text}" in block.text.splitlines())
    said = {one.why: list(one.ids) for one in laid.left_out}
    gone = len(exchanges) - len(shown) // 2
    assert said[Why.SUMMARISED] == [turns[0].event_id for turns in exchanges[:gone]]
    assert said[Why.NO_FACTS] == [turns[1].event_id for turns in exchanges[:gone]]


def test_what_is_older_than_ten_exchanges_goes_into_the_session_s_summary() -> None:
    exchanges = [fact(number) for number in range(1, 15)]
    laid = lay_out(Desk(language="zh", exchanges=exchanges), budget=900)
    assert laid.folded is not None
    assert laid.folded.event_ids == {one.event_id for turns in exchanges[:4] for one in turns}
    assert [p.text for p in laid.folded.points] == [turns[0].text for turns in exchanges[:4]]
    again = lay_out(Desk(language="zh", exchanges=exchanges[4:], summary=laid.folded), budget=900)
    assert [piece.text for piece in again.pieces] == [piece.text for piece in laid.pieces]
    assert again.folded is None


def test_a_tight_budget_cuts_the_summary_by_weight_and_says_so() -> None:
    told = [
        turn(Role.USER, "我们决定用 PostgreSQL 18，预算 30000 元，截止 11 月 20 日。"),
        *[turn(Role.USER, f"昨天我们走到第 {n} 个路口看风景。") for n in range(20)],
    ]
    desk = Desk(language="zh", exchanges=[told, exchange(1)])
    laid = lay_out(desk, budget=120)
    block = next(piece for piece in laid.pieces if piece.part == Part.SUMMARY)
    assert "PostgreSQL 18" in block.text
    lost = next(list(one.ids) for one in laid.left_out if one.why == Why.OVER_SUMMARY)
    assert lost and told[0].event_id not in lost
    assert laid.folded is None


def test_a_replaced_fact_is_shown_as_replaced() -> None:
    said = [
        [turn(Role.USER, "定价 19/49/199 三档。"), turn(Role.ASSISTANT, "好的。" * 60)],
        [turn(Role.USER, "不对，改成 9/29/99。"), turn(Role.ASSISTANT, "好的。" * 60)],
        exchange(1),
    ]
    laid = lay_out(Desk(language="zh", exchanges=said), budget=150)
    block = next(piece for piece in laid.pieces if piece.part == Part.SUMMARY)
    assert "- 定价 19/49/199 三档。 → 不对，改成 9/29/99。" in block.text


def test_what_the_newest_word_takes_back_is_in_no_summary() -> None:
    secret = turn(Role.USER, "My cat is called Tofu and weighs 4 kg.")
    rules = turn(Role.USER, "The order is ORD-20418.")
    long = turn(Role.ASSISTANT, "There is a lot to say about cats. " * 60)
    wish = turn(Role.USER, "Don't remember that.")
    desk = Desk(query="And now? " * 12, exchanges=[[rules, long], [secret], [wish]])
    laid = lay_out(desk, budget=75)
    text = "\n".join(piece.text for piece in laid.pieces)
    assert "Tofu" not in text and "ORD-20418" in text


def test_what_the_last_exchange_replaced_is_marked_in_the_summary() -> None:
    told = [turn(Role.USER, "定价 19/49/199 三档。"), turn(Role.ASSISTANT, "好的。" * 60)]
    last = [turn(Role.USER, "不对，改成 9/29/99。")]
    laid = lay_out(Desk(language="zh", exchanges=[told, last]), budget=100)
    assert "- 定价 19/49/199 三档。（后来改了）" in laid.pieces[0].text


def test_a_huge_message_alone_is_told_by_its_points() -> None:
    middle = "第一项预算 8,200 元通过，第二项延期。The vendor will resend the quote. " * 400
    huge = turn(Role.USER, f"会议纪要：{middle}最后决定：周五 15:30 复会。")
    laid = lay_out(Desk(language="zh", exchanges=[[huge]]), budget=300)
    assert "8,200" in laid.pieces[0].text and "15:30" in laid.pieces[0].text
    assert {one.why: list(one.ids) for one in laid.left_out} == {Why.SUMMARISED: [huge.event_id]}


def test_whose_word_a_line_is_and_when_it_was_said() -> None:
    told = [
        turn(Role.USER, "明天 15:30 复会。"),
        turn(Role.ASSISTANT, "价格已确认为 300 元。"),
        turn(Role.TOOL, "G7 13:05 139.5 元"),
        turn(Role.ASSISTANT, "好的，我们继续聊。" * 60),
    ]
    laid = lay_out(Desk(language="zh", exchanges=[told, exchange(1)]), budget=200)
    block = next(piece for piece in laid.pieces if piece.part == Part.SUMMARY).text
    assert "- 明天 15:30 复会。（2026-11-03说）" in block
    assert "- 助手：价格已确认为 300 元。" in block and "- 工具：G7 13:05 139.5 元" in block
