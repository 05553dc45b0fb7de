"""Export: complete, one person's alone, after the password, and written down."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEvent
from accounts.principal import Principal
from memory.errors import Forbidden
from memory.models import Memory
from memory.transfer import export as exporting
from tests.cast import BOB, Cast, principal_of, remember
from tests.dashboard.conftest import PASSWORD

TEXT, ERASED = "I keep my bicycle in the red shed", "I rent a garage by the harbour"


def download(client: Client) -> dict[str, Any]:
    answer = client.post(reverse("export"), {"password": PASSWORD})
    assert answer.status_code == 200 and answer["Cache-Control"] == "no-store"
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"].startswith('attachment; filename="keepsake-')
    body: dict[str, Any] = json.loads(b"".join(answer))
    return body


def test_it_is_complete(alice: Client, put: Callable[..., Memory], cast: Cast) -> None:
    memory, gone = put(TEXT), put(ERASED)
    remember(principal_of(cast.keys["colleague"], BOB), "I collect stamps from Lisbon")
    address = reverse("memory-edit", args=[memory.id])
    alice.post(address, {"text": "I keep my bicycle in the blue shed", "version": "1"})
    alice.post(reverse("memory-erase", args=[gone.id]))
    body = download(alice)
    assert (body["format"], body["format_version"]) == ("keepsake.export", 1)
    assert body["person"]["user_id"] == "alice"
    (one,) = body["memories"]
    assert one["id"] == str(memory.id) and one["state"] == "active"
    assert [version["text"] for version in one["versions"]] == [
        TEXT,
        "I keep my bicycle in the blue shed",
    ]
    assert one["decisions"][0]["outcome"] == "accepted"
    assert {"sessions", "decisions", "suppressions"} < set(body)
    assert "harbour" not in json.dumps(body) and "stamps" not in json.dumps(body)
    line = AuditEvent.objects.get(code="data.exported")
    assert (line.subject_id, line.result_count) == (cast.alice.id, 1)


def test_nothing_is_lost_between_batches(
    alice: Client, put: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "BATCH", 2)
    places = ("Oslo", "Lima", "Quito", "Accra", "Hanoi")
    ids = {str(put(f"I once spent a winter in {place}").id) for place in places}
    assert {one["id"] for one in download(alice)["memories"]} == ids


def test_a_wrong_password_gets_nothing(alice: Client, put: Callable[..., Memory]) -> None:
    put(TEXT)
    answer = alice.post(reverse("export"), {"password": "wrong"})
    assert answer.status_code == 422 and "This is not your password." in answer.content.decode()
    assert not AuditEvent.objects.filter(code="data.exported").exists()


def test_an_agent_exports_nothing(agent: Principal) -> None:
    with pytest.raises(Forbidden):
        exporting.export(agent)
