"""What every table of the console offers: CSV, times, searches by kind; and the pages beside the tables."""

from __future__ import annotations

import csv
import html
import io
import re
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

import pytest
from django.conf import settings as django_settings
from django.test import Client
from prometheus_client import CollectorRegistry, Histogram
from pytest_django import Settings

from accounts.models import AuditEvent, AuditSeal, Subject
from accounts.sealing import Finding
from memory.admin import manual, sheet
from tests.cast import Cast
from tests.console.conftest import signed_in
from tests.console.test_acting import WHY, key_of, lines
from tests.console.test_crawl import TABLES

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])
BOTH = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(\d\d:\d\d:\d\d UTC\)")


def rows_of(client: Client, address: str) -> list[dict[str, str]]:
    answer = client.get(address)
    assert answer.status_code == 200 and answer["Content-Type"] == "text/csv; charset=utf-8"
    assert "no-store" in answer["Cache-Control"]
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_a_table_is_handed_over_as_it_is_filtered(operator: Client, cast: Cast) -> None:
    Subject.objects.create(tenant=cast.globex, external_id='=HYPERLINK("http://x","查理")')
    Subject.objects.create(tenant=cast.globex, external_id="@小明")
    shown = f"/admin/console/person/?tenant__id__exact={cast.globex.id}"
    assert 'href="/admin/console/person/csv/?tenant__id__exact=' in (
        html.unescape(operator.get(shown).content.decode())
    )
    rows = rows_of(operator, shown.replace("/?", "/csv/?"))
    names = {row["external_id"] for row in rows}
    assert names == {"alice", '\'=HYPERLINK("http://x","查理")', "'@小明"}
    assert {row["tenant"] for row in rows} == {"Globex 环球"}
    assert all(row["created_at"].endswith("+00:00") for row in rows)
    (line,) = AuditEvent.objects.filter(code="console.acted")
    assert (line.decision, line.object_kind, line.result_count) == ("csv", "person", 3)
    assert line.tenant_id == cast.globex.id and line.actor_id is not None


def test_no_more_than_so_many_rows(
    operator: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet, "MOST_ROWS", 2)
    assert len(rows_of(operator, "/admin/console/agent/csv/")) == 2


def test_a_made_up_filter_hands_nothing_over(operator: Client, cast: Cast) -> None:
    assert operator.get("/admin/console/person/csv/?nothing=1").status_code == 400
    assert not AuditEvent.objects.filter(code="console.acted").exists()


def test_people_get_no_file(cast: Cast) -> None:
    person = signed_in("alice@example.com", staff=False)
    assert person.get("/admin/console/person/csv/", follow=True).status_code == 403


def test_times_are_the_operators_and_utc(operator: Client, cast: Cast) -> None:
    page = operator.get("/admin/console/tenant/").content.decode()
    assert "UTC</td>" in page and not BOTH.search(page)
    operator.cookies["tz"] = "Asia/Shanghai"
    for address in (
        "/admin/",
        "/admin/console/tenant/",
        f"/admin/console/key/{key_of(cast)}/change/",
    ):
        assert BOTH.search(operator.get(address).content.decode()), address
    operator.cookies["tz"] = "Mars/Olympus"
    assert operator.get("/admin/console/tenant/").status_code == 200


def test_a_kind_narrows_a_search(operator: Client, cast: Cast) -> None:
    odd = Subject.objects.create(tenant=cast.acme, external_id="tg:王五")
    found = operator.get("/admin/find/", {"q": "user:tg:王五"})
    assert found["Location"].endswith(f"/person/{odd.id}/change/")
    assert operator.get("/admin/find/", {"q": "tg:王五"})["Location"] == found["Location"]
    assert not operator.get("/admin/find/", {"q": f"job:{odd.id}"}).context["hits"]
    shown = operator.get("/admin/console/person/", {"q": "person:tg:王五"})
    assert shown.context["cl"].result_count == 1
    assert operator.get("/admin/console/person/", {"q": "job:tg"}).context["cl"].result_count == 0


def test_the_chain_is_verified_for_a_reason(
    operator: Client, cast: Cast, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    asked = operator.get("/admin/console/line/verify/")
    assert b"Ticket" in asked.content and lines() == []
    assert operator.post("/admin/console/line/verify/", {"ticket": "OPS-1"}).status_code == 200
    whole = operator.post("/admin/console/line/verify/", WHY)
    assert b"lines are as they were sealed" in whole.content
    assert lines()[0][:2] == ("verify_audit", "chain")
    assert AuditSeal.objects.exists()
    found = [Finding(what="2 lines removed", seal=3)]
    with patch("memory.admin.checking.verify", return_value=found):
        broken = operator.post("/admin/console/line/verify/", WHY).content.decode()
    assert "2 lines removed" in broken and "Seal 3:" in broken


def test_the_manual_has_every_figure_and_leads_nowhere_else(operator: Client, cast: Cast) -> None:
    first = operator.get("/admin/")
    page = operator.get("/admin/manual/").content.decode()
    names = set(re.findall(r'<h\d id="([^"]+)"', page))
    article = page.partition('<article class="manual">')[2].partition("</article>")[0]
    links = set(re.findall(r'href="([^"]*)"', article))
    assert links and all(one.startswith("#") and one[1:] in names for one in links)
    wanted = {one.manual for one in first.context["figures"]}
    wanted |= {one.manual for one in first.context["lasts"]}
    assert wanted <= names
    assert manual.FILE == "docs/operate.md" and Path(django_settings.BASE_DIR, manual.FILE).exists()


def test_the_first_page_says_when_the_last_backup_was(
    operator: Client, cast: Cast, settings: Settings, tmp_path: Path
) -> None:
    settings.BACKUP_DIR = str(tmp_path)
    lasts = {one.words: one.at for one in operator.get("/admin/").context["lasts"]}
    assert lasts == {"Backup": None, "Restore": None}
    (tmp_path / "main" / "20261130T031500Z").mkdir(parents=True)
    page = operator.get("/admin/")
    (backup, _restore) = page.context["lasts"]
    assert backup.at is not None and f"{backup.at:%Y%m%dT%H%M%SZ}" == "20261130T031500Z"
    assert "2026-11-30 03:15:00 UTC" in page.content.decode()


def test_every_table_has_its_file(operator: Client, cast: Cast) -> None:
    for name, table in TABLES.items():
        answer = operator.get(f"/admin/console/{name}/csv/")
        assert answer.status_code == 200, name
        header = answer.content.decode("utf-8-sig").splitlines()[0]
        assert header == ",".join(map(str, table.list_display))


def test_the_first_page_says_how_requests_were_answered(
    operator: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert operator.get("/admin/").context["served"].answers >= 0
    registry = CollectorRegistry()
    series = Histogram(
        "keepsake_request_seconds",
        "of a test",
        ["route", "method", "status"],
        buckets=(0.1, 1),
        registry=registry,
    )
    for status, seconds, number in (("200", 0.05, 190), ("503", 0.5, 2), ("500", 5, 8)):
        for _ in range(number):
            series.labels("recall", "POST", status).observe(seconds)
    monkeypatch.setattr("memory.measuring.gathered", lambda: nullcontext(registry))
    page = operator.get("/admin/")
    found = page.context["served"]
    assert (found.answers, found.faults, found.seconds) == (200, 10, 0.1)
    assert "10 (5.00 %)" in page.content.decode() and "0.1 s" in page.content.decode()
