"""Many at once: no message lost, doubled or out of place; of two writes of a board one wins."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.acting import acting
from memory import sessions
from memory.choices import Role
from memory.context.build import Context, build
from memory.context.values import ContextQuery
from memory.errors import StaleState
from memory.models import Event, Message, Summary
from memory.sessions import boards
from memory.sessions.boards import Change
from tests.cast import Cast, principal_of, system_of
from tests.memory.write.test_outages import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def said(text: str) -> sessions.IncomingMessage:
    return sessions.IncomingMessage(role=Role.USER, content=text)


def answered(text: str) -> sessions.IncomingMessage:
    return sessions.IncomingMessage(role=Role.ASSISTANT, content=text)


def test_fifty_appends_at_once_keep_every_message_and_the_order_of_each(cast: Cast) -> None:
    principal = principal_of(cast.keys["assistant"], "alice")
    session, _ = sessions.open_session(principal, session_id="busy 忙")

    def append(number: int) -> Callable[[], Any]:
        batch = [said(f"{number} {part} 句") for part in ("a", "b")]
        return lambda: sessions.append(principal, session_id=session.id, messages=batch)

    results: list[Any] = []
    for start in range(0, 50, 10):  # ten connections at a time
        results += at_once(*[append(number) for number in range(start, start + 10)])
    assert all(isinstance(one, sessions.Appended) for one in results), results
    page = sessions.list_messages(principal, session_id=session.id, limit=200, cursor=None)
    texts = [one.text for one in page.items]
    assert sorted(texts) == sorted(f"{n} {part} 句" for n in range(50) for part in ("a", "b"))
    assert [one.message.sequence for one in page.items] == list(range(1, 101))
    for number in range(50):
        place = texts.index(f"{number} a 句")
        assert texts[place + 1] == f"{number} b 句"
    with acting(system_of(cast.alice)):
        assert Message.objects.filter(session=session).count() == 100


def test_a_burst_of_a_thousand_events_loses_nothing_and_keeps_its_order(cast: Cast) -> None:
    principal = principal_of(cast.keys["assistant"], "alice")
    session, _ = sessions.open_session(principal, session_id="burst 突发")

    def hand_over(batch: int) -> Callable[[], Any]:
        made = [
            sessions.IncomingMessage(
                role=Role.TOOL if part % 5 == 0 else Role.USER, content=f"{batch}:{part} 条 row"
            )
            for part in range(50)
        ]
        return lambda: sessions.append(principal, session_id=session.id, messages=made)

    results: list[Any] = []
    for start in range(0, 20, 5):
        results += at_once(*[hand_over(batch) for batch in range(start, start + 5)])
    assert all(isinstance(one, sessions.Appended) for one in results), results
    texts: list[str] = []
    cursor: str | None = None
    while not texts or cursor:
        page = sessions.list_messages(principal, session_id=session.id, limit=200, cursor=cursor)
        texts += [one.text for one in page.items]
        cursor = page.next
    assert sorted(texts) == sorted(f"{n}:{part} 条 row" for n in range(20) for part in range(50))
    for batch in range(20):
        place = texts.index(f"{batch}:0 条 row")
        assert texts[place : place + 50] == [f"{batch}:{part} 条 row" for part in range(50)]
    with acting(system_of(cast.alice)):
        rows = Message.objects.filter(session=session).order_by("sequence")
        assert list(rows.values_list("sequence", flat=True)) == list(range(1, 1001))
        assert Event.objects.filter(session_id=session.id, expires_at__isnull=False).count() == 1000


def test_a_close_among_appends_lets_none_in_afterwards(cast: Cast) -> None:
    principal = principal_of(cast.keys["assistant"], "alice")
    session, _ = sessions.open_session(principal, session_id="closing")
    calls: list[Callable[[], Any]] = [
        lambda: sessions.append(principal, session_id=session.id, messages=[said("嗯 hm")])
    ] * 5
    results = at_once(*calls, lambda: sessions.close(principal, session_id=session.id))
    kept = [one for one in results if isinstance(one, sessions.Appended)]
    refused = [one for one in results if isinstance(one, StaleState)]
    assert len(kept) + len(refused) == 5
    page = sessions.list_messages(principal, session_id=session.id, limit=50, cursor=None)
    assert len(page.items) == len(kept)


def test_of_two_puts_at_once_one_wins(cast: Cast) -> None:
    principal = principal_of(cast.keys["assistant"], "alice")

    def put(goal: str, version: int | None) -> Callable[[], Any]:
        return lambda: boards.put(
            principal, task_id="trip", state={"goal": goal}, change=Change(version=version)
        )

    for version in (None, 1, 2, 3):
        results = at_once(*[put(f"{version} {name}", version) for name in ("甲", "乙")])
        winners = [one for one in results if isinstance(one, tuple)]
        assert len(winners) == 1, results
        assert (
            sum(isinstance(one, StaleState) for one in results)
            + (version is None and sum(type(one).__name__ == "VersionRequired" for one in results))
            == 1
        ), results
        assert boards.read(principal, task_id="trip").state == winners[0][0].state


def test_fifty_appends_and_compactions_at_once_lose_double_and_reorder_nothing(cast: Cast) -> None:
    principal = principal_of(cast.keys["assistant"], "alice")
    session, _ = sessions.open_session(principal, session_id="folding 折叠")
    rules = "站点是 Nordhavn-7，订单 ORD-20418，上限 3,750 元。"
    sessions.append(principal, session_id=session.id, messages=[said(rules)])
    asked = ContextQuery(budget=400)

    def append(number: int) -> Callable[[], Any]:
        pair = [said(f"第 {number} 件事怎么样？"), answered(f"第 {number} 件事还要再看。" * 3)]
        return lambda: sessions.append(principal, session_id=session.id, messages=pair)

    def compact() -> Any:
        return build(principal, session_id=session.id, query=asked)

    results: list[Any] = []
    for start in range(0, 50, 5):
        results += at_once(*[append(n) for n in range(start, start + 5)], compact, compact)
    assert not [one for one in results if isinstance(one, Exception)], results
    last = compact()
    for found in [*(one for one in results if isinstance(one, Context)), last]:
        assert sum(found.laid.tokens.values()) <= asked.budget
    text = "\n".join(piece.text for piece in last.laid.pieces)
    assert all(fact in text for fact in ("Nordhavn-7", "ORD-20418", "3,750"))
    with acting(system_of(cast.alice)):
        (row,) = Summary.objects.filter(session=session)
        order = list(Message.objects.filter(session=session).order_by("sequence"))
    assert [one.sequence for one in order] == list(range(1, 102))
    kept = [one.event_id for one in order]
    assert len(set(row.event_ids)) == len(row.event_ids) and set(row.event_ids) < set(kept)
    assert 1 < row.version <= 21
