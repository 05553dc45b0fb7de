"""Cutting to size. Pure: never over ``top_k``, never over ``max_tokens``."""

from collections.abc import Callable, Sequence


def cut[T](
    items: Sequence[T], *, top_k: int, max_tokens: int, tokens: Callable[[T], int]
) -> tuple[list[T], dict[str, int]]:
    """Return the items that fit, best first, and how many were held back by which reason.

    An item too long for what is left is passed over, so that a shorter one after it may still fit.
    """
    taken: list[T] = []
    left = max_tokens
    held = {"over_top_k": 0, "over_budget": 0}
    for item in items:
        if len(taken) >= top_k:
            held["over_top_k"] += 1
        elif (size := tokens(item)) > left:
            held["over_budget"] += 1
        else:
            taken.append(item)
            left -= size
    return taken, held
