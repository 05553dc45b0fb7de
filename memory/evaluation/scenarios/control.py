# ruff: noqa: ARG001 - every step takes the same arguments
"""Steps on the story's surroundings: faults, settings, clock, profile, jobs, literal requests."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from accounts.models import Subject
from memory.evaluation.scenarios import background
from memory.evaluation.scenarios.reply import Malformed, Reply, Skipped, Who
from memory.evaluation.scenarios.world import PREFIX, World
from memory.providers.embedding import reset_embedder

Step = Mapping[str, Any]
UNITS = {"d": "days", "h": "hours", "m": "minutes", "s": "seconds"}
SPAN = re.compile(r"([0-9]+) ?([dhms])")
PATHS = {"{write}": "memories", "{recall}": "recall", "{bulk_delete}": "erasures"}
TAKEN = ("new", "changed")


def fault(world: World, who: Who, step: Step) -> Reply:
    """Turn a fault on or off."""
    replies = [str(one) for one in step.get("replies", ())]
    world.faults.switch(str(step["what"]), on=bool(step["on"]), replies=replies)
    return Reply()


def config(world: World, who: Who, step: Step) -> Reply:
    """Change a setting: the embedding model, as far as this run can change one."""
    changes = dict(step.get("set", {}))
    embedding = changes.pop("embedding", None)
    if changes:
        raise Skipped(f"the setting {min(changes)!r} is not known here")
    if embedding:
        world.faults.model = str(embedding["model"])
        world.faults.shorter = embedding.get("dim") == "other"
    return Reply()


def restart(world: World, who: Who, step: Step) -> Reply:
    """Forget what the process has cached; nothing else survives in it."""
    reset_embedder()
    return Reply()


def clock(world: World, who: Who, step: Step) -> Reply:
    """Move the clock: ``to`` a moment, or on by ``advance`` ("40d", "2h", seconds)."""
    for name in ("to", "set", "now"):
        if name in step:
            world.clock.set(world.at(str(step[name])))
            return Reply()
    world.clock.advance(_span(step))
    return Reply()


def _span(step: Step) -> timedelta:
    given = step.get("advance", step.get("by"))
    if isinstance(given, str) and (found := SPAN.fullmatch(given)):
        return timedelta(**{UNITS[found[2]]: int(found[1])})
    if isinstance(given, int | float):
        return timedelta(seconds=given)
    named = {unit: float(step[unit]) for unit in UNITS.values() if unit in step}
    if not named and "at" not in step:
        raise Malformed("the clock is moved `to` a moment or on by `advance`")
    return timedelta(**named)


def profile(world: World, who: Who, step: Step) -> Reply:
    """Set the person's time zone."""
    if "name" in step:
        raise Skipped("a person has no display name yet")
    subject = world.cast.known(who)
    Subject.objects.filter(id=subject.id).update(time_zone=str(step["tz"]))
    return Reply()


def maintain(world: World, who: Who, step: Step) -> Reply:
    """Run jobs of the background now."""
    for _ in range(int(step.get("times", 1))):
        background.maintain(world, str(step.get("job", "all")))
    return Reply()


def settle(world: World, who: Who, step: Step) -> Reply:
    """Wait until no work is left."""
    background.settle(world)
    return Reply()


def raw(world: World, who: Who, step: Step) -> Reply:
    """Send a literal request."""
    path = str(step["path"])
    for name, own in PATHS.items():
        path = path.replace(name, own)
    if "{" in path:
        raise Skipped(f"no address is known for {path}")
    return world.call(
        world.cast.agent_key(who),
        str(step.get("method", "POST")),
        path.removeprefix(PREFIX),
        step.get("body"),
        headers=step.get("headers"),
    )


def export(world: World, who: Who, step: Step) -> Reply:
    """Take out everything about the person."""
    person = world.cast.known(who).id
    reply = world.call(world.cast.person_key(who), "GET", f"users/{person}/export")
    reply.output = reply.content  # to the letter: it is signed
    reply.items = reply.body.get("memories", []) if reply.ok else []
    return reply


def import_all(world: World, who: Who, step: Step) -> Reply:
    """Bring in what was taken out, as far as it is not there."""
    key, files = world.cast.person_key(who), f"users/{world.cast.known(who).id}/imports"
    looked = world.call(key, "POST", files, {"text": str(step["file"])})
    groups = [one for one in TAKEN if looked.ok and looked.body["counts"][one]]
    if not groups:
        return looked
    return world.call(
        key, "POST", f"{files}/{looked.body['id']}/take?wait=true", {"groups": groups}
    )
