"""Who gets which answer where: every address of the API × every sort of caller.

A caller who may not see Alice's things gets no word of them, and a refused id looks exactly like one
that does not exist. A new address without a row fails.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.acting import acting
from accounts.models import Grant
from memory.models import Memory
from tests.cast import Cast, build_cast, hashed_terms, system_of
from tests.memory.api.addresses import ADDRESSES, CANARIES
from tests.memory.api.permissions import CALLERS, ROWS, WORDS, Scene

BY_ID = [row for row in ROWS if "{" in (ADDRESSES.get(" ".join(row)) or ADDRESSES[row[0]])[0]]
REFUSED = ("colleague", "stranger", "bob")


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: Any) -> Iterator[Scene]:
    """One scene for all rows; each request is taken back, and so is the scene in the end."""
    limits = {"RATE_LIMIT_PER_KEY": "0", "RATE_LIMIT_PER_TENANT": "0"}
    with django_db_blocker.unblock(), hashed_terms(**limits), transaction.atomic():
        yield Scene(build_cast())
        transaction.set_rollback(True)


@contextlib.contextmanager
def taken_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def addresses(patterns: list[Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        here = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, here)
        elif isinstance(pattern, URLPattern) and here.lstrip("^").startswith(("api/", "health/")):
            view = getattr(pattern.callback, "view_class", None)
            for method in ("get", "post", "put", "patch", "delete"):
                if hasattr(view, method) or (view is None and method == "get"):
                    yield pattern.name or "api-anything-else", method.upper()


def test_every_address_has_a_row() -> None:
    assert set(addresses(get_resolver().url_patterns)) == set(ROWS)


@pytest.mark.parametrize(("name", "method"), list(ROWS))
def test_each_caller_gets_the_answer_of_the_table(scene: Scene, name: str, method: str) -> None:
    answers, told = {}, set()
    for caller in CALLERS:
        with taken_back():
            response = scene.ask(name, method, caller)
            answers[caller] = response.status_code
            if any(word in response.content.decode() for word in CANARIES):
                told.add(caller)
    assert answers == ROWS[name, method]
    assert told == WORDS.get(f"{name} {method}", set())


@pytest.mark.parametrize(("name", "method"), BY_ID)
def test_a_refused_id_looks_like_an_unknown_one(scene: Scene, name: str, method: str) -> None:
    for caller in (caller for caller in REFUSED if ROWS[name, method][caller] == 404):
        with taken_back():
            real = scene.ask(name, method, caller)
            unknown = scene.ask(name, method, caller, unknown=True)
        assert (real.status_code, real.content) == (unknown.status_code, unknown.content), caller


def test_refused_callers_change_nothing(scene: Scene) -> None:
    before = _state(scene.cast)
    with taken_back():
        for caller in REFUSED:
            for name, method in BY_ID:
                scene.ask(name, method, caller)
        assert _state(scene.cast) == before


def _state(cast: Cast) -> Any:
    with acting(system_of(cast.alice)):
        rows = Memory.objects.order_by("id").values("id", "state", "version", "updated_at")
        return list(rows), Grant.objects.count(), type(cast.alice).objects.get(id=cast.alice.id)
