# ruff: noqa: ARG001 - every check takes the same arguments
"""Checks on what a step answered."""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from memory.evaluation.scenarios import background
from memory.evaluation.scenarios.patterns import (
    fits,
    found,
    matching,
    number,
    status_in,
    text_of,
)
from memory.evaluation.scenarios.reply import Malformed, Reply
from memory.evaluation.scenarios.world import World
from memory.providers.tokens import count_tokens

Check = Mapping[str, Any]
# What was seen, if the check fails; None: it passes.
Seen = str | None
Test = Callable[[World, Reply, Check], Seen]
SERVER_FAULT = 500
SHOWN = 300  # characters of an answer in a report


def _seen(passed: bool, got: object) -> Seen:  # noqa: FBT001 - reads like an assertion
    return None if passed else str(got)[:SHOWN]


def _words(reply: Reply) -> list[str]:
    return [text_of(one) for one in reply.items]


def status(world: World, reply: Reply, check: Check) -> Seen:
    """The status is allowed."""
    return _seen(status_in(reply.status, check["in"]), f"status {reply.status} {reply.text}")


def error_mentions(world: World, reply: Reply, check: Check) -> Seen:
    """The problem document names what is wrong."""
    named = not reply.ok and any(found(one, reply.text) for one in check["any"])
    return _seen(named, f"status {reply.status} {reply.text}")


def warning_mentions(world: World, reply: Reply, check: Check) -> Seen:
    """The answer warns."""
    body = reply.body if isinstance(reply.body, dict) else {}
    warned = str([body.get(name) for name in ("status", "degraded", "warnings", "held_back")])
    return _seen(any(found(one, warned) for one in check["any"]), warned)


def no_5xx(world: World, reply: Reply, check: Check) -> Seen:
    """The service never failed of itself."""
    failed = [status for status, fault in world.replies if status >= SERVER_FAULT and not fault]
    return _seen(not failed, failed)


def result_top(world: World, reply: Reply, check: Check) -> Seen:
    """The first item matches."""
    first = _words(reply)[:1]
    return _seen(bool(first) and fits(first[0], check), _words(reply))


def result_has(world: World, reply: Reply, check: Check) -> Seen:
    """Some item matches."""
    return _seen(any(fits(one, check) for one in _words(reply)), _words(reply))


def result_lacks(world: World, reply: Reply, check: Check) -> Seen:
    """No item matches, unless it may be there marked as past."""
    lacking = {name: value for name, value in check.items() if name in ("all", "any", "none")}
    there = [one for one in reply.items if fits(text_of(one), lacking)]
    if check.get("flagged") or check.get("unless_flagged"):
        bad = [one for one in there if not _is_past(world, one)]
    else:
        bad = there
    return _seen(not bad and (reply.ok or not reply.status), [text_of(one) for one in bad] or reply)


def _is_past(world: World, item: Mapping[str, Any]) -> bool:
    """Whether the answer itself says that the item no longer holds."""
    end = item.get("valid_to") or item.get("superseded_at")
    if isinstance(end, str):
        end = datetime.fromisoformat(end)
    over = end is not None and end <= world.clock.at
    return bool(over or item.get("current") is False or item.get("state") == "archived")


def together(world: World, reply: Reply, check: Check) -> Seen:
    """Each pattern is found in some item."""
    patterns = check.get("all", check.get("patterns", ()))
    lacking = [one for one in patterns if not any(found(one, text) for text in _words(reply))]
    return _seen(not lacking, f"lacking {lacking} in {_words(reply)}")


def result_empty(world: World, reply: Reply, check: Check) -> Seen:
    """The answer is there and holds no item."""
    return _seen(reply.ok and not reply.items, _words(reply) or f"status {reply.status}")


