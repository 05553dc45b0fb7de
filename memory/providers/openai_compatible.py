"""An embedder behind any server that speaks OpenAI's ``POST /embeddings``.

Its cosines are the model's own: what they mean is measured by ``manage.py calibrate``. The
texts leave this machine for that server. The model's name and dimension make the ``id``, not the
address: a server may move without every vector being made again, but a server that puts another
model under the same name must get a new name here.
"""

import zlib
from collections.abc import Sequence
from itertools import batched
from typing import Any

import httpx
import numpy as np
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from memory.errors import EmbedderUnavailable
from memory.measuring import Step, step
from memory.providers.embedding import Vectors, prepared, unit
from memory.providers.server import ModelServer, ServerFailure

# Ids below are for embedders of our own; the rest of a smallint is shared out by a checksum.
FIRST_ID = 1_000
LAST_ID = 32_767

# Characters of one text. Common models read 512 to 8,192 tokens and many servers refuse more.
MAX_CHARS = 4_000
BATCH = 64

# Seconds. A recall waits for this; a server that needs longer counts as absent.
TIMEOUT = 10.0


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
        timeout: float = TIMEOUT,
    ) -> None:
        self.id = endpoint_id(model=model, dim=dim)
        self.name = model
        self.dim = dim
        self._server = ModelServer(
            base_url=base_url, api_key=api_key, timeout=timeout, what="The embedding server"
        )

    def query(self, texts: Sequence[str]) -> Vectors:
        """See `memory.providers.embedding.Embedder.query`."""
        with step(Step.EMBED_QUERY):
            return self._embed(texts)

    def passage(self, texts: Sequence[str]) -> Vectors:
        """See `memory.providers.embedding.Embedder.passage`; the same vectors as `query` here."""
        with step(Step.EMBED_PASSAGE):
            return self._embed(texts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        ready = [prepared(text, limit=MAX_CHARS) for text in texts]
        rows = [self._batch(list(batch)) for batch in batched(ready, BATCH, strict=False)]
        return unit(np.concatenate(rows)) if rows else np.empty((0, self.dim), np.float32)

    def _batch(self, texts: list[str]) -> Vectors:
        """One request's vectors in the order of ``texts``, as the server sent them."""
        body = {"model": self.name, "input": texts, "encoding_format": "float"}
        try:
            answer = self._server.post("embeddings", body)
        except ServerFailure as error:
            raise EmbedderUnavailable(str(error)) from error
        try:
            vectors = _read(answer, count=len(texts))
        except (ValueError, KeyError, TypeError) as error:
            raise EmbedderUnavailable("The embedding server's answer is not understood.") from error
        if vectors.shape[1:] != (self.dim,):
            raise EmbedderUnavailable(
                f"The embedding server does not answer with EMBEDDING_DIM={self.dim} numbers."
            )
        if not np.isfinite(vectors).all() or not vectors.any(axis=1).all():
            raise EmbedderUnavailable("The embedding server sent a vector without direction.")
        return vectors


def build() -> EndpointEmbedder:
    """The endpoint of the settings ``EMBEDDING_*``; `ImproperlyConfigured` without URL and model."""
    return _build(model=settings.EMBEDDING_MODEL, dim=settings.EMBEDDING_DIM)


def build_former() -> EndpointEmbedder:
    """The same endpoint with the model of ``EMBEDDING_MODEL_BEFORE``, if that was another."""
    return _build(
        model=settings.EMBEDDING_MODEL_BEFORE or settings.EMBEDDING_MODEL,
        dim=settings.EMBEDDING_DIM_BEFORE or settings.EMBEDDING_DIM,
    )


def _build(*, model: str, dim: int) -> EndpointEmbedder:
    if not settings.EMBEDDING_BASE_URL or not model:
        raise ImproperlyConfigured(
            "EMBEDDER=openai-compatible needs EMBEDDING_BASE_URL and EMBEDDING_MODEL."
        )
    try:
        return EndpointEmbedder(
            base_url=settings.EMBEDDING_BASE_URL,
            model=model,
            dim=dim,
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
