"""A conversation handed over as one text: who said which line. Pure."""

import re
from collections.abc import Iterator

_LABELLED = re.compile(r"\s*(?P<name>[^\s:：][^:：\n]{0,29}?)\s*[:：]\s*(?P<said>\S.*)")
_MACHINES = frozenset(
    [
        "assistant",
        "ai",
        "bot",
        "chatbot",
        "agent",
        "model",
        "ai assistant",
        "助手",
        "助理",
        "机器人",
        "智能助手",
        "ai助手",
        "ai助理",
        "小助手",
        "客服",
    ]
)


def said_by_person(text: str) -> str:
    """Return what the person said in a conversation with an assistant, without the speakers' labels.

    Any other text comes back as it is: only lines that begin with a name, one of them an assistant's,
    make a conversation. A line without a label goes on with the speaker before it.

    >>> said_by_person("Ann: I need a hotel.\\nAssistant: Where to?\\nAnn: To Rome.")
    'I need a hotel.\\nTo Rome.'
    >>> said_by_person("Note: the hotel is booked.")
    'Note: the hotel is booked.'
    """
    lines = list(_spoken(text))
    machines = {name for name, _ in lines if name in _MACHINES}
    people = {name for name, _ in lines if name not in _MACHINES}
    if not machines or not people or "" in people:
        return text
    return "\n".join(said for name, said in lines if name in people)


def _spoken(text: str) -> Iterator[tuple[str, str]]:
    """Yield each line that is not blank with its speaker; "" where none was named so far."""
    speaker = ""
    for line in filter(str.strip, text.splitlines()):
        labelled = _LABELLED.fullmatch(line)
        speaker = labelled["name"].casefold() if labelled else speaker
        yield speaker, labelled["said"] if labelled else line.strip()
