"""What must not be learnt again comes back by no door, until the person lifts it."""

import uuid
from typing import Any

import pytest

from accounts.acting import acting
from accounts.models import AuditEvent
from memory.choices import SuppressionBasis
from memory.forget.suppressions import suppress
from memory.reviews import forgetting, many
from memory.sessions.sources import unlearn_source
from memory.text.normalise import fold
from memory.vault import open_vault
from tests.cast import Api, Cast, principal_of, system_of
from tests.memory.wire import body_of, listed, problem, propose, tell


def unwanted(cast: Cast, basis: SuppressionBasis, what: str) -> None:
    with acting(system_of(cast.alice)) as principal:
        vault = open_vault(principal)
        text = fold(what) if basis == SuppressionBasis.WORDING else what
        suppress(vault, basis, vault.digest(f"suppress {basis}", text))


@pytest.mark.parametrize(
    ("before", "after", "basis", "what"),
    [
        ("Plays the oboe", "Plays the tuba", SuppressionBasis.WORDING, "Plays the tuba"),
        ("喜欢吹双簧管", "喜欢吹大号", SuppressionBasis.WORDING, "喜欢吹大号"),
    ],
)
@pytest.mark.parametrize("caller", ["assistant", "alice"])
def test_it_is_not_learnt_as_the_correction_of_something_else(
    api: Api, cast: Cast, before: str, after: str, basis: SuppressionBasis, what: str, caller: str
) -> None:
    """A correction did not ask what the person wants forgotten."""
    memory = propose(api, before)["id"]
    unwanted(cast, basis, what)
    by: Any = Api(cast.keys[caller])
    body, tag = {"text": after}, {"If_Match": '"1"'}
    problem(by("PATCH", f"memories/{memory}", body, **tag), 403, "forbidden")
    assert body_of(by("GET", f"memories/{memory}"))["text"] == before
    own = Api(cast.keys["alice"])
    (row,) = body_of(own("GET", f"users/{cast.alice.id}/suppressions"))["suppressions"]
    assert own("DELETE", f"users/{cast.alice.id}/suppressions/{row['id']}").status_code == 204
    answer = by("PATCH", f"memories/{memory}", body, **tag)
    assert answer.status_code == 200


def test_another_value_of_a_slot_is_not_learnt_as_a_correction_either(api: Api, cast: Cast) -> None:
    memory = propose(api, "Works at Kolibri 蜂鸟", attribute="work.employer", value="Kolibri")["id"]
    unwanted(cast, SuppressionBasis.ATTRIBUTE, "work.employer")
    body, tag = {"text": "Works at Falke 猎鹰"}, {"If_Match": '"1"'}
    problem(api("PATCH", f"memories/{memory}", body, **tag), 403, "forbidden")


@pytest.mark.parametrize("said", ["我住在苏州。", "I live in Graz."])
@pytest.mark.parametrize("together", [False, True])
def test_taking_a_forgetting_back_lifts_nothing_else(
    api: Api, person: Api, cast: Cast, said: str, together: bool
) -> None:
    """It lifted whatever matched: "Don't learn from this source" and a refused wording, unsaid."""
    tell(api, said)
    memory, alice = uuid.UUID(listed(api)[0]["id"]), principal_of(cast.keys["alice"], "alice")
    assert unlearn_source(alice, memory) == 1
    unwanted(cast, SuppressionBasis.WORDING, said)
    until = forgetting.forget(alice, memory).undo_until
    if together:
        assert until and many.take_back_together(alice, until).changed == 1
    else:
        forgetting.take_back(alice, memory)
    rows = body_of(person("GET", f"users/{cast.alice.id}/suppressions"))["suppressions"]
    assert sorted(row["basis"] for row in rows) == ["event", "wording"]
    assert not AuditEvent.objects.filter(code="suppression.lifted").exists()


@pytest.mark.parametrize("together", [False, True])
def test_taking_a_forgetting_back_lifts_all_that_it_refused_and_says_so(
    api: Api, person: Api, cast: Cast, together: bool
) -> None:
    tell(api, "我住在苏州。")
    memory, alice = uuid.UUID(listed(api)[0]["id"]), principal_of(cast.keys["alice"], "alice")
    until = forgetting.forget(alice, memory, never_again=True).undo_until
    if together:
        assert until and many.take_back_together(alice, until).changed == 1
    else:
        forgetting.take_back(alice, memory)
    assert body_of(person("GET", f"users/{cast.alice.id}/suppressions"))["suppressions"] == []
    assert AuditEvent.objects.filter(code="suppression.lifted").count() == 3
