"""How a task ended, told of a recall without a verdict on it."""

import uuid

from accounts.acting import acting
from memory.models import Feedback
from memory.recall.uses import uses_of
from tests.cast import Api, Cast, system_of
from tests.memory.api.test_feedback import CITY, asked, row, say
from tests.memory.wire import body_of, propose


def test_how_a_task_ended_is_told_without_a_verdict(api: Api, cast: Cast) -> None:
    """Of a recall that handed nothing over there is nothing to judge."""
    city = str(propose(api, CITY)["id"])
    before = row(cast, city).confidence
    for query in ("zebra umbrellas 斑马", CITY):
        ended = {"recall_id": asked(api, query), "task_id": "周报", "success": False}
        first = body_of(api("POST", "feedback", ended), 201)
        assert (first["verdict"], first["success"], first["memory_id"]) == (None, False, None)
        again = {"recall_id": ended["recall_id"], "success": True}
        later = body_of(api("POST", "feedback", again), 200)
        assert (later["id"], later["success"]) == (first["id"], True)
        assert later["task_id"] == "周报"
        assert later["at"] > first["at"]
    assert row(cast, city).confidence == before
    say(api, "hurt", recall_id=ended["recall_id"], success=True)  # and the verdict by itself
    with acting(system_of(cast.alice)):
        assert Feedback.objects.count() == 3
        told = uses_of(system_of(cast.alice), uuid.UUID(city)).verdicts
    assert [(verdict, times) for _, verdict, times in told] == [("hurt", 1)]
