"""The steps of a story by name, and the ones that hold others."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db import connection, connections

from memory.evaluation.scenarios import control, memories, talk
from memory.evaluation.scenarios.background import run_due
from memory.evaluation.scenarios.reply import Malformed, Reply, Skipped, Who
from memory.evaluation.scenarios.world import World

Step = Mapping[str, Any]
Op = Callable[[World, Who, Step], Reply]

OPS: dict[str, Op] = {
    "say": talk.say,
    "import_chat": talk.import_chat,
    "filler": talk.filler,
    "compress": talk.compress,
    "write": memories.write,
    "correct": memories.correct,
    "delete": memories.delete,
    "recall": memories.recall,
    "list": memories.list_all,
    "history": memories.history,
    "export": control.export,
    "import": control.import_all,
    "maintain": control.maintain,
    "fault": control.fault,
    "config": control.config,
    "restart": control.restart,
    "clock": control.clock,
    "profile": control.profile,
    "settle": control.settle,
    "raw": control.raw,
}


def run(world: World, step: Step) -> Reply:
    """Do one step and what becomes due by it; return its answer.

    Raises:
        Skipped: for what this version or this run does not offer.
        Malformed: for what the format does not know.
    """
    op = str(step.get("op"))
    if op in HOLDERS:
        return HOLDERS[op](world, step)
    if op not in OPS:
        raise Malformed(f"unknown op {op!r}")
    ready: dict[str, Any] = world.filled(dict(step))
    if "text_gen" in ready:
        ready["text"] = talk.long_text(ready["text_gen"])
    who = Who().using(ready)
    world.begin(ready)
    reply = OPS[op](world, who, ready)
    reply.who = who
    if "save_as" in ready:
        world.saved[str(ready["save_as"])] = reply.text
    if not getattr(world.parallel, "on", False):
        run_due(world)
    return reply


def _repeat(world: World, step: Step) -> Reply:
    replies: list[Reply] = []
    outer = world.saved.get("i")
    for i in range(int(step["n"])):
        world.saved["i"] = str(i)
        replies += [run(world, inner) for inner in step["steps"]]
    world.saved.pop("i")
    if outer is not None:
        world.saved["i"] = outer
    last = replies[-1] if replies else Reply()
    return Reply(status=last.status, body=last.body, items=last.items, who=last.who, parts=replies)


def _after(world: World, step: Step) -> Reply:
    """Start after some seconds: of the clock, or real ones among parallel steps."""
    seconds = float(step.get("seconds", step.get("n", 0)))
    if getattr(world.parallel, "on", False):
        time.sleep(seconds)
    else:
        control.clock(world, Who(), {"advance": seconds})
    inner: Sequence[Step] = step["steps"] if "steps" in step else [step["step"]]
    return [run(world, one) for one in inner][-1]


def _parallel(world: World, step: Step) -> Reply:
    """Run steps at once, each on a connection of its own.

    Raises:
        Skipped: inside a transaction, whose rows no other connection sees.
    """
    if connection.in_atomic_block:
        raise Skipped("parallel steps need a run outside of any transaction")
    steps: list[Step] = list(step["steps"])
    replies: list[Reply | Exception] = [Reply()] * len(steps)
    for one in steps:  # keys are not what races here
        world.cast.agent_key(Who().using(one))
        world.cast.person_key(Who().using(one))

    def work(number: int) -> None:
        world.parallel.on = True
        try:
            replies[number] = run(world, steps[number])
        except Exception as error:  # noqa: BLE001 - raised again where the story sees it
            replies[number] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(steps))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return _joined(world, replies)


def _joined(world: World, replies: Sequence[Reply | Exception]) -> Reply:
    done: list[Reply] = []
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
        done.append(reply)
    run_due(world)
    return Reply(status=done[-1].status, body=done[-1].body, who=done[-1].who, parts=done)


HOLDERS: dict[str, Callable[[World, Step], Reply]] = {
    "repeat": _repeat,
    "after": _after,
    "parallel": _parallel,
}
