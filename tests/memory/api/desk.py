"""Short ways to ask for contexts and boards, for tests that look at what comes back."""

import json
import uuid
from typing import Any
from urllib.parse import quote

from accounts.acting import acting
from memory.models import Session, Summary
from memory.vault import Place, open_vault
from tests.cast import Api, Cast, system_of
from tests.memory.wire import body_of


def user(content: str, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": content} | more


def assistant(content: str, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content} | more


def context(api: Api, session: str, **asked: Any) -> dict[str, Any]:
    return body_of(api("POST", f"sessions/{session}/context", asked))


def contents(body: dict[str, Any]) -> list[str]:
    return [one["content"] for one in body["messages"]]


def reasons(body: dict[str, Any]) -> set[tuple[str, str]]:
    return {(one["part"], one["reason"]) for one in body["left_out"]}


def summarise(cast: Cast, session: str, text: str, event: str) -> None:
    """Put a summary of one event on the session's desk."""
    point = {"event_id": event, "start": 0, "text": text, "role": "user", "weight": 1.0}
    told = json.dumps({"points": [point], "dropped": []})
    with acting(system_of(cast.alice)) as principal:
        id_ = uuid.uuid4()
        Summary.objects.create(
            id=id_,
            tenant_id=cast.acme.id,
            subject_id=cast.alice.id,
            session=Session.objects.get(id=session),
            text=open_vault(principal).seal(Place(object_id=id_, number=1), told),
            event_ids=[event],
        )


def send(
    api: Api,
    method: str,
    state: Any,
    *,
    version: int | None = None,
    task: str = "trip",
    **more: Any,
) -> Any:
    """Write a board's state."""
    headers = {} if version is None else {"If_Match": f'"{version}"'}
    body = {"user_id": "alice", "state": state} | more
    return api(method, f"tasks/{quote(task, safe='')}/state", body, **headers)


def read(api: Api, task: str = "trip", user_id: str = "alice") -> Any:
    """Read a board."""
    return api("GET", f"tasks/{quote(task, safe='')}/state?user_id={user_id}")
