"""examples/agent.py runs as it stands, against the real server, with a model and without."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.architecture.source import ROOT
from tests.cast import Api, build_cast

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

    from tests.cast import Cast

WHO = "alice"


@pytest.fixture
def everybody(live_server: LiveServer) -> Cast:
    """The cast, searched by meaning as in a real service."""
    return build_cast()


def run(server: LiveServer, key: str, *said: str, typed: str = "", **more: str) -> Any:
    """Let the agent speak, and do the work its turns left behind."""
    from memory import jobs, queue

    env = {name: text for name, text in os.environ.items() if not name.startswith("OPENAI_")}
    env |= {"KEEPSAKE_API": f"{server.url}/api/v1/", "KEEPSAKE_KEY": key, "NO_PROXY": "localhost"}
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "agent.py", "--user", WHO, *said],
        input=typed,
        env=env | more,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    for job in queue.due_jobs():
        jobs.run_job(job)
    return done


@pytest.mark.parametrize(
    ("wish", "question"),
    [
        ("以后所有报告都用中文写，先给数字。", "周报用什么语言写？"),
        (
            "From now on write all reports in English, numbers first.",
            "How should I write the report?",
        ),
    ],
)
def test_without_a_model_the_loop_is_seen(
    live_server: LiveServer, everybody: Cast, wish: str, question: str
) -> None:
    key = everybody.keys["stranger"]
    first = run(live_server, key, wish, "--show")
    assert first.returncode == 0, first.stderr
    assert f"[user] {wish}" in first.stdout and "I know nothing" in first.stdout
    second = run(live_server, key, typed=f"{question}\n\n")
    assert second.returncode == 0, second.stderr
    assert f"I know: {wish}" in second.stdout
    api = Api(key)
    newest, *_ = api("GET", f"sessions?user_id={WHO}").json()["sessions"]
    said = api("GET", f"sessions/{newest['id']}/messages").json()["messages"]
    assert [one["role"] for one in said] == ["user", "assistant"]
    assert said[0]["content"] == question and newest["closed_at"]


def test_any_server_of_the_chat_protocol_answers(live_server: LiveServer, everybody: Cast) -> None:
    from memory.evaluation.scripted_model import running

    key = everybody.keys["stranger"]
    asked: list[list[dict[str, str]]] = []

    def reply(body: Any) -> str:
        asked.append(body["messages"])
        assert body["model"] == "tiny"
        return f"第 {len(asked)} 个回答"

    with running(reply) as model:
        told = {"OPENAI_BASE_URL": model.base_url, "OPENAI_MODEL": "tiny", "OPENAI_API_KEY": "x"}
        told |= {"NO_PROXY": "localhost,127.0.0.1"}
        first = run(live_server, key, "以后叫我老王。", "你好吗，今天？", **told)
        assert first.stdout.splitlines() == ["第 1 个回答", "第 2 个回答"], first.stderr
        run(live_server, key, "Draft a mail to my landlord.", **told)
    assert [one["content"] for one in asked[1]][-3:] == [
        "以后叫我老王。",
        "第 1 个回答",
        "你好吗，今天？",
    ]
    assert "以后叫我老王。" in asked[2][1]["content"] and asked[2][0]["role"] == "system"


def test_a_refusal_is_said_in_words(live_server: LiveServer, everybody: Cast) -> None:
    done = run(live_server, "ks_live_nobody_x", "hi 你好")
    assert done.returncode == 1 and done.stderr.startswith("401: ")


@pytest.mark.parametrize("key", ["", "ks_…"])
def test_without_a_key_it_says_where_one_is_from(live_server: LiveServer, key: str) -> None:
    done = run(live_server, key, "hi 你好")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "set KEEPSAKE_KEY" in done.stderr and "manage.py bootstrap" in done.stderr


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"KEEPSAKE_API": "http://localhost:1/"}, "No answer from http://localhost:1/sessions"),
        ({"KEEPSAKE_API": "localhost"}, "Not understood: unknown url type"),
        ({"OPENAI_BASE_URL": "http://localhost:1/v1"}, "No answer from http://localhost:1/v1/chat"),
    ],
)
def test_what_does_not_answer_is_named(
    live_server: LiveServer, everybody: Cast, given: dict[str, str], words: str
) -> None:
    done = run(live_server, everybody.keys["stranger"], "hi 你好", **given)
    assert done.returncode == 1 and done.stderr.startswith(words), done.stderr
