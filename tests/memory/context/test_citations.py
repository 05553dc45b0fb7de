"""Passages of documents in a context: numbered without gaps, cited, fenced."""

from memory.context.fit import lay_out
from memory.context.values import Desk, Part
from tests.memory.context.desks import FULL, cited


def test_passages_are_numbered_and_cited() -> None:
    laid = lay_out(FULL, budget=8000)
    (block,) = [piece.text for piece in laid.pieces if piece.part == Part.KNOWLEDGE]
    assert block.splitlines()[2:-1] == [
        "[1] 手册 Guide › 山 Hills：爬山请带水。",
        "[2] 手册 Guide › 山 Hills，第 3 页：Open until 18:00.",
    ]
    assert laid.cited == FULL.knowledge


def test_passages_that_do_not_fit_leave_no_gap() -> None:
    passages = [cited(f"第{n}段 passage " * 20) for n in range(5)]
    desk = Desk(query="hi", knowledge=passages)
    for budget in range(5, 500, 15):
        laid = lay_out(desk, budget=budget)
        assert list(laid.cited) == passages[: len(laid.cited)]
        left = [one for one in laid.left_out if one.part == Part.KNOWLEDGE]
        assert bool(left) == (len(laid.cited) < 5)
