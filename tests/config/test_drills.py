"""Failures brought about on whole services of their own: each drill passes, and a hundred kills lose nothing."""

from __future__ import annotations

import random
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import LiteralString

import psycopg
import pytest

from config.drills import drills
from config.drills.drills import DRILLS
from config.drills.embedder import DIM, vector
from config.drills.scene import Failed, Scene, expect, scene
from memory.forget.erasers import ERASERS

PARTS = ("worker", "web", "valkey", "postgres")
# Seconds between two kills. A part that lived less than 30 s starts again after a pause that grows.
PACE = 8.0
DONE: LiteralString = """
SELECT count(*) FROM memory_erasurestep WHERE state = 'done' AND erasure_id =
  (SELECT id FROM memory_erasure ORDER BY requested_at DESC LIMIT 1)
"""


@pytest.mark.deep
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", DRILLS)
def test_each_drill_passes(name: str) -> None:
    said: list[str] = []
    assert drills.run(name, said.append), "\n".join(said)
    assert said[0].startswith(name) and said[-1] == f"✓ {name}"


def test_a_drill_that_finds_something_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: drills.Say) -> None:
        """Something breaks."""
        expect(1 + 1 == 3, "a memory 记忆 is lost")

    monkeypatch.setitem(DRILLS, "worker-kill", broken)
    said: list[str] = []
    assert not drills.run("worker-kill", said.append)
    assert said == ["worker-kill: Something breaks.", "✗ worker-kill: a memory 记忆 is lost"]
    with pytest.raises(Failed):
        expect("", "nothing")


def test_texts_that_share_letters_are_close_to_the_drills_embedder() -> None:
    one, near, far = (vector(text) for text in ("I own a kettle 水壶", "a kettle 水壶", "xyzzy"))

    def close(other: list[float]) -> float:
        return sum(a * b for a, b in zip(one, other, strict=True))

    assert len(one) == DIM and close(one) == pytest.approx(1.0)
    assert close(near) > close(far)
    assert vector("") != vector("xy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill:
    """One ``kill -9``: of what, how many steps of the last erasure were to be done then, and were."""

    part: str
    boundary: int
    done: int

    @property
    def struck(self) -> bool:
        """Whether it fell where the seed says; a step may end while the signal is on its way."""
        return self.boundary <= self.done <= self.boundary + 2


def kill_again_and_again(service: Scene, count: int) -> list[Kill]:
    """Kill the parts in turn, each time where the seed says in the steps of an erasure."""
    seed, kills, last = random.Random(8), list[Kill](), 0.0
    service.write(4)
    for number in range(count):
        part, before = PARTS[number % len(PARTS)], service.pids
        service.tell()
        service.write(2)
        time.sleep(max(0.0, last + PACE - time.monotonic()))
        service.erase()
        boundary = seed.randint(0, len(ERASERS) - 1)
        done = reached(service, boundary)
        service.kill(part)
        last = time.monotonic()
        kills.append(Kill(part=part, boundary=boundary, done=done))
        print(number, kills[-1])
        again = partial(started_again, service, part, before[part])
        service.until(again, within=60, what=f"{part} is started again")
    return kills


def started_again(service: Scene, part: str, pid: int) -> bool:
    return service.pids.get(part, pid) != pid


def reached(service: Scene, boundary: int) -> int:
    """Wait until so many steps of the last erasure are done; return how many are."""
    done, until = 0, time.monotonic() + 30
    with suppress(psycopg.Error), psycopg.connect(service.database) as connection:
        while time.monotonic() < until:
            ((done,),) = connection.execute(DONE).fetchall()
            connection.commit()
            if done >= boundary:
                break
            time.sleep(0.001)
    return done


@pytest.mark.deep
@pytest.mark.timeout(3600)
def test_a_hundred_kills_lose_nothing() -> None:
    with scene(print) as service:
        kills = kill_again_and_again(service, 100)
        took = service.settle()
        assert len(service.gone) == 100 and len(service.said) == 100
        assert len(service.kept) == 104
        done = service.manage("verify_erasure")
        assert done.returncode == 0, done.stdout
    struck = Counter(one.part for one in kills if one.struck)
    print(f"struck where the seed says: {dict(struck)}; all work done {took:.0f} s later")
    assert Counter(one.part for one in kills) == dict.fromkeys(PARTS, 25)
    assert all(struck[part] >= 15 for part in PARTS), kills
