"""The steps of a way of doing things, as they stand in its text."""

import re

_STEP = re.compile(r"^[0-9]{1,3}[.、)] ?(?P<step>.+)$", re.MULTILINE)


def steps_in(text: str) -> tuple[str, ...]:
    """Return the numbered steps of a procedure's text, in their order."""
    return tuple(match["step"].strip() for match in _STEP.finditer(text))
