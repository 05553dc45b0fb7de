"""Plays a story through the API, as an agent would: over HTTP, with a key."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import httpx

from memory.management.story import GUESSES, SCENES, Scene

PATIENCE = 30  # times that one ``?wait=true`` is asked for: each waits for seconds of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One turn and what the gate decided about it."""

    scene: Scene
    role: str
    text: str
    decisions: list[dict[str, Any]]


class Player:
    """An agent with a key, talking about one person."""

    def __init__(self, *, url: str, key: str, user_id: str) -> None:
        self.user_id, self.key = user_id, key
        self.client = httpx.Client(
            base_url=f"{url}/api/v1/", headers={"Authorization": f"Bearer {key}"}, timeout=60
        )

    def call(
        self, method: str, path: str, body: dict[str, Any] | None = None, **headers: str
    ) -> dict[str, Any]:
        """Return the JSON answer.

        Raises:
            HTTPStatusError: for any status from 400 on.
        """
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self.client.request(method, path, json=body, headers=named).raise_for_status()
        found: dict[str, Any] = answer.json()
        return found

    def tell(self, session_id: str, messages: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Hand over messages and return the answer with its decisions, however slow the machine is.

        Raises:
            TimeoutError: if they are not decided on after all patience.
        """
        path, once = f"sessions/{session_id}/messages?wait=true", str(uuid.uuid4())
        for _ in range(PATIENCE):  # the same request again: stored once, waited for again
            answer = self.call("POST", path, {"messages": list(messages)}, Idempotency_Key=once)
            if "decisions" in answer:
                return answer
        raise TimeoutError("The messages are stored and still not decided on.")

    def play(self, *, now: datetime) -> Iterator[Heard]:
        """Post every scene as a session; yield each turn with its decisions."""
        for scene in SCENES:
            session = self.call(
                "POST", "sessions", {"user_id": self.user_id, "session_id": f"demo {scene.name}"}
            )
            begun = now - timedelta(days=scene.days_ago)
            messages = [
                {"role": role, "content": text, "at": (begun + timedelta(minutes=at)).isoformat()}
                for at, (role, text) in enumerate(scene.turns)
            ]
            answer = self.tell(session["id"], messages)
            for event_id, (role, text) in zip(answer["events"], scene.turns, strict=True):
                about = [one for one in answer["decisions"] if one["event_id"] == event_id]
                yield Heard(scene=scene, role=role, text=text, decisions=about)

    def guess(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Propose what the assistant worked out; yield each text with the gate's answer."""
        for text, subtype in GUESSES:
            body = {"user_id": self.user_id, "text": text, "subtype": subtype}
            yield text, self.call("POST", "memories", body)

    def knows_something(self) -> bool:
        """Whether anything is remembered about the person already."""
        self.call("POST", "users", {"user_id": self.user_id})
        return bool(self.call("GET", f"memories?user_id={self.user_id}&limit=1")["memories"])

    def recall(self, question: str) -> dict[str, Any]:
        """Ask for what is remembered about ``question``."""
        return self.call("POST", "recall", {"user_id": self.user_id, "query": question})
