"""Faults on demand: embedder and model that fail or change, a database that is away, a hasty client."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import ClassVar, Never
from unittest.mock import patch

from django.conf import settings
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import override_settings

from memory.errors import EmbedderUnavailable
from memory.evaluation.scenarios.reply import Skipped
from memory.evaluation.scripted_model import Reply, ScriptedModel, running
from memory.index import store
from memory.providers.embedding import Embedder, Vectors, get_embedder, reset_embedder, unit

BUILD = f"{__name__}.build"
SLOW_SECONDS = 3
KNOWN = (
    "embedder_down",
    "embedder_slow",
    "vector_write_fail",
    "database_down",
    "client_timeout",
    "llm_slow",
    "llm_reply",
)
# How a story's conversations are read: by rules, by the configured model, by one that plays a part.
RULES, LLM, SCRIPTED = "rules", "llm", "scripted"


class Faults:
    """The switches of the story that runs now."""

    def __init__(self) -> None:
        self.on: set[str] = set()
        self.model = ""  # another embedding model of the same make, by name …
        self.shorter = False  # … whose vectors have half the numbers
        self._language_model: ScriptedModel | None = None
        self._stack = ExitStack()

    def switch(self, what: str, *, on: bool, replies: Sequence[str] = ()) -> None:
        """Turn one fault on or off; ``replies`` are what a model says next.

        Raises:
            Skipped: for a fault of a part that this version does not have.
        """
        if what not in KNOWN:
            raise Skipped(f"no fault {what!r} is known here")
        (self.on.add if on else self.on.discard)(what)
        if what == "llm_reply":
            self._scripted().replies = [Reply(said=one) for one in replies] if on else []
        if what == "llm_slow":
            self._scripted().pause = float(SLOW_SECONDS) if on else 0.0

    def _scripted(self) -> ScriptedModel:
        """Return the model that plays a part; it reads the rest of the story."""
        if self._language_model is None:
            self._language_model = self._stack.enter_context(running())
            self._stack.enter_context(patch.dict(os.environ, NO_PROXY="127.0.0.1"))
            self._stack.enter_context(
                override_settings(
                    EXTRACTOR=LLM,
                    LLM_BASE_URL=self._language_model.base_url,
                    LLM_MODEL=SCRIPTED,
                    LLM_API_KEY="",
                    LLM_EXTRACTION_MODEL="",
                )
            )
        return self._language_model

    @contextmanager
    def reading(self, extractor: str) -> Iterator[None]:
        """Read the story's conversations by this extractor; what it started ends with the story."""
        with self._stack:
            if extractor == SCRIPTED:
                self._scripted()
            else:
                self._stack.enter_context(override_settings(EXTRACTOR=extractor))
            yield

    @contextmanager
    def around_a_request(self) -> Iterator[None]:
        """Let the faults that happen between service and database happen."""
        with ExitStack() as stack:
            if "database_down" in self.on:
                stack.enter_context(patch.object(BaseDatabaseWrapper, "cursor", _away))
            if "vector_write_fail" in self.on:
                stack.enter_context(patch.object(store, "_add_vectors", _away))
            yield


def _away(*_args: object, **_kwargs: object) -> Never:
    raise OperationalError("The database is away (a fault of the story).")


class FaultyEmbedder:
    """The configured embedder, until a switch says otherwise."""

    inner: ClassVar[Embedder | None] = None
    faults: ClassVar[Faults] = Faults()

    @property
    def _embedder(self) -> Embedder:
        assert self.inner is not None, "built outside of `faulty`"
        return self.inner

    @property
    def id(self) -> int:
        """Another model is another id."""
        named = f"{self.faults.model} {self.dim}".encode()
        changed = sum(named) % 100 + 1 if self.faults.model else 0
        return self._embedder.id + changed

    @property
    def name(self) -> str:
        """The model's name."""
        return self.faults.model or self._embedder.name

    @property
    def dim(self) -> int:
        """Numbers in a vector."""
        return self._embedder.dim // 2 if self.faults.shorter else self._embedder.dim

    @property
    def calibrated(self) -> bool:
        """A model nobody measured has no calibration."""
        return self._embedder.calibrated and not self.faults.model

    def query(self, texts: Sequence[str]) -> Vectors:
        """Answer as the embedder does, unless a fault is on."""
        self._suffer()
        return self._cut(self._embedder.query(texts))

    def passage(self, texts: Sequence[str]) -> Vectors:
        """Answer as the embedder does, unless a fault is on."""
        self._suffer()
        return self._cut(self._embedder.passage(texts))

    def _cut(self, vectors: Vectors) -> Vectors:
        return unit(vectors[:, : self.dim]) if self.faults.shorter else vectors

    def _suffer(self) -> None:
        if "embedder_down" in self.faults.on:
            raise EmbedderUnavailable("The embedder is away (a fault of the story).")
        if "embedder_slow" in self.faults.on:
            time.sleep(SLOW_SECONDS)


def build() -> FaultyEmbedder:
    """Return the embedder of a run (``EMBEDDER`` is set to this function for its length)."""
    return FaultyEmbedder()


@contextmanager
def faulty() -> Iterator[None]:
    """Put the switchable embedder in front of the configured one, for the length of a run."""
    if settings.EMBEDDER == BUILD:
        yield
        return
    FaultyEmbedder.inner = get_embedder()
    try:
        with override_settings(EMBEDDER=BUILD):
            reset_embedder()
            yield
    finally:
        FaultyEmbedder.inner = None
        reset_embedder()
