"""Who speaks in the tests over HTTP, where a test names nobody else."""

import pytest

from tests.cast import Api, Cast


@pytest.fixture
def api(cast: Cast) -> Api:
    """Alice's agent, cleared up to level 20."""
    return Api(cast.keys["assistant"])


@pytest.fixture
def person(cast: Cast) -> Api:
    """Alice."""
    return Api(cast.keys["alice"])
