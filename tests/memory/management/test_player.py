"""The agent of the demo talks to the service over HTTP, however slow that is."""

from dataclasses import replace

import httpx
import pytest
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from accounts.acting import acting
from memory import jobs
from memory.management.player import Player
from memory.management.story import SCENES
from memory.models import Message
from memory.policy import SESSION
from tests.cast import Cast, system_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_slow_machine_does_not_end_the_demo(
    live_server: LiveServer, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``?wait=true`` gives up after its seconds, as beside a worker that is still starting."""
    player = Player(url=live_server.url, key=cast.keys["assistant"], user_id="alice")
    seen: list[int] = []

    def note(answer: httpx.Response) -> None:
        if answer.url.path.endswith("/messages"):
            seen.append(answer.status_code)
            monkeypatch.undo()  # now there is time

    player.client.event_hooks["response"].append(note)
    monkeypatch.setattr(jobs, "SESSION", replace(SESSION, wait_seconds=0.0))
    heard = next(player.play(now=timezone.now()))
    assert heard.decisions and seen == [202, 200]
    with acting(system_of(cast.alice)):
        assert Message.objects.count() == len(SCENES[0].turns)  # stored once
