"""Cutting to size. Pure: never over ``top_k``, never over ``max_tokens``, nothing twice."""

from collections.abc import Callable, Sequence


def cut[T](
    items: Sequence[T],
    *,
    top_k: int,
    max_tokens: int,
    tokens: Callable[[T], int],
    same: Callable[[T, T], bool] = lambda _, __: False,
) -> tuple[list[T], list[tuple[T, str]]]:
    """Return the items that fit, best first, and those held back, each with its reason.

    One that is the ``same`` as one taken is left out; only what there is room for is compared. An item
    too long for what is left is passed over, so that a shorter one after it may still fit.
    """
    taken: list[T] = []
    held: list[tuple[T, str]] = []
    left = max_tokens
    for item in items:
        if len(taken) >= top_k:
            held.append((item, "over_top_k"))
        elif any(same(item, one) for one in taken):
            held.append((item, "duplicate"))
        elif (size := tokens(item)) > left:
            held.append((item, "over_budget"))
        else:
            taken.append(item)
            left -= size
    return taken, held
