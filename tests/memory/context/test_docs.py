"""docs/sessions.md describes every part, reason and field, and no other."""

from memory.context.values import Part, Why
from memory.sessions.board_state import PARTS
from tests.architecture.source import described

PAGE = "docs/sessions.md"


def test_every_part_and_reason_is_described() -> None:
    assert described(PAGE, "Parts") == {part.value for part in Part}
    assert described(PAGE, "Left out") == {why.value for why in Why}


def test_every_part_of_a_board_is_described() -> None:
    assert described(PAGE, "Parts of a state") == set(PARTS)
