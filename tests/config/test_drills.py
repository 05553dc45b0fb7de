"""Failures brought about on whole services of their own: each drill passes, and a hundred kills lose nothing."""

from __future__ import annotations

import random
import time
from contextlib import suppress
from typing import LiteralString

import psycopg
import pytest

from config.drills import drills
from config.drills.drills import DRILLS
from config.drills.embedder import DIM, vector
from config.drills.scene import Failed, Scene, expect, scene
from memory.forget.erasers import ERASERS

PARTS = ("worker", "web", "valkey", "postgres")
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


def kill_again_and_again(service: Scene, count: int) -> float:
    """Kill a part ``count`` times, each time where the seed says in the steps of an erasure."""
    seed = random.Random(8)
    service.write(4)
    for number in range(count):
        service.tell()
        service.write(2)
        service.erase()
        boundary, until = seed.randint(0, len(ERASERS)), time.monotonic() + 5
        with suppress(psycopg.Error):
            while service.sql(DONE)[0][0] < boundary and time.monotonic() < until:
                time.sleep(0.005)
        service.kill(PARTS[number % len(PARTS)])
    return service.settle()


@pytest.mark.deep
@pytest.mark.timeout(3600)
def test_a_hundred_kills_lose_nothing() -> None:
    with scene(print) as service:
        kill_again_and_again(service, 100)
        assert len(service.gone) == 100 and len(service.said) == 100
        assert len(service.kept) == 104
        done = service.manage("verify_erasure")
        assert done.returncode == 0, done.stdout
