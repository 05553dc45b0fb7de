"""Correcting, with an edit conflict; adding by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.acting import acting
from accounts.principal import Principal
from dashboard.words import STATES
from memory.models import Memory
from tests.cast import Cast, system_of
from tests.dashboard.conftest import PART, recalled

BEFORE, AFTER, THEIRS = (
    "I live in Hangzhou near the lake",
    "I live in Shanghai near the river",
    "I live in Suzhou near the canal",
)


@pytest.fixture
def memory(put: Callable[..., Memory]) -> Memory:
    return put(BEFORE)


def edit(client: Client, memory: Memory, text: str, version: object, **options: object) -> object:
    address = reverse("memory-edit", args=[memory.id])
    return client.post(address, {"text": text, "version": str(version)}, **options)  # type: ignore[arg-type]


def test_agents_get_the_new_wording_at_once(
    alice: Client, agent: Principal, memory: Memory
) -> None:
    answer = edit(alice, memory, AFTER, 1, follow=True)
    text = answer.content.decode()  # type: ignore[attr-defined]
    assert "Saved as version 2. Agents get the new wording from now on." in text
    found = recalled(agent, "Do I live near the river in Shanghai or in Hangzhou?")
    assert AFTER in found and BEFORE not in found


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "Saved as version 2. It is kept. No agent can use it."),
        ("zh-hans", "已保存为版本2。内容保留，任何智能体都不能使用。"),
    ],
)
def test_of_what_is_paused_no_agent_gets_the_new_wording(
    alice: Client, agent: Principal, memory: Memory, language: str, says: str
) -> None:
    alice.cookies["django_language"] = language
    alice.post(reverse("memory-pause", args=[memory.id]))
    answer = edit(alice, memory, AFTER, 1, follow=True)
    assert says in answer.content.decode()  # type: ignore[attr-defined]
    assert AFTER not in recalled(agent, "Do I live near the river in Shanghai?")


@pytest.mark.parametrize("state", ["pending", "disputed"])
def test_of_what_waits_no_agent_gets_the_new_wording(
    alice: Client, cast: Cast, memory: Memory, state: str
) -> None:
    with acting(system_of(cast.alice)):
        Memory.objects.filter(id=memory.id).update(state=state)
    text = edit(alice, memory, AFTER, 1, follow=True).content.decode()  # type: ignore[attr-defined]
    assert f"Saved as version 2. {STATES[state].says}" in text and "from now on" not in text


def test_the_form_holds_the_wording_and_its_version(alice: Client, memory: Memory) -> None:
    text = alice.get(reverse("memory-edit", args=[memory.id])).content.decode()
    assert f"hx-ignore>{BEFORE}</textarea>" in text
    assert '<input type="hidden" name="version" value="1">' in text


def test_a_change_meanwhile_shows_three_wordings(alice: Client, memory: Memory) -> None:
    edit(alice, memory, THEIRS, 1)
    answer = edit(alice, memory, AFTER, 1)
    text = answer.content.decode()  # type: ignore[attr-defined]
    assert answer.status_code == 409  # type: ignore[attr-defined]
    assert "This memory changed while you were editing" in text
    for wording in (BEFORE, AFTER, THEIRS):
        assert f">{wording}</p>" in text
    assert '<input type="hidden" name="version" value="2">' in text
    again = edit(alice, memory, AFTER, 2, follow=True)
    assert "Saved as version 3." in again.content.decode()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("  ", "Write what agents should remember."),
        ("a" * 4001, "This is too long. The most is 4000 characters."),
        ("sk-proj-" + "Ab3dE6gH9jK2mN5pQ8sT" * 3, "This can&#x27;t be kept"),
    ],
)
def test_what_cannot_be_kept_is_said_at_the_field(
    alice: Client, memory: Memory, text: str, says: str
) -> None:
    for headers in ({}, PART):
        answer = edit(alice, memory, text, 1, headers=headers)
        page = answer.content.decode()  # type: ignore[attr-defined]
        assert answer.status_code == 422 and says in page  # type: ignore[attr-defined]
        assert 'aria-invalid="true"' in page and f"err-{memory.id}" in page


def test_a_double_is_refused_at_the_field(
    alice: Client, memory: Memory, put: Callable[..., Memory]
) -> None:
    put(THEIRS, attribute="other.place")
    answer = edit(alice, memory, THEIRS, 1)
    assert answer.status_code == 422  # type: ignore[attr-defined]
    assert "Another memory already says exactly this." in answer.content.decode()  # type: ignore[attr-defined]


def test_a_nonsense_version_is_a_conflict_not_a_crash(alice: Client, memory: Memory) -> None:
    for version in ("", "x", "9" * 40, "-1", "²"):
        assert edit(alice, memory, AFTER, version).status_code == 409  # type: ignore[attr-defined]


def test_with_htmx_the_row_becomes_the_form_and_back(alice: Client, memory: Memory) -> None:
    address = reverse("memory-edit", args=[memory.id])
    form = alice.get(address, headers=PART).content.decode()
    assert (
        form.strip().startswith("<li") and f'hx-post="{address}"' in form and "data-focus" in form
    )
    row = edit(alice, memory, AFTER, 1, headers=PART).content.decode()  # type: ignore[attr-defined]
    assert AFTER in row and "Saved as version 2." in row and "<html" not in row
    back = alice.get(reverse("memory", args=[memory.id]), headers=PART).content.decode()
    assert back.strip().startswith("<li") and AFTER in back


def test_a_memory_typed_in_is_used(alice: Client, agent: Principal, db: None) -> None:
    text = "I take the night train to Vienna in May"
    answer = alice.post(reverse("memory-new"), {"text": text}, follow=True)
    assert "Saved. Agents you allow can use it now." in answer.content.decode()
    assert text in recalled(agent, "Do I take the night train to Vienna in May?")
    again = alice.post(reverse("memory-new"), {"text": text}, follow=True)
    assert "This is known already." in again.content.decode()


def test_a_password_typed_in_is_refused_in_words(alice: Client) -> None:
    answer = alice.post(reverse("memory-new"), {"text": "sk-proj-" + "Ab3dE6gH9jK2mN5pQ8sT" * 3})
    assert answer.status_code == 422
    assert "This was not saved:" in answer.content.decode()
