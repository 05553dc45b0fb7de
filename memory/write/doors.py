"""The codes that open a door or gate: part of an exact place, which the person may want remembered.

A password, a PIN and the code of an alarm, a lock, a safe or an account are secrets (`passwords`).
"""

import re
from collections.abc import Iterator

from memory.write.near import lowered, starting_at

_DOOR = (
    r"(?:gate|door|garage|entrance|entry|building|house|lobby|lift|elevator|courtyard|stairwell)"
)
_CODE = r"(?P<v>(?=[0-9A-Z]{0,9}[0-9])[0-9A-Z]{3,10}#?)(?![0-9A-Za-z])"
_IS = r"(?:(?:'s|’s| is| was| still| now)*(?: (?:changed|set) to)?[ :：=]{1,3})"
_LOOKS = (
    (
        ("gate", "door", "garage", "entrance", "entry", "building", "house", "lobby", "lift", "elevator",
         "courtyard", "stairwell"),
        rf"{_DOOR}(?: door| gate)?(?:'s|’s)? (?:(?:key)?code(?: (?:for|to|of|at) [\w .'’\-]{{1,30}}?)?{_IS}|opens? with (?:the )?(?:code )?){_CODE}",
    ),
    (
        ("code",),
        rf"code (?:for|to|of) (?:(?:the|our|my|their|his|her) )?(?:[a-z]{{3,12}} ){{0,2}}{_DOOR}{_IS}{_CODE}",
    ),
    (
        ("enter", "punch in", "key in", "type", "dial", "press"),
        rf"(?:enter|punch in|key in|type|dial|press) {_CODE} (?:at|on|into|to) (?:the )?(?:[a-z]{{3,12}} )?(?:{_DOOR}|intercom)",
    ),
    (
        ("门禁码", "开门码", "门码"),
        r"(?:门禁码|开门码|门码)(?:还|就|现在|改|成|换|了|是|为|[:：= ]){0,6}" + _CODE,
    ),
)  # fmt: skip
_PATTERNS = tuple((words, re.compile(look, re.IGNORECASE | re.ASCII)) for words, look in _LOOKS)


def door_codes(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the codes that open a door or gate."""
    lower = lowered(text)
    for words, pattern in _PATTERNS:
        yield from (m.span("v") for m in starting_at(pattern, text, lower, words))
