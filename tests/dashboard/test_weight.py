"""What the list of memories weighs on its way, and how it fares with ten thousand."""

from __future__ import annotations

import gzip
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.acting import acting
from memory.models import Memory
from tests.cast import Cast, system_of
from tests.conftest import owner_connection
from tests.crowd import _memories, _reviews, crowd
from tests.dashboard.test_counts import FILTERED
from tests.dashboard.test_pages import LISTS

BUDGET = 60_000  # bytes of the page, its styles and its scripts, packed
SOON = 0.15  # seconds of the server's processors for a page
AT_ONCE = 6.0  # seconds of processors for nine thousand to be forgotten, or taken back


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
    five = least(lambda: alice.get("/memories/?all"))
    with acting(system_of(cast.alice)):
        _memories(cast.alice, owner, 4000, "active")
        _memories(cast.alice, owner, 1000, "paused")
    ten = least(lambda: alice.get("/memories/?all"))
    page = alice.get("/memories/?state=active").content.decode()
    mark = re.search(r'name="all"\s+value="([^"]+)"', page)
    assert mark is not None and "9000 memories" in page.replace(",", "")
    asked = alice.post(reverse("bulk"), {"act": "forget", "all": mark[1]}).content.decode()
    assert "Forget 9000 memories?" in asked.replace(",", "")
    began, begun = time.perf_counter(), used()
    answer = alice.post(reverse("bulk-confirm"), {"act": "forget", "picked": mark[1]})
    forgot, hidden = used() - begun, time.perf_counter() - began
    assert answer.status_code == 302
    with acting(system_of(cast.alice)):
        assert Memory.objects.filter(state="forgotten").count() == 9000
    found = re.search(r'name="until" value="([^"]+)"', alice.get("/forgotten/").content.decode())
    assert found is not None
    began, begun = time.perf_counter(), used()
    assert alice.post(reverse("bulk-undo"), {"until": found[1]}).status_code == 302
    back, shown = used() - begun, time.perf_counter() - began
    with capsys.disabled():
        print(
            f"list of 5,000 {five * 1000:.0f} ms of processors, of 10,000 {ten * 1000:.0f} ms; "
            f"9,000 forgotten in {forgot:.1f} s of processors ({hidden:.1f} s), "
            f"taken back in {back:.1f} s ({shown:.1f} s)"
        )
    assert five < SOON and ten < 2 * SOON and forgot < AT_ONCE and back < AT_ONCE


@pytest.mark.deep
@pytest.mark.django_db(transaction=True)
def test_every_page_is_quick_beside_five_thousand(
    alice: Client, cast: Cast, capsys: pytest.CaptureFixture[str]
) -> None:
    owner = {"tenant_id": cast.alice.tenant_id, "subject_id": cast.alice.id}
    memory = crowd(cast.alice, 25)
    with acting(system_of(cast.alice)):
        _memories(cast.alice, owner, 5000, "active")
        _reviews(_memories(cast.alice, owner, 200, "pending"), owner)
    with owner_connection() as database:  # as it does by itself within a minute
        database.execute("ANALYZE")
    agent = cast.agents["assistant"].id
    pages = {address: partial(alice.get, address) for address in (*map(reverse, LISTS), *FILTERED)}
    for name, one in (("memory", memory), ("memory-forget", memory), ("agent", agent)):
        pages[name] = partial(alice.get, reverse(name, args=[one]))
    costs = {name: (fastest(ask), least(ask)) for name, ask in pages.items()}
    with capsys.disabled():
        print("\n| page | ms | ms of processors |\n|---|---|---|")
        for name, (wall, used) in costs.items():
            print(f"| `{name}` | {wall * 1000:.0f} | {used * 1000:.0f} |")
    assert max(used for _, used in costs.values()) < SOON, costs


def least(ask: Callable[[], object]) -> float:
    """Return the seconds of processors that the thriftiest of five took: ours, and the database's for us."""
    taken = []
    for _ in range(5):
        begun = used()
        ask()
        taken.append(used() - begun)
    return min(taken)


def used() -> float:
    """Return the seconds that this process and its connection's have had a processor; other work does not count."""
    connection.ensure_connection()
    clock = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
    database = int(clock.read_text().split()[0]) / 1e9 if clock.exists() else 0
    return time.process_time() + database


def fastest(ask: Callable[[], object]) -> float:
    """Return the seconds of the quickest of five."""
    taken = []
    for _ in range(5):
        begun = time.perf_counter()
        ask()
        taken.append(time.perf_counter() - begun)
    return min(taken)
