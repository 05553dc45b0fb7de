"""The repository speaks for itself: nothing in it points at a place a newcomer does not have."""

import re
from pathlib import Path

import pytest

from tests.architecture.source import CODE, ROOT, tracked

PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXT = {".py", ".md", ".toml", ".yaml", ".yml", ".sh", ".html", ".css", ".js", ".txt", ".po", ""}
# Put together here, so that this file does not hold them.
FOLDER = "sha" + "red/"
NOTES = "|".join(("DESIGN", "MEMORY", "PRIVACY", "HABITS", "RUNNING", "EMBEDDING", "DASHBOARD"))
FORBIDDEN = re.compile(
    rf"(?<!\w){FOLDER}|(?<![\w/.])(?:{NOTES})\.md|\bissues (?:show|list|close)\b"
)
# Where tests may look for large sets that are not in the repository; absent sets are skipped.
DATA_PATH = ROOT / "tests" / "data" / "sets.py"
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FILE = re.compile(r"(?:[\w.-]+/)+[\w-]+\.(?:py|md|sh|toml|yaml|html|npz)")


def test_nothing_points_outside() -> None:
    found = []
    for path in tracked():
        if path.suffix not in TEXT or path == DATA_PATH:
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1):
            if match := FORBIDDEN.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number} {match[0]}")
    assert found == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    dead = []
    for target in LINK.findall(page.read_text()):
        address, _, anchor = target.partition("#")
        if address.startswith(("http://", "https://", "mailto:")):
            continue
        file = (page.parent / address).resolve() if address else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            dead.append(target)
    assert dead == []


def anchors(page: Path) -> set[str]:
    """The names GitHub gives to a page's headings."""
    titles = [line.lstrip("#").strip() for line in page.read_text().splitlines() if line[:1] == "#"]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_it_names_exist(page: Path) -> None:
    named = [name for code in CODE.findall(page.read_text()) for name in FILE.findall(code)]
    homes = (ROOT, page.parent)
    assert [
        n for n in named if not n.startswith("var/") and not any((h / n).exists() for h in homes)
    ] == []


def test_the_readme_follows_one_memory() -> None:
    """Newcomers read the code in this order, so each file must be there, and hold what it says."""
    text = (ROOT / "README.md").read_text().partition("## Follow one memory")[2]
    stations = re.findall(r"^\d+\. `([^`]+)`: .*\(`(\w+)`\)$", text, re.MULTILINE)
    assert len(stations) == 10
    for file, name in stations:
        source = (ROOT / file).read_text()
        assert re.search(rf"^(?:def|class) {name}\b", source, re.MULTILINE), f"{file}: {name}"
