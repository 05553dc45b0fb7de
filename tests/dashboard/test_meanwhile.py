"""A memory that is erased between the reading of its row and of its key is no fault of the page."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEvent
from memory.forget import fence
from memory.models import Memory
from memory.vault import Vault
from tests.cast import Api, Cast, principal_of
from tests.dashboard.conftest import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)
WORD, KEPT = "青花瓷 blue teapot", "My kite is called 大鹏"


@pytest.fixture
def erasing(monkeypatch: pytest.MonkeyPatch, cast: Cast) -> Callable[[Memory], None]:
    """Return what lets a memory be erased the next time that keys are asked for."""
    real = Vault.load

    def let(memory: Memory) -> None:
        def erase() -> None:
            fence.erase(principal_of(cast.keys["alice"], "alice"), memory.id)
            connections.close_all()

        waiting = [threading.Thread(target=erase)]

        def load(vault: Vault, object_ids: Iterable[uuid.UUID]) -> None:
            wanted = list(object_ids)
            if waiting and memory.id in wanted:
                thread = waiting.pop()
                thread.start()
                thread.join(20)
            real(vault, wanted)

        monkeypatch.setattr(Vault, "load", load)

    return let


@pytest.mark.parametrize("path", ["memories", "overview"])
def test_a_page_is_made_anew_without_it(
    alice: Client, put: Callable[..., Memory], erasing: Callable[[Memory], None], path: str
) -> None:
    put(KEPT)
    erasing(put(WORD))
    answer = alice.get(reverse(path))
    assert AuditEvent.objects.filter(code="erasure.fenced").count() == 1
    assert answer.status_code == 200
    assert KEPT in answer.content.decode() and WORD not in answer.content.decode()


def test_its_own_page_is_not_there(
    alice: Client, put: Callable[..., Memory], erasing: Callable[[Memory], None]
) -> None:
    memory = put(WORD)
    erasing(memory)
    answer = alice.get(reverse("memory", args=[memory.id]))
    assert answer.status_code == 404 and WORD not in answer.content.decode()


@pytest.mark.parametrize("by", ["page", "call"])
def test_an_export_goes_on_without_it(
    alice: Client,
    put: Callable[..., Memory],
    erasing: Callable[[Memory], None],
    cast: Cast,
    by: str,
) -> None:
    put(KEPT)
    erasing(put(WORD))
    answer: Any
    if by == "page":
        answer = alice.post(reverse("export"), {"format": "json", "password": PASSWORD})
    else:
        answer = Api(cast.keys["alice"])("GET", f"users/{cast.alice.id}/export")
    said = json.loads(b"".join(answer))
    assert [one["versions"][0]["text"] for one in said["memories"]] == [KEPT]


def test_what_never_opens_is_said_to_be_erased(
    alice: Client, put: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any key there is nothing to show, and no fault of the server's either."""
    put(WORD)
    monkeypatch.setattr("memory.vault.SubjectVault._stored", lambda *_: [])
    assert alice.get(reverse("memories")).status_code == 404
