"""An embedder behind any server that speaks OpenAI's ``POST /embeddings``.

Its cosines are the model's own: uncalibrated, so a policy made for it has its own thresholds. The
texts leave this machine for that server. The model's name and dimension make the ``id``, not the
address: a server may move without every vector being made again, but a server that puts another
model under the same name must get a new name here.
"""

import time
import zlib
from collections.abc import Iterator, Sequence
from itertools import batched
from typing import Any

import httpx
import numpy as np
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from memory.errors import EmbedderUnavailable
from memory.providers.embedding import Vectors, prepared, unit

# Ids below are for embedders of our own; the rest of a smallint is shared out by a checksum.
FIRST_ID = 1_000
LAST_ID = 32_767

# Characters of one text. Common models read 512 to 8,192 tokens and many servers refuse more.
MAX_CHARS = 4_000
BATCH = 64

# Seconds. A recall waits for this; a server that needs longer counts as absent.
TIMEOUT = httpx.Timeout(10.0, connect=3.0)
# Tries of one batch, and seconds before the second; the pause doubles from there. A server's own
# Retry-After counts up to the longest pause.
TRIES = 3
PAUSE = 0.25
LONGEST_PAUSE = 2.0


class EndpointEmbedder:
    """Vectors from a server; see the module's docstring."""

    calibrated = False

    def __init__(
        self,
        *,
        base_url: str,
        model: str,
        dim: int,
        api_key: str = "",
        timeout: httpx.Timeout = TIMEOUT,
    ) -> None:
        self.id = endpoint_id(model=model, dim=dim)
        self.name = model
        self.dim = dim
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.Client(base_url=base_url, headers=headers, timeout=timeout)

    def query(self, texts: Sequence[str]) -> Vectors:
        """See `memory.providers.embedding.Embedder.query`."""
        return self._embed(texts)

    def passage(self, texts: Sequence[str]) -> Vectors:
        """See `memory.providers.embedding.Embedder.passage`; the same vectors as `query` here."""
        return self._embed(texts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        ready = [prepared(text, limit=MAX_CHARS) for text in texts]
        rows = [self._batch(list(batch)) for batch in batched(ready, BATCH, strict=False)]
        return unit(np.concatenate(rows)) if rows else np.empty((0, self.dim), np.float32)

    def _batch(self, texts: list[str]) -> Vectors:
        """One request's vectors in the order of ``texts``, as the server sent them."""
        response = self._post({"model": self.name, "input": texts, "encoding_format": "float"})
        try:
            vectors = _read(response.json(), count=len(texts))
        except (ValueError, KeyError, TypeError) as error:
            raise EmbedderUnavailable("The embedding server's answer is not understood.") from error
        if vectors.shape[1:] != (self.dim,):
            raise EmbedderUnavailable(
                f"The embedding server does not answer with EMBEDDING_DIM={self.dim} numbers."
            )
        if not np.isfinite(vectors).all() or not vectors.any(axis=1).all():
            raise EmbedderUnavailable("The embedding server sent a vector without direction.")
        return vectors

    def _post(self, body: dict[str, Any]) -> httpx.Response:
        """Send ``body``; busy (429) and failing (5xx) servers get `TRIES` tries in all.

        A timeout is not tried again: the caller has waited long enough, and lexical search still works.
        No error carries the texts or the server's words, which may repeat them.
        """
        for pause in _pauses():
            try:
                response = self._client.post("embeddings", json=body)
            except httpx.HTTPError as error:
                raise EmbedderUnavailable(
                    f"The embedding server cannot be reached ({type(error).__name__})."
                ) from error
            if response.is_success:
                return response
            if pause is None or not _worth_another_try(response):
                break
            time.sleep(_asked_pause(response, otherwise=pause))
        raise EmbedderUnavailable(f"The embedding server answered {response.status_code}.")


def build() -> EndpointEmbedder:
    """The endpoint of the settings ``EMBEDDING_*``; `ImproperlyConfigured` without URL and model."""
    if not settings.EMBEDDING_BASE_URL or not settings.EMBEDDING_MODEL:
        raise ImproperlyConfigured(
            "EMBEDDER=openai-compatible needs EMBEDDING_BASE_URL and EMBEDDING_MODEL."
        )
    try:
        return EndpointEmbedder(
            base_url=settings.EMBEDDING_BASE_URL,
            model=settings.EMBEDDING_MODEL,
            dim=settings.EMBEDDING_DIM,
            api_key=settings.EMBEDDING_API_KEY,
        )
    except httpx.InvalidURL as error:
        raise ImproperlyConfigured(f"EMBEDDING_BASE_URL: {error}") from error


def endpoint_id(*, model: str, dim: int) -> int:
    """The smallint of an endpoint's vectors: the same for the same model and dimension, everywhere."""
    return FIRST_ID + zlib.crc32(f"{model} {dim}".encode()) % (LAST_ID - FIRST_ID + 1)


def _read(answer: Any, *, count: int) -> Vectors:
    """The vectors in an answer, shape ``(count, dim)``; raises for anything of another form."""
    data = sorted(answer["data"], key=lambda item: int(item["index"]))
    if [item["index"] for item in data] != list(range(count)):
        raise ValueError("other texts than those sent")
    return np.array([item["embedding"] for item in data], dtype=np.float32)


def _pauses() -> Iterator[float | None]:
    """Seconds to wait after each failed try; None after the last."""
    yield from (PAUSE * 2**attempt for attempt in range(TRIES - 1))
    yield None


def _worth_another_try(response: httpx.Response) -> bool:
    return response.status_code == httpx.codes.TOO_MANY_REQUESTS or response.is_server_error


def _asked_pause(response: httpx.Response, *, otherwise: float) -> float:
    """What ``Retry-After`` asks for, in seconds and within bounds; a date there is not read."""
    asked = response.headers.get("Retry-After", "")
    return min(float(asked), LONGEST_PAUSE) if asked.isdecimal() else otherwise
