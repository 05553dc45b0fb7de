"""Reading again: rows are fetched before the keys of what they hold, and an erasure may fall between."""

from collections.abc import Callable

from memory.errors import Gone, KeyDestroyed
from memory.policy import LOOK


def read_anew[T](read: Callable[[], T]) -> T:
    """Return what ``read`` returns, done anew if something it met was erased meanwhile.

    ``read`` opens its own transactions. Whoever reads again no longer meets what the erasure hid.

    Raises:
        Gone: if it meets a text without a key again and again.
    """
    for _ in range(LOOK.tries):
        try:
            return read()
        except KeyDestroyed:
            continue
    raise Gone("This was erased meanwhile.")
