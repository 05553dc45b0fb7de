"""A language model for tests: a real local server that speaks the chat protocol, and the settings to it.

``with language_model() as model:`` the service reads conversations with it. What it says next stands in
``model.replies``; with nothing there it says what the rules would find. ``model.requests`` is what it
was asked.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.test import override_settings

from memory.evaluation.scripted_model import ScriptedModel, running
from memory.providers import server

KEY = "sk-not-for-logs"


@contextmanager
def language_model() -> Iterator[ScriptedModel]:
    """Serve a model, and let the service read conversations with it."""
    with pytest.MonkeyPatch.context() as patch, running() as model:
        patch.setenv("NO_PROXY", "127.0.0.1")
        patch.setattr(server, "PAUSE", 0.01)
        with override_settings(
            EXTRACTOR="llm",
            LLM_BASE_URL=model.base_url,
            LLM_MODEL="small",
            LLM_API_KEY=KEY,
            LLM_EXTRACTION_MODEL="",
        ):
            yield model
