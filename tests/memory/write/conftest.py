"""A language model for the tests of reading."""

from collections.abc import Iterator

import pytest

from memory.evaluation.scripted_model import ScriptedModel
from tests.language_model import language_model


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    """A model that says what it is told to."""
    with language_model() as running:
        yield running
