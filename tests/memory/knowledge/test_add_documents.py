"""``manage.py add_documents``: an operator hands files and folders in."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from accounts.acting import acting
from memory import jobs, queue
from memory.models import Document
from tests.cast import Cast
from tests.memory.knowledge.shelf import look, pipeline


def add(*paths: Path) -> dict[str, str]:
    """Return what the command said of each file, by its name."""
    out = StringIO()
    try:
        call_command("add_documents", "--tenant", "Acme", *map(str, paths), stdout=out)
    finally:
        lines = [line.rsplit("  ", 1) for line in out.getvalue().splitlines()]
    return {Path(name).name: said for name, said in lines}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    (tmp_path / "returns.md").write_text("# 退货\n\n签收后三十天内可以退货。", "utf-8")
    (tmp_path / "deep" / "prices.txt").write_text("The blue kayak costs 300 euros.", "utf-8")
    (tmp_path / "logo.png").write_bytes(b"\x89PNG")
    return tmp_path


def test_a_folder_is_handed_in_and_found(cast: Cast, folder: Path) -> None:
    assert add(folder) == {"prices.txt": "new", "returns.md": "new"}
    for job_id in queue.due_jobs():
        jobs.run_job(job_id)
    assert "三十天" in look(cast.acme, "多少天内可以退货 签收后").passages[0].text
    assert "300 euros" in look(cast.acme, "What does the blue kayak cost?").passages[0].text
    with acting(pipeline(cast.acme)):
        assert set(Document.objects.values_list("sender_kind", flat=True)) == {"operator"}


def test_sent_again_only_what_has_changed_is_read(cast: Cast, folder: Path) -> None:
    add(folder)
    (folder / "returns.md").write_text("# 退货\n\n签收后七天内可以退货。", "utf-8")
    assert add(folder) == {"prices.txt": "unchanged", "returns.md": "changed"}


def test_what_is_refused_holds_nothing_up_and_is_an_error(cast: Cast, folder: Path) -> None:
    (folder / "broken.pdf").write_bytes(b"no PDF")
    with pytest.raises(CommandError, match="1 refused"):
        add(folder)
    with acting(pipeline(cast.acme)):
        assert Document.objects.count() == 2
    with pytest.raises(CommandError, match="1 refused"):
        add(folder / "logo.png")


def test_unknown_names_are_said(cast: Cast, folder: Path) -> None:
    with pytest.raises(CommandError, match="no organisation Nobody"):
        call_command("add_documents", "--tenant", "Nobody", str(folder))
    with pytest.raises(CommandError, match="There is no file"):
        add(folder / "none.md")
