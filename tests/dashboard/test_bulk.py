"""Many memories at once: picked, looked at once more, changed together, taken back together."""

from __future__ import annotations

import html
import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.signing import Signer
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.acting import acting
from accounts.models import AuditEvent, Subject
from accounts.principal import Principal
from memory.choices import Origin, Sensitivity
from memory.models import Memory
from tests.cast import ALICE, Cast, principal_of, remember, system_of
from tests.crowd import _memories as some
from tests.dashboard.conftest import PASSWORD, recalled
from tests.dashboard.test_memories import MEMORIES, rows

TEXTS = ("I play the cello on Sundays", "我每天早上喝乌龙茶", "My sister lives in Porto")


@pytest.fixture
def three(put: Callable[..., Memory]) -> list[Memory]:
    return [put(text) for text in TEXTS]


def text_of(answer: Any) -> str:
    return html.unescape(re.sub(r"\s+", " ", answer.content.decode()))


def all_mark(client: Client, query: str = "?all") -> str:
    found = re.search(
        r'name="all"\s+value="([^"]+)"', client.get(MEMORIES + query).content.decode()
    )
    assert found is not None
    return html.unescape(found[1])


def picked(page: str) -> str:
    found = re.search(r'name="picked" value="([^"]+)"', page)
    assert found is not None, page
    return found[1]


def do(client: Client, act: str, *, sensitive: bool = False, **what: Any) -> str:
    """Pick, confirm; return what the page then says."""
    asked = client.post(reverse("bulk"), {"act": act, **what})
    assert asked.status_code == 200
    sent = {"act": act, "picked": picked(text_of(asked)), "sensitive": "1" if sensitive else ""}
    return text_of(client.post(reverse("bulk-confirm"), sent, follow=True))


def states(cast: Cast, *memories: Memory) -> list[str]:
    with acting(system_of(cast.alice)):
        found = {one.id: one.state for one in Memory.objects.all()}
    return [found[one.id] for one in memories]


def test_what_is_ticked_is_looked_at_once_more(alice: Client, three: list[Memory]) -> None:
    ids = [str(one.id) for one in three[:2]]
    page = text_of(alice.post(reverse("bulk"), {"act": "pause", "ids": ids}))
    assert "Pause 2 memories?" in page and TEXTS[0] in page and TEXTS[2] not in page
    assert "They are kept. No agent can use them until you use them again." in page
    assert "also" not in page.lower().partition("<form")[2].partition("</form>")[0]


def test_pausing_and_using_again(
    alice: Client, cast: Cast, three: list[Memory], agent: Principal
) -> None:
    ids = [str(one.id) for one in three]
    assert "Paused 3 memories. No agent can use them now." in do(alice, "pause", ids=ids)
    assert states(cast, *three) == ["paused"] * 3
    assert recalled(agent, "What do I play on Sundays?") == []
    page = do(alice, "resume", all=all_mark(alice, "?state=paused"))
    assert "3 memories are in use again." in page and states(cast, *three) == ["active"] * 3
    page = text_of(alice.post(reverse("bulk"), {"act": "resume", "ids": ids}))
    assert "Nothing to change" in page


def test_all_that_match_are_those_that_matched_then(
    alice: Client, cast: Cast, three: list[Memory], put: Callable[..., Memory]
) -> None:
    mark = all_mark(alice)
    later = put("I keep one more box in the cellar")
    do(alice, "pause", all=mark)
    assert states(cast, *three, later) == ["paused"] * 3 + ["active"]


def test_forgotten_together_taken_back_together(
    alice: Client, cast: Cast, three: list[Memory], agent: Principal
) -> None:
    alice.post(reverse("memory-pause", args=[three[1].id]))
    page = do(alice, "forget", all=all_mark(alice))
    assert "Forgot 3 memories. No agent can use them now. You can undo until" in page
    assert "3 memories, forgotten together" in page and recalled(agent, "Where is Porto?") == []
    until = re.search(r'name="until" value="([^"]+)"', page)
    assert until is not None
    page = text_of(alice.post(reverse("bulk-undo"), {"until": until[1]}, follow=True))
    assert "3 memories are back. Agents can use them as before." in page
    assert states(cast, *three) == ["active", "paused", "active"]
    assert TEXTS[2] in recalled(agent, "Where does my sister live?")


