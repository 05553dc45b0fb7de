"""An agent says that its own copies are gone."""

import uuid

from accounts.models import AuditEvent
from tests.cast import Api, Cast, agent_key, make_agent, make_grant
from tests.memory.forget.listeners import erased, notice
from tests.memory.wire import body_of, problem


def test_an_agent_says_once_that_its_copies_are_gone(api: Api, cast: Cast) -> None:
    erasure = erased(api)
    said = body_of(api("POST", f"deletions/{erasure}/ack"))
    assert said["erasure_id"] == erasure
    assert body_of(api("POST", f"deletions/{erasure}/ack", {})) == said
    line = AuditEvent.objects.get(code="deletion.acknowledged")
    assert (line.object_id, line.subject_id) == (uuid.UUID(erasure), cast.alice.id)
    assert notice(cast, erasure, "reader").acknowledged_at is None


def test_who_was_not_told_has_nothing_to_acknowledge(api: Api, cast: Cast) -> None:
    erasure = erased(api)
    newcomer = make_agent(cast.acme, "newcomer")
    make_grant(newcomer, cast.alice)
    for key in (agent_key(newcomer), cast.keys["colleague"], cast.keys["stranger"]):
        problem(Api(key)("POST", f"deletions/{erasure}/ack"), 404, "not_found")
    problem(Api(cast.keys["alice"])("POST", f"deletions/{erasure}/ack"), 403, "forbidden")
    problem(api("POST", f"deletions/{uuid.UUID(int=7)}/ack"), 404, "not_found")
    problem(api("POST", f"deletions/{erasure}/ack", {"x": 1}), 400, "invalid_input")
