"""The same promise over HTTP: whatever a key asks, it reads no word and no id of somebody else.

Three people in two tenants, five keys, stories of random requests. Every id that any answer ever
named is used against everybody: in paths, bodies and filters.
"""

import re
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.cast import Api, Cast

# key → whose words it may read; "alice" is also what Charlie's agent calls Charlie.
OWNERS = {
    "assistant": "alice",
    "alice": "alice",
    "colleague": "bob",
    "bob": "bob",
    "stranger": "charlie",
}
CALLED = {"alice": "alice", "bob": "bob", "charlie": "alice"}
CANARIES = {
    "alice": ("quibblesnark", "魑魅豆"),
    "bob": ("zorvikal", "魍魉茶"),
    "charlie": ("plumbago", "饕餮汤"),
}
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
REQUESTS: tuple[tuple[str, str, dict[str, Any] | None], ...] = (
    ("GET", "memories?user_id={user}", None),
    ("GET", "memories/{id}", None),
    ("GET", "memories/{id}/versions", None),
    ("GET", "memories/{id}/evidence", None),
    ("PATCH", "memories/{id}", {"text": "Drinks water 喝水"}),
    ("POST", "memories/{id}/forget", {}),
    ("POST", "memories/{id}/undo", {}),
    ("DELETE", "memories/{id}", None),
    ("POST", "recall", {"query": "{words}"}),
    ("POST", "memories/search", {"text": "{words}"}),
    ("POST", "memories", {"text": "Likes {own} soup 汤"}),
    ("POST", "erasures", {"memory_ids": ["{id}"]}),
    ("GET", "erasures/{id}", None),
    ("GET", "sessions?user_id={user}", None),
    ("GET", "sessions/{id}/messages", None),
    ("POST", "sessions/{id}/context", {"query": "{own}"}),
    ("POST", "sessions/{id}/compact", {"budget": 400}),
    ("POST", "sessions/{id}/messages?wait=true", {"messages": [{"role": "user", "content": "I love {own} tea"}]}),
    ("GET", "events/{id}", None),
    ("GET", "users/{id}/attributes", None),
    ("GET", "decisions?user_id={user}", None),
    ("GET", "audit?user_id={user}", None),
    ("GET", "deletions?user_id={user}", None),
    ("GET", "jobs/{id}", None),
)  # fmt: skip
NAMES_A_PERSON = {"recall", "memories/search", "memories", "erasures"}

steps = st.lists(
    st.tuples(
        st.sampled_from(sorted(OWNERS)),
        st.sampled_from(REQUESTS),
        st.sampled_from(sorted(CALLED)),
        st.integers(0, 10_000),
    ),
    min_size=15,
    max_size=40,
)


def fill(value: Any, words: dict[str, str]) -> Any:
    """Put the story's ids and words into a request."""
    if isinstance(value, str):
        for name, word in words.items():
            value = value.replace(f"{{{name}}}", word)
        return value
    if isinstance(value, list):
        return [fill(one, words) for one in value]
    if isinstance(value, dict):
        return {name: fill(one, words) for name, one in value.items()}
    return value


def tell(cast: Cast) -> dict[str, set[str]]:
    """Let everybody say their canary; return the ids each person's agent was told of."""
    told: dict[str, set[str]] = {}
    for key, person in (("assistant", "alice"), ("colleague", "bob"), ("stranger", "charlie")):
        api, (english, chinese) = Api(cast.keys[key]), CANARIES[person]
        opened = api("POST", "sessions", {"user_id": CALLED[person], "session_id": "one 一"})
        said = [{"role": "user", "content": f"I love {english} soup. 我喜欢{chinese}。"}]
        path = f"sessions/{opened.json()['id']}/messages?wait=true"
        answer = api("POST", path, {"messages": said})
        assert answer.status_code == 200, answer.content
        told[person] = set(ID.findall(opened.content.decode() + answer.content.decode()))
    return told


@settings(
    max_examples=6,
    derandomize=True,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)
@given(story=steps)
def play(cast: Cast, known: dict[str, set[str]], story: list[Any]) -> None:
    """Ask one story; look into every answer."""
    for key, (method, path, body), about, pick in story:
        pool = sorted(set().union(*known.values()))
        words = {
            "id": pool[pick % len(pool)],
            "user": CALLED[about],
            "words": " ".join(word for pair in CANARIES.values() for word in pair),
            "own": CANARIES[OWNERS[key]][0],
        }
        asked = fill(body, words)
        if path in NAMES_A_PERSON:
            asked = {"user_id": words["user"], **asked}
        answer = Api(cast.keys[key])(method, fill(path, words), asked, If_Match='"1"')
        assert answer.status_code < 500, (method, path, answer.content)
        text, mine = answer.content.decode(), OWNERS[key]
        # Who tried to reach a person stands in that person's log: agents' ids are nobody's secret.
        named = set(ID.findall(text)) - {words["id"]} - {str(a.id) for a in cast.agents.values()}
        for other in CANARIES.keys() - {mine}:
            assert not any(word in text for word in CANARIES[other]), (key, method, path, other)
            leaked = named & known[other]
            assert not leaked, (key, method, path, other, leaked)
        known[mine] |= named


def test_no_key_reads_a_word_or_an_id_of_somebody_else(cast: Cast) -> None:
    play(cast, tell(cast))
