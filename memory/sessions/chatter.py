"""Turns that say nothing: kept in the session, left out of prompts."""

import re

from memory.choices import Role
from memory.write.signs import is_small_talk

# After a question "ok" is an answer, and one that somebody waits for.
_ASKS = re.compile(r"[?？]|吗|要不要|好不好|行不行|可不可以|能不能|是否|是不是|对不对")
SPEAKING = (Role.USER, Role.ASSISTANT)


def is_chatter(text: str) -> bool:
    """Whether a text is nothing but greeting, thanks and nodding, and asks for nothing."""
    return is_small_talk(text) and not _ASKS.search(text)


def is_low(*, role: Role, text: str, before: str) -> bool:
    """Whether a turn carries no information.

    ``before`` is the text of the turn before it, empty if there is none: whatever answers a
    question carries information.
    """
    return role in SPEAKING and is_chatter(text) and not _ASKS.search(before)