def result_size(world: World, reply: Reply, check: Check) -> Seen:
    """As many items (that match), and no more tokens, than asked for."""
    items = matching(reply.items, check.get("match"))
    count = len({str(one.get(check["unique"])) for one in items}) if "unique" in check else None
    size = len(items) if count is None else count
    doubled = count is not None and count != len(items)
    tokens = sum(count_tokens(text_of(one)) for one in items)
    within = tokens <= check.get("max_tokens", tokens)
    fine = reply.ok and number(size, check, suffix="_items") and within and not doubled
    return _seen(
        fine, f"status {reply.status}, {len(items)} items, {tokens} tokens: {_words(reply)}"
    )


def total(world: World, reply: Reply, check: Check) -> Seen:
    """The answer reports the total."""
    reported = reply.body.get("total") if isinstance(reply.body, dict) else None
    return _seen(reported is not None and number(int(reported), check), f"total {reported}")


def output_has(world: World, reply: Reply, check: Check) -> Seen:
    """The whole output matches."""
    return _seen(
        fits(reply.text, {"all": check.get("all", ()), "any": check.get("any", ())}), reply.text
    )


def output_lacks(world: World, reply: Reply, check: Check) -> Seen:
    """Nothing in the whole output matches."""
    there = [
        one for one in (*check.get("any", ()), *check.get("all", ())) if found(one, reply.text)
    ]
    return _seen(not there, f"{there} in {reply.text}")


def output_tokens(world: World, reply: Reply, check: Check) -> Seen:
    """The output keeps the budget, by our own counter."""
    if "or_status" in check and status_in(reply.status, check["or_status"]):
        return None
    tokens = count_tokens(reply.output)
    return _seen(reply.ok and number(tokens, check), f"status {reply.status}, {tokens} tokens")


def degraded_flag(world: World, reply: Reply, check: Check) -> Seen:
    """The answer says that it is degraded."""
    body = reply.body if isinstance(reply.body, dict) else {}
    said = body.get("status") == "degraded" or bool(body.get("degraded"))
    return _seen(said == check.get("eq", True), body.get("status"))


def not_empty_success(world: World, reply: Reply, check: Check) -> Seen:
    """An answer without items is no success, unless it says why."""
    body = reply.body if isinstance(reply.body, dict) else {}
    silent = reply.ok and not reply.items and body.get("status") != "degraded"
    return _seen(not silent, f"status {reply.status}, no items")


def parallel_status(world: World, reply: Reply, check: Check) -> Seen:
    """So many of the parallel steps ended so."""
    got = Counter(one.status for one in reply.parts)
    counts = {
        name: sum(n for one, n in got.items() if status_in(one, [name])) for name in check["counts"]
    }
    return _seen(counts == dict(check["counts"]), dict(got))


def block_closed_once(world: World, reply: Reply, check: Check) -> Seen:
    """The end marker of a rendered block occurs once, and nothing of the block follows it."""
    marker = check.get("marker", check.get("end"))
    if marker is None:
        raise Malformed("block_closed_once needs the `marker`")
    text = reply.text
    return _seen(text.count(marker) == 1 and text.rstrip().endswith(marker), text[-SHOWN:])


def reindexed(world: World, reply: Reply, check: Check) -> Seen:
    """So many wordings have new vectors."""
    count = background.reembedded(world)
    return _seen(number(count, check), count)


TESTS: dict[str, Test] = {
    "status": status,
    "error_mentions": error_mentions,
    "warning_mentions": warning_mentions,
    "no_5xx": no_5xx,
    "result_top": result_top,
    "result_has": result_has,
    "result_lacks": result_lacks,
    "results_together_have": together,
    "result_empty": result_empty,
    "result_size": result_size,
    "total": total,
    "output_has": output_has,
    "output_lacks": output_lacks,
    "output_tokens": output_tokens,
    "degraded_flag": degraded_flag,
    "not_empty_success": not_empty_success,
    "parallel_status": parallel_status,
    "block_closed_once": block_closed_once,
    "reindexed": reindexed,
}
