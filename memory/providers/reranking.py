"""A reranker reads the question and a text together, and says how well the text answers it.

It sees more than two vectors that were made apart, and is slower, so it only puts the few that passed
in order. Off by default: none is offline. Two dialects of ``POST /rerank`` are spoken: that of Cohere,
Jina, vLLM, Infinity and llama.cpp, and that of Hugging Face's text-embeddings-inference.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

import httpx
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from memory.errors import RerankerUnavailable
from memory.providers.embedding import prepared
from memory.providers.server import ModelServer, ServerFailure

# Characters of a text, and of a question. Common models read 512 tokens of both together.
MAX_CHARS = 2_000

# Seconds. A recall waits for this; a server that needs longer counts as absent.
TIMEOUT = 3.0


class Reranker(Protocol):
    """Question and texts to scores. Safe to call from several threads."""

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers, in the order of ``texts``; higher is better, on any scale.

        Raises `RerankerUnavailable` when it cannot answer now.
        """
        ...


# Setting RERANKER -> the function that builds it, by path; a path of your own may stand there too.
RERANKERS: dict[str, str] = {
    "cohere-compatible": "memory.providers.reranking.build_cohere",
    "tei": "memory.providers.reranking.build_tei",
}


def get_reranker() -> Reranker | None:
    """The reranker of the setting ``RERANKER``; None if there is none.

    Raises `ImproperlyConfigured` for a name nobody knows or an incomplete endpoint.
    """
    name = settings.RERANKER
    if not name:
        return None
    path = RERANKERS.get(name, name)
    if "." not in path:
        raise ImproperlyConfigured(
            f"RERANKER={name!r} is unknown. Known are: {', '.join(RERANKERS)}"
        )
    return cast("Callable[[], Reranker]", import_string(path))()


class EndpointReranker:
    """Scores from a server. ``texts_are`` is what it calls the texts: ``documents`` or ``texts``."""

    def __init__(
        self,
        *,
        base_url: str,
        model: str,
        texts_are: str,
        api_key: str = "",
        timeout: float = TIMEOUT,
    ) -> None:
        self._model, self._texts_are = model, texts_are
        self._server = ModelServer(
            base_url=base_url, api_key=api_key, timeout=timeout, what="The reranker"
        )

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """See `Reranker.scores`."""
        if not texts:
            return []
        body: dict[str, Any] = {
            "query": prepared(question, limit=MAX_CHARS),
            self._texts_are: [prepared(text, limit=MAX_CHARS) for text in texts],
        }
        if self._model:
            body["model"] = self._model
        try:
            answer = self._server.post("rerank", body)
        except ServerFailure as error:
            raise RerankerUnavailable(str(error)) from error
        try:
            return _read(answer, count=len(texts))
        except (ValueError, KeyError, TypeError) as error:
            raise RerankerUnavailable("The reranker's answer is not understood.") from error


def _read(answer: Any, *, count: int) -> list[float]:
    """The scores in an answer of either dialect; raises for anything of another form."""
    rows = answer if isinstance(answer, list) else answer["results"]
    found = {
        int(row["index"]): float(row["score"] if "score" in row else row["relevance_score"])
        for row in rows
    }
    if sorted(found) != list(range(count)):
        raise ValueError("other texts than those sent")
    if not all(math.isfinite(score) for score in found.values()):
        raise ValueError("a score that is no number")
    return [found[position] for position in range(count)]


def build_cohere() -> EndpointReranker:
    """The endpoint of the settings ``RERANKER_*`` in the dialect of Cohere and Jina."""
    if not settings.RERANKER_MODEL:
        raise ImproperlyConfigured("RERANKER=cohere-compatible needs RERANKER_MODEL.")
    return _build("documents")


def build_tei() -> EndpointReranker:
    """The same in the dialect of text-embeddings-inference, whose server has one model."""
    return _build("texts")


def _build(texts_are: str) -> EndpointReranker:
    if not settings.RERANKER_BASE_URL:
        raise ImproperlyConfigured("A reranker needs RERANKER_BASE_URL.")
    try:
        return EndpointReranker(
            base_url=settings.RERANKER_BASE_URL,
            model=settings.RERANKER_MODEL,
            texts_are=texts_are,
            api_key=settings.RERANKER_API_KEY,
        )
    except httpx.InvalidURL as error:
        raise ImproperlyConfigured(f"RERANKER_BASE_URL: {error}") from error
