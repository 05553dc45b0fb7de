"""No pattern reads the same letters in two ways over and over: one sentence could stop the service."""

import ast
import dataclasses
import importlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.ambiguity import ambiguous
from tests.architecture.source import ROOT, at, modules, parsed

# The rooms that read what people and agents write.
ROOMS = ("accounts", "memory", "dashboard")
_READERS = {
    "compile",
    "search",
    "match",
    "fullmatch",
    "sub",
    "subn",
    "split",
    "findall",
    "finditer",
}


def _held(value: Any, seen: dict[int, Any]) -> Iterator[re.Pattern[str]]:
    """The patterns that a value of a module holds; what was seen is not gone through again."""
    if isinstance(value, str | bytes | int | type) or id(value) in seen:
        return
    seen[id(value)] = value
    inside: Iterable[Any] = ()
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, Mapping):
        inside = (*value.keys(), *value.values())
    elif isinstance(value, Sequence | Set):
        inside = value
    elif dataclasses.is_dataclass(value):
        inside = [getattr(value, one.name, None) for one in dataclasses.fields(value)]
    for one in inside:
        yield from _held(one, seen)


def _named(path: Path, seen: dict[int, Any]) -> Iterator[tuple[str, str, int]]:
    """The patterns that a module holds, and those written where they are used."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for key, value in vars(importlib.import_module(name)).items():
        for pattern in _held(value, seen):
            if isinstance(pattern.pattern, str):
                yield f"{name}.{key}", pattern.pattern, pattern.flags
    for node in ast.walk(parsed(path)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in _READERS
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        ):
            yield at(path, node), node.args[0].value, 0


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:以后|现在|从现在起|以后)*忘掉",
        r"(?:在|住在?|用)*什么",
        r"(?:刚刚?|已经)*买",
        r"(?:so[,!. ]+(?:\w+[,!. ]+)?)*went",
        r"(?:[, ]+(?:now|since [^,.]{2,30}))+\Z",
        r"(?:a*)*b",
        r"(?:a?b?)*c",
        r"(?i)(?:so |SO )*x",
        r"(?=(?:aa?)*b)",
        r"(?:(?:aa?)*b)*+",
        r"(?:\w{1,30}-?){0,90}!",
    ],
)
def test_a_loop_that_reads_two_ways_is_found(pattern: str) -> None:
    assert ambiguous(pattern, re.compile(pattern).flags)


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:以后|现在|从现在起)*忘掉",
        r"(?:在|住|用)*什么",
        r"(?:刚刚?|已经)*+买",
        r"(?:[ -]{0,2}[0-9]){11,18}",
        r"(?:\w+ )*x",
        r"(?:(?:old|older) )*x",
        r"(?:刚刚?|已经){0,4}买",
        r"(?:[，, ]?对了[，, ]++)+",
    ],
)
def test_a_loop_that_reads_one_way_is_not(pattern: str) -> None:
    assert ambiguous(pattern) is None


def test_no_pattern_reads_the_same_letters_in_two_ways_over_and_over() -> None:
    names: dict[tuple[str, int], str] = {}
    seen: dict[int, Any] = {}
    for path in modules(*ROOMS):
        if "evaluation" in path.parts:
            continue
        for name, pattern, flags in _named(path, seen):
            names.setdefault((pattern, flags), name)
    assert len(names) > 500
    found = {
        name: read for (text, flags), name in names.items() if (read := ambiguous(text, flags))
    }
    assert found == {}
