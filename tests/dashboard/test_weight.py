"""What the list of memories weighs on its way, and how it fares with ten thousand."""

from __future__ import annotations

import gzip
import re
import time
from collections.abc import Callable

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from accounts.acting import acting
from memory.models import Memory
from tests.cast import Cast, system_of
from tests.crowd import _memories, crowd

BUDGET = 60_000  # bytes of the page, its styles and its scripts, packed
SOON = 0.15  # seconds of the server's for a page of the list
AT_ONCE = 10.0  # seconds for nine thousand to be forgotten


def packed(content: bytes) -> int:
    return len(gzip.compress(content, 6))


def test_the_page_its_styles_and_scripts_are_light(alice: Client, cast: Cast) -> None:
    crowd(cast.alice, 60)
    page = alice.get("/memories/?state=active").content
    assert page.count(b'class="item') >= 50
    files = re.findall(r'(?:src|href)="/static/([^"]+\.(?:css|js))"', page.decode())
    assert len(files) == 4
    weights = [packed(page)]
    for name in files:
        path = finders.find(re.sub(r"\.[0-9a-f]{12}(?=\.\w+$)", "", name))
        assert isinstance(path, str), name
        with open(path, "rb") as file:  # noqa: PTH123 - a path from the finders
            weights.append(packed(file.read()))
    assert sum(weights) <= BUDGET, weights


@pytest.mark.deep
def test_nine_of_ten_thousand_are_forgotten_at_once(
    alice: Client, cast: Cast, capsys: pytest.CaptureFixture[str]
) -> None:
    owner = {"tenant_id": cast.alice.tenant_id, "subject_id": cast.alice.id}
    with acting(system_of(cast.alice)):
        _memories(cast.alice, owner, 5000, "active")
    five = fastest(lambda: alice.get("/memories/?all"))
    with acting(system_of(cast.alice)):
        _memories(cast.alice, owner, 4000, "active")
        _memories(cast.alice, owner, 1000, "paused")
    ten = fastest(lambda: alice.get("/memories/?all"))
    page = alice.get("/memories/?state=active").content.decode()
    mark = re.search(r'name="all"\s+value="([^"]+)"', page)
    assert mark is not None and "9000 memories" in page.replace(",", "")
    asked = alice.post(reverse("bulk"), {"act": "forget", "all": mark[1]}).content.decode()
    assert "Forget 9000 memories?" in asked.replace(",", "")
    begun = time.perf_counter()
    answer = alice.post(reverse("bulk-confirm"), {"act": "forget", "picked": mark[1]})
    forgot = time.perf_counter() - begun
    assert answer.status_code == 302
    with acting(system_of(cast.alice)):
        assert Memory.objects.filter(state="forgotten").count() == 9000
    found = re.search(r'name="until" value="([^"]+)"', alice.get("/forgotten/").content.decode())
    assert found is not None
    begun = time.perf_counter()
    assert alice.post(reverse("bulk-undo"), {"until": found[1]}).status_code == 302
    back = time.perf_counter() - begun
    with capsys.disabled():
        print(
            f"list of 5,000 {five * 1000:.0f} ms, of 10,000 {ten * 1000:.0f} ms; "
            f"9,000 forgotten in {forgot:.1f} s, taken back in {back:.1f} s"
        )
    assert five < SOON and ten < 2 * SOON and forgot < AT_ONCE and back < AT_ONCE


def fastest(ask: Callable[[], object]) -> float:
    """Return the seconds of the quickest of five."""
    taken = []
    for _ in range(5):
        begun = time.perf_counter()
        ask()
        taken.append(time.perf_counter() - begun)
    return min(taken)