def test_after_the_window_nothing_comes_back(
    alice: Client, cast: Cast, three: list[Memory]
) -> None:
    do(alice, "forget", all=all_mark(alice))
    past = timezone.now() - timedelta(minutes=1)
    with acting(system_of(cast.alice)):
        Memory.objects.update(undo_until=past)
    answer = alice.post(reverse("bulk-undo"), {"until": past.isoformat()})
    assert answer.status_code == 410 and "Too late to undo" in text_of(answer)
    assert set(states(cast, *three)) == {"forgotten"}
    for bad in ("", "x", "2026-11-30T10:00:00", "2026-13-45T00:00:00Z"):
        assert alice.post(reverse("bulk-undo"), {"until": bad}).status_code == 400


def test_what_lost_its_place_stays_forgotten(
    alice: Client, cast: Cast, put: Callable[..., Memory]
) -> None:
    first = put("I live in Hangzhou", attribute="home.city")
    other = put("I play the cello on Sundays")
    page = do(alice, "forget", all=all_mark(alice))
    put("I live in Chengdu", attribute="home.city")
    until = re.search(r'name="until" value="([^"]+)"', page)
    assert until is not None
    page = text_of(alice.post(reverse("bulk-undo"), {"until": until[1]}, follow=True))
    assert "1 memory is back." in page and "1 was left as it is" in page
    assert states(cast, first, other) == ["forgotten", "active"]


def test_two_of_one_slot_are_not_both_used_again(
    alice: Client, cast: Cast, put: Callable[..., Memory]
) -> None:
    first = put("I live in Hangzhou", attribute="home.city")
    alice.post(reverse("memory-pause", args=[first.id]))
    second = put("I live in Chengdu", attribute="home.city")
    alice.post(reverse("memory-pause", args=[second.id]))
    page = do(alice, "resume", all=all_mark(alice))
    assert "1 memory is in use again." in page and "1 was left as it is" in page
    assert states(cast, first, second) == ["paused", "active"], "the newer one is used"


def test_the_sensitive_need_a_word_of_their_own(
    alice: Client, cast: Cast, three: list[Memory], put: Callable[..., Memory]
) -> None:
    health = put("I am allergic to penicillin", sensitivity=Sensitivity.SPECIAL)
    page = text_of(alice.post(reverse("bulk"), {"act": "forget", "all": all_mark(alice)}))
    assert "Forget 3 memories?" in page and "Also 1 sensitive memory" in page
    assert "penicillin" not in page
    do(alice, "forget", all=all_mark(alice))
    assert states(cast, health) == ["active"]
    do(alice, "forget", sensitive=True, all=all_mark(alice))
    assert states(cast, health) == ["forgotten"]


def test_marking_sensitive_withholds_it_from_agents_and_lists(
    alice: Client, three: list[Memory], agent: Principal
) -> None:
    ids = [str(three[0].id)]
    assert "1 memory is sensitive now." in do(alice, "sensitive", ids=ids)
    assert recalled(agent, "What do I play on Sundays?") == []
    assert TEXTS[0] not in text_of(alice.get(MEMORIES))
    assert "1 memory is personal now" in do(alice, "ordinary", ids=ids)
    assert TEXTS[0] in recalled(agent, "What do I play on Sundays?")


@pytest.mark.parametrize(
    ("lang", "closer", "open_again"),
    [("en", "Mark sensitive", "Not sensitive"), ("zh-hans", "标为敏感", "不敏感")],
)
def test_one_memory_is_held_closer_from_its_own_page(
    alice: Client, three: list[Memory], lang: str, closer: str, open_again: str
) -> None:
    """Only by ticking it in the list could it be marked."""
    alice.cookies["django_language"] = lang
    for said, act in ((closer, "sensitive"), (open_again, "ordinary"), (closer, "")):
        page = text_of(alice.get(reverse("memory", args=[three[1].id])))
        form = re.search(r'action="/memories/bulk/">(.*?)</form>', page)
        assert form is not None and said in form[1]
        assert re.search(rf'name="ids" value="{three[1].id}"', form[1])
        if act:
            assert f'name="act" value="{act}"' in form[1]
            do(alice, act, ids=[str(three[1].id)])


def test_the_table_has_the_acts_that_the_keys_press(alice: Client, three: list[Memory]) -> None:
    """The list of keys names them, and in a table nothing answered to them."""
    page = text_of(alice.get(f"{MEMORIES}?view=table"))
    for key, number in (("e", 3), ("p", 3), ("#", 3)):
        assert page.count(f'data-key="{key}"') == number
    alice.post(reverse("memory-pause", args=[three[0].id]))
    assert "Use again" in text_of(alice.get(f"{MEMORIES}?view=table"))
    assert 'data-key="e"' not in text_of(alice.get(reverse("agents")))


