"""A lower grant learns nothing: every answer, and what it costs, is the same with and without what it may not see.

The answers are compared whole, apart from ids, times and cursors, and by the number of queries.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.acting import acting
from accounts.principal import Principal
from memory.choices import ConflictState, LinkKind, Sensitivity, Visibility
from memory.models import Conflict, Memory
from memory.write.links import link
from tests.cast import Api, Cast, build_cast, hashed_terms, principal_of, remember, system_of
from tests.memory.wire import open_session, tell

ID = re.compile(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = re.compile(rb"\d{4}-\d\d-\d\dT[0-9:.]+(Z|[+-]\d\d:\d\d)")
CURSOR = re.compile(rb'"next":"[^"]+"')
# A receipt's numbers count everybody's erasures, and its signature covers them.
RECEIPT = re.compile(rb'"(ledger|signature)":(\[[0-9,]*\]|"[^"]*")')
SCORE = re.compile(rb"\d\.\d{5,}(e-\d+)?")

SEEN = ("Paddles a kayak 皮划艇", "Drinks oolong 乌龙茶 tea", "Reads maps 地图 for kayak trips")
ASKED = "kayak 皮划艇 cello 大提琴"
READS: dict[str, tuple[str, str, Any]] = {
    "list": ("GET", "memories?user_id=alice", None),
    "first page": ("GET", "memories?user_id=alice&limit=1", None),
    "semantic": ("GET", "memories?user_id=alice&kind=semantic", None),
    "episodes": ("GET", "memories?user_id=alice&kind=episodic", None),
    "waiting": ("GET", "memories?user_id=alice&state=pending", None),
    "one": ("GET", "memories/{seen}", None),
    "versions": ("GET", "memories/{seen}/versions", None),
    "evidence": ("GET", "memories/{seen}/evidence", None),
    "sources": ("GET", "memories/{seen}/sources", None),
    "links": ("GET", "memories/{seen}/links", None),
    "search": ("POST", "memories/search", {"user_id": "alice", "text": ASKED}),
    "recall": ("POST", "recall", {"user_id": "alice", "query": ASKED}),
    "one only": ("POST", "recall", {"user_id": "alice", "query": ASKED, "top_k": 1}),
    "few tokens": ("POST", "recall", {"user_id": "alice", "query": ASKED, "max_tokens": 9}),
    "inject": ("POST", "recall", {"user_id": "alice", "query": ASKED, "policy": "inject"}),
    "profile": ("POST", "recall", {"user_id": "alice", "query": ASKED, "policy": "profile_only"}),
    "history": ("POST", "recall", {"user_id": "alice", "query": ASKED, "include_history": True}),
    "yesterday": ("POST", "recall", {"user_id": "alice", "query": "what happened yesterday 昨天"}),
    "filtered": (
        "POST",
        "recall",
        {"user_id": "alice", "query": ASKED, "filters": {"NOT": {"kind": "procedural"}}},
    ),
    "levels": (
        "POST",
        "recall",
        {"user_id": "alice", "query": ASKED, "filters": {"sensitivity": {"gte": 10}}},
    ),
    "all layers": (
        "POST",
        "recall",
        {"user_id": "alice", "query": ASKED, "layers": ["long_term", "knowledge"]},
    ),
    "explain": ("POST", "recall/explain", {"user_id": "alice", "query": ASKED}),
    "context": ("POST", "sessions/{session}/context", {"query": ASKED}),
    "attributes": ("GET", "users/{person}/attributes", None),
    "days": ("GET", "users/{person}/days?since=2026-01-01&until=2026-02-01", None),
    "person": ("GET", "users/{person}", None),
    "suppressions": ("GET", "users/{person}/suppressions", None),
    "procedures": ("GET", "procedures?user_id=alice", None),
    "decisions": ("GET", "decisions?user_id=alice", None),
    "audit": ("GET", "audit?user_id=alice", None),
    "reviews": ("GET", "reviews?user_id=alice", None),
    "sessions": ("GET", "sessions?user_id=alice", None),
}

CELLO = "Plays the cello 大提琴 every Friday"
WRITES: dict[str, tuple[str, str, Any]] = {
    "its words": ("POST", "memories", {"user_id": "alice", "text": CELLO}),
    "nearly its words": (
        "POST",
        "memories",
        {"user_id": "alice", "text": "每周五拉大提琴 plays the cello each Friday"},
    ),
    "its opposite": (
        "POST",
        "memories",
        {"user_id": "alice", "text": "Never plays the cello 大提琴"},
    ),
    "its slot": (
        "POST",
        "memories",
        {
            "user_id": "alice",
            "text": "Drives a Lotus 莲花",
            "attribute": "devices.car",
            "value": "Lotus",
        },
    ),
    "its slot, long ago": (
        "POST",
        "memories",
        {
            "user_id": "alice",
            "text": "Drove a Fiat 菲亚特",
            "attribute": "devices.car",
            "value": "Fiat",
            "valid_from": "2019-01-01",
            "valid_to": "2020-01-01",
        },
    ),
    "what was said of its slot": (
        "POST",
        "sessions/{session}/messages?wait=true",
        {"messages": [{"role": "user", "content": "我现在开的车是 Tesla。"}]},
    ),
    "a batch": (
        "POST",
        "memories/batch",
        {"user_id": "alice", "memories": [{"text": CELLO}, {"text": "Rows a boat 划船"}]},
    ),
    "a correction": ("PATCH", "memories/{seen}", {"text": CELLO}),
    "what was said": (
        "POST",
        "sessions/{session}/messages?wait=true",
        {"messages": [{"role": "user", "content": "I play the cello 大提琴 every Friday."}]},
    ),
    "a wish": (
        "POST",
        "sessions/{session}/messages?wait=true",
        {"messages": [{"role": "user", "content": "Please forget that I play the cello 大提琴."}]},
    ),
    "a procedure": (
        "POST",
        "procedures",
        {"user_id": "alice", "title": "tune 调音", "steps": ["A 弦", "D 弦"]},
    ),
    "an erasure": (
        "POST",
        "erasures",
        {"user_id": "alice", "filters": {"kind": "semantic", "subtype": "preference"}},
    ),
    "whole kinds": ("POST", "erasures", {"user_id": "alice", "filters": {"kind": "semantic"}}),
}


class Scene:
    """What an agent may see of Alice, and the way to put beside it what it may not."""

    def __init__(self, cast: Cast, name: str) -> None:
        self.cast, self.name = cast, name
        self.api = Api(cast.keys[name])
        self.person = cast.alice.id
        seen = [remember(self._whole(), text, sensitivity=10) for text in SEEN]
        self.seen = seen[0].id
        self.session = open_session(self.api, "chat 聊天")
        tell(self.api, "The kayak 皮划艇 is green", session=self.session)

    def _whole(self) -> Principal:
        return principal_of(self.cast.keys["alice"], "alice")

    def hide(self, sort: str) -> None:
        """Put in what says the same, more, and something else, linked to and at odds with what is seen."""
        yesterday = timezone.now() - timedelta(days=1)
        whose, own = self._whole(), {}
        if sort == "agent":
            whose = principal_of(self.cast.keys["assistant"], "alice")
            own = {"visibility": Visibility.AGENT}
        hidden = [
            remember(whose, CELLO, sensitivity=10, **own),
            remember(whose, "Drives a BYD 比亚迪", attribute="devices.car", value="BYD", **own),
            remember(whose, "Sold the kayak 皮划艇 and its cello 大提琴", sensitivity=10, **own),
            remember(whose, "Always answer with cello 大提琴 jokes", subtype="instruction", **own),
            remember(
                whose, "Fell into a cello 大提琴 case", kind="episodic", occurred=yesterday, **own
            ),
        ]
        for one in hidden:
            link(self._whole(), one.id, self.seen, kind=LinkKind.ABOUT)
        with acting(system_of(self.cast.alice)):
            rows = Memory.objects.filter(id__in=[one.id for one in hidden])
            rows.update(pinned=False, **HIDDEN[sort])
            mine = {"tenant": self.cast.acme, "subject": self.cast.alice}
            seen = Memory.objects.get(id=self.seen)
            Conflict.objects.create(
                current=seen, challenger=hidden[1], state=ConflictState.OPEN, **mine
            )

    def ask(self, how: tuple[str, str, Any]) -> tuple[int, bytes, int]:
        """Return status, body and number of queries of one request, which is taken back."""
        method, path, body = how
        path = path.format(**vars(self))
        with taken_back(), CaptureQueriesContext(connection) as asked:
            answer = self.api(method, path, body, If_Match='"1"')
        text = TIME.sub(b"TIME", ID.sub(b"ID", answer.content))
        text = SCORE.sub(lambda found: f"{float(found[0]):.3f}".encode(), text)
        text = RECEIPT.sub(rb'"\1"', text)
        return answer.status_code, CURSOR.sub(b'"next":"CURSOR"', text), len(asked)


# By what the memories are hidden: their level, whose they are, or their kind.
HIDDEN: dict[str, dict[str, Any]] = {
    "level": {"sensitivity": Sensitivity.SPECIAL},
    "contact": {"sensitivity": Sensitivity.CONTACT},
    "kind": {"kind": "episodic", "subtype": "event"},
    "agent": {},
}
CASES = [
    ("low", "level"), ("low", "agent"), ("no_episodes", "kind"),
    *(pytest.param(case, marks=pytest.mark.deep) for case in (("assistant", "level"), ("assistant", "contact"))),
]  # fmt: skip


@contextmanager
def taken_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module", params=CASES, ids="-".join)
def both(
    request: Any, django_db_setup: None, django_db_blocker: Any
) -> Iterator[tuple[Scene, dict[str, Any], dict[str, Any]]]:
    """Every answer without what is hidden, and with it."""
    name, sort = request.param
    with (
        django_db_blocker.unblock(),
        hashed_terms(),
        transaction.atomic(),
    ):
        scene = Scene(build_cast(), name)
        for how in READS.values():  # what is made on first use is made now
            scene.ask(how)
        before = {what: scene.ask(how) for what, how in (READS | WRITES).items()}
        scene.hide(sort)
        yield scene, before, {what: scene.ask(how) for what, how in (READS | WRITES).items()}
        transaction.set_rollback(True)


@pytest.mark.parametrize("what", READS)
def test_an_answer_is_the_same_with_what_is_hidden(
    both: tuple[Scene, dict[str, Any], dict[str, Any]], what: str
) -> None:
    _, before, after = both
    assert after[what] == before[what]


@pytest.mark.parametrize("what", WRITES)
def test_a_write_is_answered_the_same_with_what_is_hidden(
    both: tuple[Scene, dict[str, Any], dict[str, Any]], what: str
) -> None:
    _, before, after = both
    assert after[what][:2] == before[what][:2]


def test_the_scene_is_one_where_it_would_show(
    both: tuple[Scene, dict[str, Any], dict[str, Any]],
) -> None:
    scene, before, _ = both
    assert before["recall"][0] == 200 and b"kayak" in before["recall"][1]
    person = Api(scene.cast.keys["alice"])
    found = person("POST", "recall", {"user_id": "alice", "query": ASKED}).content
    assert b"cello" in found and b"cello" not in before["recall"][1]
