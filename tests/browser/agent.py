"""An agent at the other end: plain HTTP with its key, as the printed calls do it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One agent that talks about one person."""

    url: str
    key: str
    user_id: str

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
        """Send one request."""
        headers = {"Authorization": f"Bearer {self.key}"}
        address = f"{self.url}/api/v1/{path}"
        return httpx.request(method, address, headers=headers, json=body, timeout=60)

    def answer(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Send one request and return the body of its answer.

        Raises:
            HTTPStatusError: for any status from 400 on.
        """
        return self.ask(method, path, body).raise_for_status().json()

    def recalled(self, question: str) -> list[str]:
        """Return the texts the agent is handed for a question, the profile among them."""
        found = self.answer("POST", "recall", {"user_id": self.user_id, "query": question})
        return [one["text"] for one in (*found["memories"], *found["profile"])]

    def listed(self) -> dict[str, dict[str, Any]]:
        """Return each memory the agent may list, by its text."""
        found = self.answer("GET", f"memories?user_id={self.user_id}&limit=100")
        return {one["text"]: one for one in found["memories"]}
