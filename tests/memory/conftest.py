"""Who speaks in the tests over HTTP, where a test names nobody else."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.cast import Api, Cast


@pytest.fixture
def api(cast: Cast) -> Api:
    """Alice's agent, cleared up to level 20."""
    return Api(cast.keys["assistant"])


@pytest.fixture
def person(cast: Cast) -> Api:
    """Alice."""
    return Api(cast.keys["alice"])


@pytest.fixture
def shipped_embedder(cast: Cast, settings: Settings) -> Iterator[None]:
    """Search with the default embedder; after `cast`, whose own embedder is put back last."""
    from memory.providers.embedding import reset_embedder

    settings.EMBEDDER = "e5s-use-896"
    reset_embedder()
    yield
    reset_embedder()
