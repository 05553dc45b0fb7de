"""The queue and the workers on the console's first page: counted where they answer, said where they do not."""

from __future__ import annotations

import html
import re
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from celery import current_app
from celery.contrib.testing.worker import start_worker
from django.test import Client

from memory.operations.broker import broker

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])


@contextmanager
def configured(**values: str) -> Iterator[None]:
    """Give Celery other settings for a while."""
    conf = current_app.conf
    before = {name: getattr(conf, name) for name in values}
    conf.update(values)
    try:
        yield
    finally:
        conf.update(before)


@pytest.fixture
def queue() -> Iterator[str]:
    """A queue of this test's own, with two messages in it."""
    name = f"test {uuid.uuid4()}"
    with configured(task_default_queue=name), current_app.connection_for_write() as link:
        channel: Any = link.default_channel
        client = channel.client
        client.rpush(name, "one", "two")
        yield name
        client.delete(name)


def first_page(operator: Client) -> str:
    page = re.sub(r"<[^>]+>", "", operator.get("/admin/").content.decode())
    return html.unescape(re.sub(r"\s+", " ", page))


def test_messages_are_counted_and_no_worker_is_said(operator: Client, queue: str) -> None:
    text = first_page(operator)
    assert "Messages in the broker 2 " in text
    assert "Workers that answer none – look" in text
    assert queue not in text


def test_a_worker_that_answers_is_named(operator: Client) -> None:
    with start_worker(current_app, perform_ping_check=False, pool="solo", shutdown_timeout=30):
        until = time.monotonic() + 30
        while not (found := broker().workers) and time.monotonic() < until:
            time.sleep(0.1)
        assert len(found) == 1
        assert f"Workers that answer 1: {found[0]} " in first_page(operator)


def test_a_broker_that_is_away_is_said_soon(operator: Client) -> None:
    nowhere = "redis+socket:///nowhere/valkey.sock"
    with configured(broker_url=nowhere, broker_read_url=nowhere):
        begun = time.monotonic()
        assert broker().waiting is None and not broker().workers
        assert time.monotonic() - begun < 10
        assert "Messages in the broker not reachable – look" in first_page(operator)
