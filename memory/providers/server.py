"""A server that speaks OpenAI's protocol: one question, tried as often as it makes sense.

No error carries what was sent or what the server said, which may repeat it.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from memory.providers import deadline

# Seconds for a connection.
CONNECT = 3.0
# Tries of one question, and seconds before the second; the pause doubles from there. A server's own
# Retry-After counts up to the longest pause; who can wait longer finds it in the failure.
TRIES = 3
PAUSE = 0.25
LONGEST_PAUSE = 2.0
# Bytes of an answer. More is no answer to any question of ours.
MOST_BYTES = 32_000_000


class ServerFailure(Exception):
    """The server did not answer, or not so that it can be understood.

    ``status`` is its HTTP status, 0 without an answer; ``retry_after`` the seconds it asked for.
    """

    def __init__(self, said: str, *, status: int = 0, retry_after: float = 0.0) -> None:
        super().__init__(said)
        self.status = status
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    retry_after: float
    content: bytes


class ModelServer:
    """A server by its address. ``what`` it is stands in its failures; ``timeout`` is in seconds."""

    def __init__(self, *, base_url: str, api_key: str, timeout: float, what: str) -> None:
        self._what, self._timeout = what, timeout
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.Client(base_url=base_url, headers=headers)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Return the JSON that the server answers to ``body``.

        Busy (429) and failing (5xx) servers get `TRIES` tries in all. A timeout is not tried again:
        the caller has waited long enough.

        Raises:
            ServerFailure: without an answer of status 2xx that is JSON.
            OutOfTime: if nobody waits for the answer any more.
        """
        for pause in _pauses():
            answer = self._send(path, body)
            if httpx.codes.is_success(answer.status):
                return self._read(answer.content)
            if pause is None or not _worth_another_try(answer.status):
                break
            time.sleep(deadline.seconds_left(min(answer.retry_after or pause, LONGEST_PAUSE)))
        raise ServerFailure(
            f"{self._what} answered {answer.status}.",
            status=answer.status,
            retry_after=answer.retry_after,
        )

    def _send(self, path: str, body: dict[str, Any]) -> _Answer:
        seconds = deadline.seconds_left(self._timeout)
        until = time.monotonic() + seconds
        timeout = httpx.Timeout(seconds, connect=min(CONNECT, seconds))
        try:
            with self._client.stream("POST", path, json=body, timeout=timeout) as response:
                content = self._content(response, until)
        except httpx.HTTPError as error:
            deadline.check()
            raise ServerFailure(
                f"{self._what} cannot be reached ({type(error).__name__})."
            ) from error
        asked = response.headers.get("Retry-After", "")  # a date there is not read
        return _Answer(response.status_code, float(asked) if asked.isdecimal() else 0.0, content)

    def _content(self, response: httpx.Response, until: float) -> bytes:
        """Return the body; a server that sends it drop by drop gets no more time than another."""
        content = bytearray()
        for chunk in response.iter_bytes():
            content += chunk
            if len(content) > MOST_BYTES:
                raise ServerFailure(f"{self._what} does not stop answering.")
            if time.monotonic() > until:
                raise httpx.ReadTimeout("the whole answer took too long")
        return bytes(content)

    def _read(self, content: bytes) -> Any:
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise ServerFailure(f"{self._what}'s answer is not understood.") from error


def _pauses() -> Iterator[float | None]:
    """Seconds to wait after each failed try; None after the last."""
    yield from (PAUSE * 2**attempt for attempt in range(TRIES - 1))
    yield None


def _worth_another_try(status: int) -> bool:
    return status == httpx.codes.TOO_MANY_REQUESTS or httpx.codes.is_server_error(status)
