"""The steps of the tests in which a model reads: what it says, what it is shown, what comes of it."""

import uuid
from typing import Any

from accounts.acting import acting
from memory.evaluation.scripted_model import Reply, ScriptedModel, memories, messages
from memory.models import Decision
from tests.cast import Api, Cast, system_of
from tests.memory.wire import body_of, open_session


def says(model: ScriptedModel, *found: dict[str, Any]) -> None:
    """Let the model find this next, and stand by it when it is asked to mend it."""
    model.replies = [Reply(said=memories(*found)), Reply(said=memories(*found))]


def post(api: Api, *said: Any, session: str = "") -> uuid.UUID:
    """Hand over messages without waiting; return their job."""
    rows = [{"role": "user", "content": one} if isinstance(one, str) else one for one in said]
    path = f"sessions/{session or open_session(api)}/messages"
    return uuid.UUID(body_of(api("POST", path, {"messages": rows}), 202)["job"]["id"])


def shown(model: ScriptedModel, number: int = -1) -> str:
    """Return all that the model was shown."""
    return "\n".join(str(one["text"]) for one in messages(model.requests[number]))


def reasons(cast: Cast) -> list[str]:
    with acting(system_of(cast.alice)):
        return [row.reasons[0] for row in Decision.objects.order_by("created_at")]
