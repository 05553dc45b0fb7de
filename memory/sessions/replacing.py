"""Which earlier sentence a later one replaces: 19/49/199 → 9/29/99. Pure.

Being replaced loses nothing: both are shown, the older one as such. So signs are enough here, where a
memory needs proof.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from memory.policy import SUMMARY
from memory.sessions.points import Place, Point
from memory.text.guard import content
from memory.text.normalise import fold
from memory.write.attributes import CATALOGUE, same_value

# The later sentence says that something is not as it was.
_CHANGES = re.compile(
    "改(?!善|革|天|日|进)[成为到用作在约签]?了?|换(?!行|句话|算)[成到用]?了?|变[成为]|调整?[成为到至]|更新[成为到]|更正|"
    "(?:提前|推迟|延期|延后|顺延|降|涨|提高|提升|减少|增加|压缩)[到至为成]|搬[到去家]|而?不是|不再|取消|作废|"
    "(?<![a-z])(?:chang(?:e|ed|ing)|switch(?:ed|ing)?|mov(?:e|ed|ing)(?= (?:it |that |this )?(?:to|from))"
    "|instead|rather than|no longer|correct(?:ion|ing)|updat(?:e|ed|ing)|replac(?:e|ed|ing)"
    "|(?:raised?|lower(?:ed)?|cut|reduced?|increased?|postponed?|push(?:ed)?|brought forward)(?= .{0,20}(?<![a-z])to(?![a-z]))"
    "|rescheduled?|cancel(?:led|ed)?|make (?:it|that)|(?:is|are) now|not .{1,30} but)(?![a-z])",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"(?P<digits>[0-9]+(?:[.,:/\-][0-9]+)*) ?(?P<unit>[A-Za-z%°]{1,12}|[\u3400-\u9fff])?"
)
_PLAIN = ("n", "n.n")
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
type Values = dict[str, set[str]]


def linked(points: Sequence[Point]) -> list[Point]:
    """Return the points, each that a later one replaces with the place of that one."""
    by: dict[Place, Place] = {point.place: point.by for point in points if point.by}
    said = [_Said(point) for point in points]
    for number, later in enumerate(said):
        if not later.changes and not later.point.attribute:
            continue
        for earlier in _replaced(later, said[:number]):
            by.setdefault(earlier.point.place, later.point.place)
    newer = set(by.values())
    return [
        replace(point, by=by.get(point.place), replaces=point.replaces or point.place in newer)
        for point in points
    ]


class _Said:
    """A point with what is compared: what it speaks of, and its values by their form."""

    __slots__ = ("changes", "point", "topic", "values")

    def __init__(self, point: Point) -> None:
        self.point = point
        self.changes = bool(_CHANGES.search(point.text))
        told = content(_CHANGES.sub("\x00", point.text))
        # "window_seat" and "aisle_seat" share their seat.
        self.topic = {part for token in told for part in token.name.split("_")}
        self.values = values(point.text)


def _replaced(later: _Said, before: Sequence[_Said]) -> list[_Said]:
    """What ``later`` replaces: another value of its slot or topic, else the last value of its form."""
    found = [one for one in before if _same_slot(one, later)]
    if not later.changes:
        return found
    found += [one for one in before if _same_topic(one, later) and _differ(one, later)]
    if not found:  # "Make it 9/29/99 then": what had this form last is meant
        formed = [one for one in before if one.values.keys() & later.values.keys()]
        found = [one for one in formed if _differ(one, later)][-1:]
    return found


def _same_slot(one: _Said, other: _Said) -> bool:
    """Whether both fill one slot, with two values."""
    name = other.point.attribute
    if not name or one.point.attribute != name:
        return False
    if name in CATALOGUE and CATALOGUE[name].single:
        value, newer = one.point.value, other.point.value
        return bool(value and newer) and not same_value(name, value, newer)
    # "The budget is 300", "the budget is 500": the same words with one other value.
    forms = one.values.keys() | other.values.keys()
    other_ones = [form for form in forms if one.values.get(form) != other.values.get(form)]
    return one.topic == other.topic and len(other_ones) == 1 and _differ(one, other)


def _same_topic(one: _Said, other: _Said) -> bool:
    shared = len(one.topic & other.topic)
    return shared > 0 and shared >= SUMMARY.alike * min(len(one.topic), len(other.topic))


def _differ(one: _Said, other: _Said) -> bool:
    """Whether they give values of one form and other ones; without values, whether words differ."""
    if not one.values or not other.values:
        return (
            not one.values and not other.values and fold(one.point.text) != fold(other.point.text)
        )
    forms = one.values.keys() & other.values.keys()
    return any(one.values[form] - other.values[form] for form in forms)


def values(text: str) -> Values:
    """Return the values of a sentence by their form: 19/49/199 and 9/29/99 have one, 5 元 and 7 人 not."""
    found: Values = {}
    for match in _VALUE.finditer(_THOUSANDS.sub("", text)):
        form = re.sub("[0-9]+", "n", match["digits"])
        if form in _PLAIN:  # 5 元 is no form of 7 人; 19/49/199 says by itself what it is
            form = "n" + (match["unit"] or "").lower()
        found.setdefault(form, set()).add(match["digits"])
    return found