def test_what_was_searched_for_is_picked_without_its_words(
    alice: Client, cast: Cast, three: list[Memory]
) -> None:
    found = alice.post(reverse("memories-search"), {"q": "cello"}).content.decode()
    mark = re.search(r'name="all"\s+value="([^"]+)"', found)
    assert mark is not None and "The 1 found" in re.sub(r"\s+", " ", found)
    assert "cello" not in str(Signer(salt="keepsake picked").unsign_object(mark[1]))
    do(alice, "pause", all=mark[1])
    assert states(cast, *three) == ["paused", "active", "active"]


def test_the_picked_are_exported_and_nothing_else(alice: Client, three: list[Memory]) -> None:
    asked = alice.post(reverse("bulk"), {"act": "export", "ids": [str(three[0].id)]})
    page = text_of(asked)
    assert "1 memory that you picked, as a file." in page
    sent = {"picked": picked(page), "password": PASSWORD, "format": "csv"}
    wrong = alice.post(reverse("export"), sent | {"password": "wrong"})
    assert wrong.status_code == 422 and picked(text_of(wrong)) == picked(page)
    file: Any = alice.post(reverse("export"), sent)
    content = b"".join(file.streaming_content).decode()
    assert TEXTS[0] in content and TEXTS[1] not in content and TEXTS[2] not in content
    whole: Any = alice.post(reverse("export"), sent | {"format": "json"})
    found = b"".join(whole.streaming_content).decode()
    assert TEXTS[0] in found and TEXTS[1] not in found and '"sessions"' not in found
    assert "exported some memories" in text_of(alice.get(reverse("activity")))


def test_another_persons_are_not_reached(bob: Client, cast: Cast, three: list[Memory]) -> None:
    ids = [str(one.id) for one in three]
    assert "Nothing to change" in text_of(bob.post(reverse("bulk"), {"act": "pause", "ids": ids}))
    assert states(cast, *three) == ["active"] * 3


@pytest.mark.parametrize(
    "sent",
    [
        {"act": "burn", "ids": [str(uuid.uuid4())]},
        {"act": "pause", "ids": ["x"]},
        {"act": "pause", "all": "forged"},
        {"ids": [str(uuid.uuid4())]},
    ],
)
def test_what_is_not_understood_changes_nothing(
    alice: Client, sent: dict[str, Any], three: list[Memory], cast: Cast
) -> None:
    assert alice.post(reverse("bulk"), sent).status_code == 400
    assert alice.post(reverse("bulk-confirm"), sent).status_code == 400
    assert states(cast, *three) == ["active"] * 3
    assert alice.get(reverse("bulk"))["Location"] == MEMORIES


def test_the_log_has_a_line_for_each_and_shows_one(alice: Client, three: list[Memory]) -> None:
    do(alice, "forget", all=all_mark(alice))
    lines = AuditEvent.objects.filter(reason="forget")
    assert lines.filter(decision="together", object_kind="memory").count() == 3
    page = text_of(alice.get(reverse("activity") + "?who=person&what=changes"))
    assert page.count("forgot memories") == 1 and "3 in all" in page
    assert not any(text in page for text in TEXTS)


def test_many_cost_no_more_questions_than_few(alice: Client, cast: Cast) -> None:
    owner = {"tenant_id": cast.alice.tenant_id, "subject_id": cast.alice.id}
    counted = []
    for number in (6, 60):
        with acting(system_of(cast.alice)):
            some(cast.alice, owner, number, "active")
        mark = all_mark(alice, "?state=active")
        with CaptureQueriesContext(connection) as captured:
            do(alice, "forget", all=mark)
        counted.append(len(captured))
    assert counted[0] == counted[1]


def test_a_guess_that_was_forgotten_waits_no_more(alice: Client, cast: Cast) -> None:
    Subject.objects.filter(id=cast.alice.id).update(learning="ask_first")
    asking = principal_of(cast.keys["assistant"], ALICE)
    guess = remember(asking, "I enjoy long train rides", origin=Origin.AGENT)
    assert "I enjoy long train rides" in text_of(alice.get(reverse("reviews")))
    do(alice, "forget", ids=[str(guess.id)])
    assert "I enjoy long train rides" not in text_of(alice.get(reverse("reviews")))


def test_a_row_can_be_picked_by_a_box_with_its_words(alice: Client, three: list[Memory]) -> None:
    page = text_of(alice.get(MEMORIES))
    assert len(rows(alice.get(MEMORIES))) == page.count('name="ids"') == 3
    assert f"Pick: {TEXTS[0]}" in page


def test_with_nothing_picked_the_list_says_so(alice: Client, three: list[Memory]) -> None:
    page = text_of(alice.post(reverse("bulk"), {"act": "pause"}, follow=True))
    assert "Nothing was picked. Tick the memories that are meant." in page
    assert 'class="note danger" role="status"' in page and 'class="note ok"' not in page
