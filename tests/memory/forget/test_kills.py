"""kill -9 of whoever drives an erasure, at every kind of place between two steps: it is seen to its end.

The driver is a process of its own (a fork), which kills itself where the seed says. Its lease then
runs out (the clock is helped), and the sweeper takes the erasure up.
"""

import os
import random
import signal
import uuid
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from memory.backup.traces import left_behind
from memory.choices import ErasureState
from memory.forget import drive
from memory.forget.erasers import ERASERS
from memory.models import Erasure, ErasureStep
from tests.cast import Api, Cast
from tests.memory.wire import body_of, listed, open_session, tell, texts

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:This process:DeprecationWarning"),
]

# Before a step is leased, once it is, inside its transaction, and at the last look.
PLACES = ("_lease", "_do", "_erase", "_close")


def die_at(place: str, number: int) -> None:
    """Let this process be killed when it comes to ``place`` for the ``number``-th time."""
    real, calls = getattr(drive, place), iter(range(1, number + 1))

    def counted(*arguments: Any) -> Any:
        if next(calls) == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments)

    setattr(drive, place, counted)


def killed(erasure_id: uuid.UUID, place: str, number: int) -> bool:
    """Drive the erasure in a process that dies there; return whether it was killed."""
    connections.close_all()  # a connection is nobody's after a fork
    child = os.fork()
    if child == 0:
        try:
            die_at(place, number)
            drive.run(erasure_id)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def test_an_erasure_outlives_every_driver(api: Api, cast: Cast) -> None:
    seed = random.Random(8)
    kept = "I play the oboe 双簧管"
    tell(api, kept, session=open_session(api, "kept"))
    for number in range(10):
        place = PLACES[number % len(PLACES)]
        told = tell(api, f"我喜欢喝第{number}号茶。", session=open_session(api, f"s{number}"))
        receipt = body_of(api("DELETE", f"memories/{told['decisions'][0]['id']}"))
        erasure = uuid.UUID(receipt["id"])
        at = 1 if place == "_close" else seed.randint(1, len(ERASERS))
        assert killed(erasure, place, at), (place, at)
        assert Erasure.objects.get(id=erasure).state == ErasureState.RUNNING
        assert texts(listed(api)) == [kept]
        drive.sweep()  # who died still holds its step
        ErasureStep.objects.filter(leased_until__isnull=False).update(leased_until=timezone.now())
        drive.sweep()
        state = Erasure.objects.get(id=erasure).state
        assert state == ErasureState.AWAITING_BACKUP_EXPIRY, (place, at)
    assert left_behind() == []
    assert texts(listed(api)) == [kept]
