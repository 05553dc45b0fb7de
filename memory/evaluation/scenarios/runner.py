"""Playing a file of stories: each in tenants of its own, in a transaction that is rolled back.

Parallel steps need several connections, which see only what is committed; such a story is played
outside of a transaction, and its people are erased and its keys revoked afterwards.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.db import transaction
from django.test import override_settings
from tqdm import tqdm

from accounts.acting import acting
from accounts.models import ApiKey, Subject
from accounts.setup import operator
from accounts.subjects import system
from memory import queue
from memory.errors import InvalidInput
from memory.evaluation import lines
from memory.evaluation.clock import moved
from memory.evaluation.scenarios import background, checks, steps
from memory.evaluation.scenarios.faults import RULES, Faults, FaultyEmbedder, faulty
from memory.evaluation.scenarios.reply import Malformed, Skipped, Stuck
from memory.evaluation.scenarios.world import World
from memory.forget.requests import erase_person

Story = Mapping[str, Any]
# Stories whose format says that a part about a call which is not offered is left out.
PARTLY = {"RC-014", "RC-055", "RC-092"}
BAD = 400  # from here on a request was not done
UNHINDERED = {
    "ALLOWED_HOSTS": ["localhost"],
    "RATE_LIMIT_PER_KEY": "0",
    "RATE_LIMIT_PER_TENANT": "0",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What came of one story."""

    id: str
    failed: Sequence[tuple[str, str]] = ()
    skipped: str = ""
    notes: Sequence[str] = ()


def evaluate(
    path: Path, *, only: str | None, progress: bool, extractor: str = RULES
) -> dict[str, Any]:
    """Play the stories of a JSONL file, or the one named ``only``, and return the verdicts.

    ``extractor``: who reads the conversations; see `memory.evaluation.scenarios.faults`.

    Raises:
        InvalidInput: if no story has that name.
    """
    stories = [one for one in lines.read(path, "id", "action") if only in (None, one["id"])]
    if only and not stories:
        raise InvalidInput(f"No story is called {only}.")
    with faulty(), override_settings(**UNHINDERED):
        verdicts = [
            play(one, extractor) for one in tqdm(stories, desc=path.stem, disable=not progress)
        ]
    return summary(verdicts)


def summary(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return the verdicts as the command prints them."""
    failed = [one for one in verdicts if one.failed]
    skipped = [one for one in verdicts if not one.failed and one.skipped]
    passed = [one for one in verdicts if not (one.failed or one.skipped)]
    return {
        "overall": {"passed": len(passed), "failed": len(failed), "skipped": len(skipped)},
        "passed": [one.id for one in passed],
        "failed": [
            {"id": one.id, "check": check, "got": got}
            for one in failed
            for check, got in one.failed
        ],
        "skipped": [{"id": one.id, "reason": one.skipped} for one in skipped],
        "notes": [{"id": one.id, "note": note} for one in verdicts for note in one.notes],
    }


def play(story: Story, extractor: str) -> Verdict:
    """Play one story and take everything back that it made."""
    faults = Faults()
    FaultyEmbedder.faults = faults
    world = World(faults)
    name = str(story["id"])
    room = _own_room(world, committed=_has(story, "parallel"))
    with faults.reading(extractor), _observed(world), room:
        try:
            return _verdict(world, story)
        except Skipped as why:
            return Verdict(id=name, skipped=str(why), notes=world.notes)
        except Malformed as why:
            return Verdict(id=name, failed=[("format", str(why))], notes=world.notes)
        except Stuck as why:
            return Verdict(id=name, failed=[("step", str(why))], notes=world.notes)
        except Exception as error:  # noqa: BLE001 - one story that breaks the run is that story's fault
            broken = f"{type(error).__name__}: {error}"
            return Verdict(id=name, failed=[("run", broken)], notes=world.notes)


def _verdict(world: World, story: Story) -> Verdict:
    for number, step in enumerate(story.get("setup", ()), start=1):
        made = steps.run(world, step)
        if made.status >= BAD:
            world.notes.append(f"setup step {number} ({step['op']}) got {made.status}: {made.text}")
    reply = steps.run(world, story["action"])
    name = str(story["id"])
    found = checks.run_all(world, reply, story.get("expect", ()), partly=name in PARTLY)
    return Verdict(
        id=name,
        failed=[(str(check["check"]), got) for check, got in found.failed],
        skipped="; ".join(dict.fromkeys(found.skipped)),
        notes=world.notes,
    )


def _has(story: Any, op: str) -> bool:
    if isinstance(story, Mapping):
        return story.get("op") == op or any(_has(one, op) for one in story.values())
    return isinstance(story, list) and any(_has(one, op) for one in story)


@contextmanager
def _own_room(world: World, *, committed: bool) -> Iterator[None]:
    """Play in a transaction that is rolled back, or tidy up after what was committed."""
    if not committed:
        with transaction.atomic(), moved(world.clock):
            yield
            transaction.set_rollback(True)
        return
    try:
        with moved(world.clock):
            yield
    finally:
        world.faults.on.clear()
        _tidy(world)


def _tidy(world: World) -> None:
    """Erase the story's people, drive that to its end, and revoke every key."""
    for tenant_id, subject_id in world.cast.everybody():
        subject = Subject.objects.get(id=subject_id)
        if subject.erased_at is None:
            erase_person(
                system(tenant_id, subject_id, label="evaluation"), confirm=subject.external_id
            )
    background.settle(world)
    for tenant in world.cast.tenants.values():
        with acting(operator(tenant.id)):
            ApiKey.objects.filter(tenant_id=tenant.id).delete()


@contextmanager
def _observed(world: World) -> Iterator[None]:
    """Keep the wake-up calls from the workers, and note them and what is logged."""

    class Ear(logging.Handler):
        """Hears what the service logs."""

        def emit(self, record: logging.LogRecord) -> None:
            """Note a record's words and arguments."""
            world.logged.append(f"{record.msg} {record.args} {record.exc_text or ''}")

    ear = Ear()
    logging.getLogger().addHandler(ear)
    with ExitStack() as stack:
        stack.callback(logging.getLogger().removeHandler, ear)
        stack.enter_context(
            patch.object(queue, "_send", lambda name, ids: world.sent.append(f"{name} {ids}"))
        )
        yield
