"""What is written into the log of what went wrong: types and places, no words."""

import pytest

from config.celery import app

CANARY = "quokkaberry 金丝雀"


def test_a_failed_task_is_logged_without_what_its_exception_says(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @app.task(name="tests.fails", shared=False)
    def fails() -> None:
        raise ValueError(CANARY)

    try:
        assert fails.apply().failed()
    finally:
        app.tasks.unregister("tests.fails")
    (line,) = [one for one in caplog.records if one.name == "celery.app.trace"]
    assert "tests.fails" in line.getMessage() and "ValueError" in line.getMessage()
    assert "quokkaberry" not in line.getMessage() and "金丝雀" not in line.getMessage()
