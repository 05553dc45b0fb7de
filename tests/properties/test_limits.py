"""``top_k`` and ``max_tokens`` are never exceeded: whatever is stored, whichever policy, layer by layer."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from memory.choices import LinkKind, Origin
from memory.policy import RECALL
from memory.providers.tokens import count_tokens
from memory.write.links import link
from memory.write.pipeline import decide
from memory.write.proposal import Proposal, Source
from tests.cast import Api, Cast, build_cast, hashed_terms, principal_of
from tests.memory.knowledge.shelf import put
from tests.memory.wire import body_of, open_session, tell

WORDS = (
    "kayak",
    "皮划艇",
    "lake",
    "湖边",
    "Oslo",
    "奥斯陆",
    "yesterday",
    "昨天",
    "🚣",
    "port 8080",
)
# What may be special about a memory: an event with its day, what the profile holds, a long one.
SORTS: Sequence[dict[str, Any]] = (
    {},
    {"kind": "episodic", "occurred": timezone.now()},
    {"subtype": "instruction"},
    {"attribute": "diet.allergy", "value": "kayak 皮划艇"},
)
TEXTS = some.lists(some.sampled_from(WORDS), min_size=1, max_size=40).map(" ".join)
STORES = some.lists(some.tuples(TEXTS, some.sampled_from(SORTS)), max_size=12)
ASKED = some.fixed_dictionaries(
    {
        "query": TEXTS,
        "policy": some.sampled_from(sorted(RECALL)),
        "top_k": some.integers(1, 6),
        "max_tokens": some.integers(1, 90),
    },
    optional={
        "layers": some.sets(
            some.sampled_from(["working", "long_term", "knowledge"]), min_size=1
        ).map(sorted),
        "include_history": some.booleans(),
    },
)


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: Any) -> Iterator[tuple[Cast, str]]:
    """Alice with a running session and a document of her organisation's; taken back in the end."""
    with django_db_blocker.unblock(), hashed_terms(), transaction.atomic():
        cast = build_cast()
        api = Api(cast.keys["assistant"])
        session = open_session(api)
        tell(api, "Is the kayak at the lake? 皮划艇在湖边吗", "Oslo or 奥斯陆?", session=session)
        put(cast.acme, "boats.md", "# 皮划艇 kayak\n\n" + "The kayak lies at the lake 湖边。 " * 30)
        yield cast, session
        transaction.set_rollback(True)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stored=STORES, asked=ASKED)
def test_neither_limit_is_exceeded(
    scene: tuple[Cast, str], stored: list[tuple[str, dict[str, Any]]], asked: dict[str, Any]
) -> None:
    cast, session = scene
    with transaction.atomic():
        _store(cast, stored)
        body = {"user_id": "alice", "session": session, **asked}
        answer = body_of(Api(cast.keys["assistant"])("POST", "recall", body))
        transaction.set_rollback(True)
    layers = [answer[name] for name in ("working", "memories", "knowledge")]
    assert all(len(layer) <= asked["top_k"] for layer in layers)
    assert cost(*layers) <= asked["max_tokens"]
    policy = RECALL[asked["policy"]]
    assert len(answer["profile"]) <= policy.profile_items
    assert cost(answer["profile"]) <= policy.profile_tokens


def _store(cast: Cast, stored: list[tuple[str, dict[str, Any]]]) -> None:
    """Bring in what the gate lets in, each linked to the one before it."""
    agent = principal_of(cast.keys["assistant"], "alice")
    last = None
    for text, sort in stored:
        source = Source(origin=Origin.PERSON, said_at=timezone.now())
        memory = decide(agent, Proposal(text=text, source=source, **sort)).memory
        if memory is not None and last is not None and memory.id != last.id:
            link(agent, memory.id, last.id, kind=LinkKind.RELATED)
        last = memory or last


def cost(*layers: list[dict[str, Any]]) -> int:
    """Return the tokens of what is handed over, as our counter counts them."""
    return sum(count_tokens(item["text"]) for layer in layers for item in layer)


def test_the_day_that_words_mean_counts_too(scene: tuple[Cast, str]) -> None:
    """Once "(2026-11-30)" came on top of the budget."""
    cast, _ = scene
    with transaction.atomic():
        text = "Paddled the kayak yesterday 昨天划皮划艇"
        _store(cast, [(text, {"kind": "episodic", "occurred": timezone.now()})])
        body = {"user_id": "alice", "query": "kayak 皮划艇", "layers": ["long_term"]}
        api = Api(cast.keys["assistant"])
        (found,) = body_of(api("POST", "recall", body))["memories"]
        assert found["text"].startswith(f"{text} (")
        tight = body | {"max_tokens": count_tokens(text)}
        assert body_of(api("POST", "recall", tight))["memories"] == []
        fits = body | {"max_tokens": count_tokens(found["text"])}
        assert len(body_of(api("POST", "recall", fits))["memories"]) == 1
        transaction.set_rollback(True)
