"""Short ways to talk to the API, for tests that look at what comes back."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.cast import Api

# A fixed past, so that "older" and "newer" never depend on how fast a test runs.
BEGIN = datetime(2026, 3, 1, 9, tzinfo=UTC)


def day(number: int) -> str:
    """Return a moment ``number`` days after the beginning, as the wire writes it."""
    return (BEGIN + timedelta(days=number)).isoformat()


def problem(response: Any, status: int, code: str) -> dict[str, Any]:
    """Return the body of a problem document, after looking at everything each one must have."""
    assert response.status_code == status, response.content[:500]
    assert response["Content-Type"] == "application/problem+json"
    assert response["X-Request-ID"]
    body: dict[str, Any] = response.json()
    assert set(body) >= {"type", "title", "status", "detail", "code"}
    assert (body["status"], body["code"]) == (status, code)
    assert body["type"].endswith(code) and body["title"] and body["detail"]
    return body


def body_of(response: Any, status: int = 200) -> dict[str, Any]:
    """Return the JSON of an answer of this status."""
    assert response.status_code == status, response.content[:500]
    found: dict[str, Any] = response.json()
    return found


def open_session(api: Api, name: str = "chat 聊天", *, user_id: str = "alice") -> str:
    """Open a session of this name and return our id."""
    response = api("POST", "sessions", {"user_id": user_id, "session_id": name})
    assert response.status_code in (200, 201), response.content
    return str(response.json()["id"])


def tell(api: Api, *said: str | Mapping[str, Any], session: str | None = None) -> dict[str, Any]:
    """Hand over messages (plain text: the person's) and return the answer with its decisions."""
    messages = [{"role": "user", "content": one} if isinstance(one, str) else one for one in said]
    path = f"sessions/{session or open_session(api)}/messages?wait=true"
    return body_of(api("POST", path, {"messages": messages}))


def outcomes(answer: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """Return (outcome, reasons) of each decision in an answer to messages."""
    return [(one["outcome"], one["reasons"]) for one in answer["decisions"]]


def propose(api: Api, text: str, **fields: Any) -> dict[str, Any]:
    """Propose a memory and return the gate's answer, whatever it is."""
    response = api("POST", "memories", {"user_id": "alice", "text": text} | fields)
    assert response.status_code in (200, 201, 422), response.content[:500]
    body: dict[str, Any] = response.json()
    assert "outcome" in body, body
    return body


def recall(api: Api, query: str, **options: Any) -> dict[str, Any]:
    """Recall and return the answer."""
    return body_of(api("POST", "recall", {"user_id": "alice", "query": query} | options))


def texts(items: list[dict[str, Any]]) -> list[str]:
    """Return the texts of memories."""
    return [item["text"] for item in items]


def listed(api: Api, **query: Any) -> list[dict[str, Any]]:
    """Return the first page of a person's memories."""
    asked = "&".join(f"{name}={value}" for name, value in ({"user_id": "alice"} | query).items())
    found: list[dict[str, Any]] = body_of(api("GET", f"memories?{asked}"))["memories"]
    return found
