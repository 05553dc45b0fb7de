"""The examples of the documents work as they stand: each page is played, top to bottom, over HTTP."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import get_commands, load_command_class

from tests.architecture.source import ROOT
from tests.cast import build_cast

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

    from tests.cast import Cast

PLAYED = ("README.md", "docs/agents.md", "docs/api.md", "docs/sessions.md")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ADDRESS = re.compile(r"^API=\S+ KEY=\S+.*$", re.MULTILINE)
COMMAND = re.compile(r"manage\.py ([a-z_]+)((?: --?[^\s`|]+| [A-Z]+| [^\s`|-][^\s`|]*)*)")
# A refused call ends the script; what it answered is shown.
STRICT = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n'

needs_curl = pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")


def blocks(page: str, language: str) -> list[str]:
    """Return the page's blocks of a language that speak to the service."""
    found = BLOCK.findall((ROOT / page).read_text())
    return [
        code for named, code in found if named == language and ("call " in code or "api" in code)
    ]


def play(page: str, server: LiveServer, key: str) -> list[Any]:
    """Run a page's shell blocks as one script; return what each call printed."""
    script = STRICT + f"API={server.url}/api/v1 KEY={key}\n"
    if page == "docs/sessions.md":  # it says that the preamble of api.md holds
        script += ADDRESS.sub("", blocks("docs/api.md", "sh")[0])
    script += "\n".join(ADDRESS.sub("", code) for code in blocks(page, "sh"))
    done = subprocess.run(
        ["bash"], input=script, capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def everybody(live_server: LiveServer) -> Cast:
    """The cast, searched by meaning as in a real service."""
    return build_cast()


@needs_curl
@pytest.mark.parametrize("page", PLAYED)
def test_the_calls_of_a_page_work_as_they_are(
    page: str, live_server: LiveServer, everybody: Cast
) -> None:
    answers = play(page, live_server, everybody.keys["stranger"])
    assert len(answers) >= 3
    if page == "README.md":
        kept, found, _receipt, after = answers
        assert kept["decisions"][0]["outcome"] == "accepted"
        assert found["status"] == "found"
        assert after["status"] == "nothing_relevant"


def test_the_program_works_as_it_is(live_server: LiveServer, everybody: Cast) -> None:
    (program,) = blocks("docs/agents.md", "python")
    key = {"KEEPSAKE_API": f"{live_server.url}/api/v1/", "KEEPSAKE_KEY": everybody.keys["stranger"]}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | key,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    first, second, _end = done.stdout.split("=====")
    assert "以后所有报告都用中文写" in second
    assert "weekly report" in second and "weekly report" not in first


def options_of(parser: ArgumentParser) -> Iterator[str]:
    """The options of a command and of what it can be told to do."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, _SubParsersAction):
            for one in action.choices.values():
                yield from options_of(one)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_their_options_exist(page: object) -> None:
    unknown = []
    for name, options in COMMAND.findall(page.read_text()):  # type: ignore[attr-defined]
        app = get_commands().get(name)
        if app is None:
            unknown.append(name)
            continue
        parser = load_command_class(str(app), name).create_parser("manage.py", name)
        known = set(options_of(parser))
        unknown += [
            f"{name} {one}" for one in re.findall(r"--[a-z-]+", options) if one not in known
        ]
    assert unknown == []
