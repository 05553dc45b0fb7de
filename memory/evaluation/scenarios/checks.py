# ruff: noqa: ARG001 - every check takes the same arguments
"""The checks of a story by name, and the ones that hold others."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memory.evaluation.scenarios import checks_answers, checks_rows, steps
from memory.evaluation.scenarios.background import settle
from memory.evaluation.scenarios.checks_answers import Check, Seen, Test
from memory.evaluation.scenarios.reply import Malformed, Reply, Skipped
from memory.evaluation.scenarios.traces import zero_traces
from memory.evaluation.scenarios.world import World

TESTS: dict[str, Test] = {
    **checks_answers.TESTS,
    **checks_rows.TESTS,
    "zero_traces": zero_traces,
}


class Findings:
    """What the checks of one story found: failures first, else what kept one from being made."""

    def __init__(self) -> None:
        self.failed: list[tuple[Check, str]] = []
        self.skipped: list[str] = []


def run_all(
    world: World, reply: Reply, checks: Sequence[Check], *, partly: bool = False
) -> Findings:
    """Run every check, in order. ``partly``: a part that is not offered is noted and left out."""
    findings = Findings()
    for check in checks:
        try:
            seen = run(world, reply, check)
        except Skipped as why:
            if partly or check.get("optional"):
                world.notes.append(f"left out: {why}")
            else:
                findings.skipped.append(str(why))
            continue
        if seen is not None:
            findings.failed.append((check, seen))
    return findings


def run(world: World, reply: Reply, check: Check) -> Seen:
    """Run one check after all work is done; return what was seen if it fails.

    Raises:
        Skipped: for what this version or this run cannot look at.
        Malformed: for what the format does not know.
    """
    settled = settle(world)
    name = str(check.get("check"))
    if name == "settle":
        return None if settled else "work was left after the time a story waits"
    if name in HOLDERS:
        return HOLDERS[name](world, reply, check)
    if name not in TESTS:
        raise Malformed(f"unknown check {name!r}")
    return TESTS[name](world, reply, world.filled(dict(check)))


def _then(world: World, reply: Reply, check: Check) -> Seen:
    following = steps.run(world, check["step"])
    return _first(run_all(world, following, check.get("expect", ())))


def _one_of(world: World, reply: Reply, check: Check) -> Seen:
    """One list passes as a whole; lists that need what is not offered do not count."""
    seen: list[str] = []
    skipped: list[str] = []
    for option in check["options"]:
        findings = run_all(world, reply, option)
        if not findings.failed and not findings.skipped:
            return None
        seen += [f"{one['check']}: {got}" for one, got in findings.failed]
        skipped += findings.skipped if not findings.failed else []
    if skipped:
        raise Skipped(skipped[0])
    return "; ".join(seen)


def _judge(world: World, reply: Reply, check: Check) -> Seen:
    raise Skipped("a person or a judge model must answer a question; every other check passed")


def _first(findings: Findings) -> Seen:
    if findings.failed:
        check, got = findings.failed[0]
        return f"{check['check']}: {got}"
    if findings.skipped:
        raise Skipped(findings.skipped[0])
    return None


HOLDERS: dict[str, Callable[[World, Reply, Mapping[str, Any]], Seen]] = {
    "then": _then,
    "one_of": _one_of,
    "judge": _judge,
}
