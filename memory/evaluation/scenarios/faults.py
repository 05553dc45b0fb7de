"""Faults on demand: an embedder that fails or changes, a database that is away, a hasty client."""

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
from memory.index import store
from memory.providers.embedding import Embedder, Vectors, get_embedder, reset_embedder

BUILD = f"{__name__}.build"
SLOW_SECONDS = 3
KNOWN = (
    "embedder_down",
    "embedder_slow",
    "vector_write_fail",
    "database_down",
    "client_timeout",
)
NEED_MODEL = ("llm_slow", "llm_reply")


class Faults:
    """The switches of the story that runs now."""

    def __init__(self) -> None:
        self.on: set[str] = set()
        self.model = ""  # another embedding model of the same make, by name

    def switch(self, what: str, *, on: bool) -> None:
        """Turn one fault on or off.

        Raises:
            Skipped: for a fault of a part that this version does not have.
        """
        if what in NEED_MODEL:
            raise Skipped("no extractor that asks a model is offered yet")
        if what not in KNOWN:
            raise Skipped(f"no fault {what!r} is known here")
        (self.on.add if on else self.on.discard)(what)

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
        changed = sum(self.faults.model.encode()) % 100 + 1 if self.faults.model else 0
        return self._embedder.id + changed

    @property
    def name(self) -> str:
        """The model's name."""
        return self.faults.model or self._embedder.name

    @property
    def dim(self) -> int:
        """Numbers in a vector."""
        return self._embedder.dim

    @property
    def calibrated(self) -> bool:
        """A model nobody measured has no calibration."""
        return self._embedder.calibrated and not self.faults.model

    def query(self, texts: Sequence[str]) -> Vectors:
        """Answer as the embedder does, unless a fault is on."""
        self._suffer()
        return self._embedder.query(texts)

    def passage(self, texts: Sequence[str]) -> Vectors:
        """Answer as the embedder does, unless a fault is on."""
        self._suffer()
        return self._embedder.passage(texts)

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
