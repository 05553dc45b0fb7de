"""One memory: why it is there, its wordings, its uses, who sees it; paused and used again."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.acting import acting
from accounts.models import Subject
from accounts.principal import Principal
from dashboard.diff import diff
from memory.choices import LinkKind, Origin, State
from memory.choices.verdicts import Verdict
from memory.lifecycle import transition
from memory.models import Memory, RecallLog, ReviewItem
from memory.write.feedback import Report, report
from memory.write.links import link
from tests.cast import ALICE, Cast, principal_of, remember, system_of
from tests.dashboard.conftest import PART, recalled

CITY = "I live in Hangzhou near the lake"


def page_of(client: Client, memory: Memory) -> str:
    answer = client.get(reverse("memory", args=[memory.id]))
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def test_it_says_why(alice: Client, put: Callable[..., Memory]) -> None:
    text = page_of(alice, put(CITY))
    assert "Why is this remembered?" in text and "You said this" in text
    assert "you said it outright" in text and "How sure it is: clear." in text
    assert "It does not prove it is true." in text


@pytest.mark.parametrize(
    ("lang", "kept", "first", "second"),
    [
        ("en", "It was kept · by you", "It was corrected (version 2) · by you", "(version 3)"),
        ("zh-hans", "已保留 · 由你", "已更正（版本2） · 由你", "（版本3）"),
    ],
)
def test_its_path_goes_on_to_the_last_correction(
    alice: Client,
    cast: Cast,
    lang: str,
    kept: str,
    first: str,
    second: str,
) -> None:
    Subject.objects.filter(id=cast.alice.id).update(learning="ask_first")
    asking = principal_of(cast.keys["assistant"], ALICE)
    guess = remember(asking, "I enjoy long train rides 长途火车", origin=Origin.AGENT)
    with acting(system_of(cast.alice)):
        asked = ReviewItem.objects.get(memory=guess)
    alice.post(reverse("review-keep", args=[asked.id]))
    for number, text in enumerate(("I enjoy night trains 夜车", "I enjoy slow trains 慢车"), 1):
        alice.post(reverse("memory-edit", args=[guess.id]), {"text": text, "version": str(number)})
    alice.cookies["django_language"] = lang
    page = re.sub(r"<[^>]+>", "", page_of(alice, guess))
    steps = [page.index(one) for one in (kept, first, second)]
    assert steps == sorted(steps)


@pytest.mark.parametrize("text", ["I enjoy long train rides", "我喜欢坐长途火车"])
def test_a_guess_is_never_called_something_the_person_said(
    alice: Client, put: Callable[..., Memory], text: str
) -> None:
    guess = page_of(alice, put(text, origin=Origin.AGENT))
    assert "An agent worked this out" in guess
    assert "you said it outright" not in guess and guess.count("an agent worked it out") >= 2


def test_it_quotes_the_message_it_came_from(
    alice: Client, agent: Principal, cast: Cast, client_for: Callable[..., Callable[..., object]]
) -> None:
    api = client_for(cast.keys["assistant"])
    session = api("POST", "sessions", {"user_id": "alice"}).json()["id"]  # type: ignore[attr-defined]
    said = {"role": "user", "content": "我住在杭州，在一家物流公司做产品经理。"}
    api("POST", f"sessions/{session}/messages?wait=true", {"messages": [said]})
    memory = Memory.objects.none()
    with acting(agent):
        memory = Memory.objects.filter(attribute="home.city").get()  # type: ignore[assignment]
    text = page_of(alice, memory)  # type: ignore[arg-type]
    assert '<blockquote class="quote" lang="zh-Hans" hx-ignore>我住在杭州' in text
    assert "assistant" in text


def test_it_shows_what_a_correction_changed(alice: Client, put: Callable[..., Memory]) -> None:
    memory = put(CITY)
    address = reverse("memory-edit", args=[memory.id])
    alice.post(address, {"text": "I live in Shanghai near the lake", "version": "1"})
    text = page_of(alice, memory)
    assert "removed: </span>Hangzhou</del>" in text and "added: </span>Shanghai</ins>" in text
    assert "Version 2" in text and "Version 1" in text and "You corrected this" in text


def test_han_is_compared_by_character() -> None:
    pieces = [(one.op, one.text) for one in diff("对头孢过敏", "对青霉素过敏")]
    assert pieces == [("=", "对"), ("-", "头孢"), ("+", "青霉素"), ("=", "过敏")]
    assert [one.op for one in diff("I'm on A-1 now", "I'm on A-2 now")] == ["=", "-", "+", "="]


def test_it_shows_its_uses(alice: Client, agent: Principal, put: Callable[..., Memory]) -> None:
    memory = put(CITY)
    assert "No agent has used this memory." in page_of(alice, memory)
    assert CITY in recalled(agent, "Where near the lake in Hangzhou do I live?")
    text = page_of(alice, memory)
    assert "Used 1 time by agents" in text
    assert text.partition('<svg class="chart"')[2].partition("</svg>")[0].count("<rect") == 12


def test_it_says_who_can_see_it(alice: Client, put: Callable[..., Memory]) -> None:
    text = page_of(alice, put(CITY, sensitivity=20))
    listed = re.findall(
        r'<li> ?<span class="badge[^>]*>.*?</svg> ?([^<]+?) ?</span> ?<span hx-ignore>(\w+)', text
    )
    seen = {name: html.unescape(state) for state, name in listed}
    assert seen["assistant"].strip() == "can use it"
    for blind in ("low", "paused", "lapsed", "off"):
        assert seen[blind].strip() == "can&#x27;t see it" or seen[blind].strip() == "can't see it"


def test_pausing_takes_it_from_agents_and_resuming_gives_it_back(
    alice: Client, agent: Principal, put: Callable[..., Memory]
) -> None:
    memory, question = put(CITY), "Where near the lake in Hangzhou do I live?"
    answer = alice.post(reverse("memory-pause", args=[memory.id]), follow=True)
    assert "Paused. It is kept; no agent can use it now." in answer.content.decode()
    assert CITY not in recalled(agent, question)
    answer = alice.post(reverse("memory-resume", args=[memory.id]), follow=True)
    assert "In use again. Agents you allow can use it." in answer.content.decode()
    assert CITY in recalled(agent, question)


def test_with_htmx_the_row_answers(alice: Client, put: Callable[..., Memory]) -> None:
    memory = put(CITY)
    text = alice.post(reverse("memory-pause", args=[memory.id]), headers=PART).content.decode()
    assert f'id="m{memory.id}"' in text and "data-focus" in text and "<html" not in text
    assert "Use again" in text and "no agent can use it now" in text
    again = alice.post(reverse("memory-pause", args=[memory.id]), headers=PART)
    assert again.status_code == 409 and "This has changed meanwhile" in again.content.decode()


def test_it_shows_what_it_is_linked_to(
    alice: Client, agent: Principal, put: Callable[..., Memory]
) -> None:
    city, lake = put(CITY), put("The West Lake 西湖 is where I run in the morning")
    link(agent, lake.id, city.id, kind=LinkKind.ABOUT)
    text = page_of(alice, city)
    assert "Linked memories" in text and "About this" in text and "西湖" in text
    assert "This is about" in page_of(alice, lake)
    alone = page_of(alice, put("I keep bees 蜜蜂 on the roof"))
    assert "Linked memories" not in alone


@pytest.mark.parametrize(
    ("lang", "says", "button"),
    [
        ("en", "It will be erased on", "Use again"),
        ("zh-hans", "如果你不恢复使用，将于", "恢复使用"),
    ],
)
def test_what_has_faded_says_when_it_is_erased_and_is_used_again(
    alice: Client, put: Callable[..., Memory], agent: Principal, lang: str, says: str, button: str
) -> None:
    memory = put(CITY)
    with acting(agent.unlimited()):
        erase_at = timezone.now() + timedelta(days=180)
        transition(memory, State.ARCHIVED, erase_at=erase_at)
    alice.cookies["django_language"] = lang
    text = page_of(alice, memory)
    assert says in text and button in text
    listed = alice.get(reverse("memories")).content.decode()
    assert "will be erased on" in listed or "清除" in listed
    assert alice.post(reverse("memory-restore", args=[memory.id])).status_code == 302
    assert says not in page_of(alice, memory)
    assert recalled(agent, CITY) == [CITY]


def test_it_counts_what_agents_said(
    alice: Client, agent: Principal, put: Callable[..., Memory]
) -> None:
    memory = put(CITY)
    assert "What agents said of it" not in page_of(alice, memory)
    for verdict in ("helped", "wrong"):
        report(agent, Report(verdict=Verdict(verdict), memory_id=memory.id))
    recalled(agent, "Where does she live?")
    with acting(agent):
        recall_id = RecallLog.objects.get().id
    report(agent, Report(verdict=Verdict.HELPED, recall_id=recall_id))
    text = page_of(alice, memory)
    assert "Agents said: it helped 2 times · it was called wrong 1 time." in text
    assert "assistant</span>: it helped 2 times · it was called wrong 1 time" in text
    assert "An agent says this is wrong" in alice.get(reverse("reviews")).content.decode()
    alice.cookies["django_language"] = "zh-hans"
    assert "智能体说：帮上忙2次 · 被说不对1次。" in page_of(alice, memory)
    assert "有智能体说这条不对" in alice.get(reverse("reviews")).content.decode()
