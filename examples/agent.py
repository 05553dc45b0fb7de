"""A chat agent that remembers. One file, Python's standard library alone.

    KEEPSAKE_KEY=ks_… python3 examples/agent.py --user alice
    KEEPSAKE_KEY=ks_… python3 examples/agent.py --user alice "What should I cook tonight?"

Each line is one turn: the service keeps it and returns the prompt (`POST …/turn`), the model answers, the
answer is handed over (`POST …/messages`), and only then the turn is read for memories. With
``OPENAI_BASE_URL`` any server of that protocol answers (``OPENAI_MODEL``, ``OPENAI_API_KEY``); without, a
scripted reply tells what a model would have known. ``--show`` prints the prompts.
"""

import argparse
import json
import os
import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

API = os.environ.get("KEEPSAKE_API", "http://localhost:8787/api/v1/")
KEY = os.environ.get("KEEPSAKE_KEY", "")
MODEL_API = os.environ.get("OPENAI_BASE_URL", "")
SYSTEM = "You are a helpful assistant. Answer briefly, in the language of the question."
SECONDS = 60.0  # that an answer may take
TRIES = 3  # of a request that got no answer: it carries the same key, so it is done once
NO_KEY = (
    "set KEEPSAKE_KEY to an agent's key. `make run` prints one (KEY=ks_demo_…); one of your own: "
    '.venv/bin/python manage.py bootstrap --tenant Acme --agent "My agent"'
)

type Messages = list[dict[str, str]]
type Model = Callable[[Messages], str]


def post(base: str, path: str, key: str, body: Any, name: str = "") -> Any:
    """Send JSON and return the JSON that comes back; with a ``name`` what got no answer is sent again.

    Whatever goes wrong ends the program, with a sentence.
    """
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    headers |= {"Idempotency-Key": name} if name else {}
    address = f"{base.rstrip('/')}/{path}"
    for left in reversed(range(TRIES if name else 1)):
        try:
            request = Request(address, json.dumps(body).encode(), headers)
            with urlopen(request, timeout=SECONDS) as answer:
                return json.load(answer)
        except HTTPError as problem:
            sys.exit(f"{problem.code}: {reason(problem)} ({address})")
        except ValueError as error:  # an address, a key or an answer that is none
            sys.exit(f"Not understood: {error} ({address})")
        except (OSError, HTTPException) as error:
            if not left:
                sys.exit(f"No answer from {address}: {error}")
    raise AssertionError


def reason(problem: HTTPError) -> str:
    """Return why a request was refused, as the service or a model's server says it."""
    try:
        found = json.load(problem)
        return str(found.get("detail") or found["error"]["message"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return problem.reason


def write(path: str, body: Any) -> Any:
    """Write to the service."""
    return post(API, path, KEY, body, str(uuid.uuid4()))


def ask_model(messages: Messages) -> str:
    """Let a server of OpenAI's chat protocol answer."""
    body = {"model": os.environ.get("OPENAI_MODEL", "gpt-4o-mini"), "messages": messages}
    answer = post(MODEL_API, "chat/completions", os.environ.get("OPENAI_API_KEY", ""), body)
    try:
        return str(answer["choices"][0]["message"]["content"])
    except (KeyError, IndexError, TypeError):
        sys.exit(f"No reply in the answer of {MODEL_API}: {json.dumps(answer)[:200]}")


def scripted(messages: Messages) -> str:
    """Tell, in place of a model, what one would know."""
    known = [
        line.removeprefix("- ")
        for one in messages
        if one["role"] == "system"
        for line in one["content"].splitlines()
        if line.startswith("- ")
    ]
    return f"I know: {'; '.join(known)}" if known else "I know nothing about that yet."


def take_turn(session: str, said: str, model: Model, *, show: bool = False) -> str:
    """One turn: recall before the model answers, reading for memories after it."""
    prompt = write(f"sessions/{session}/turn", {"query": said, "system": SYSTEM})["messages"]
    if show:
        print(*(f"  [{one['role']}] {one['content']}" for one in prompt), sep="\n")
    reply = model(prompt)
    answer = {"messages": [{"role": "assistant", "content": reply}]}
    write(f"sessions/{session}/messages", answer)
    return reply


def lines(given: Sequence[str]) -> Iterator[str]:
    """What the person says: the arguments, else line by line."""
    if given:
        yield from given
        return
    while True:
        try:
            line = input("> ")
        except (EOFError, KeyboardInterrupt):
            return
        if line.strip():
            yield line


def main() -> None:
    """Talk until there is nothing more to say, then close the session."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("said", nargs="*", help="what to say; absent: read line by line")
    parser.add_argument("--user", required=True, help="whom you speak as: your user_id")
    parser.add_argument("--show", action="store_true", help="print the prompts")
    options = parser.parse_args()
    if not KEY or not KEY.isascii():
        parser.error(NO_KEY)
    session = write("sessions", {"user_id": options.user})["id"]
    model = ask_model if MODEL_API else scripted
    for said in lines(options.said):
        print(take_turn(session, said, model, show=options.show))
    write(f"sessions/{session}/close", {})


if __name__ == "__main__":
    main()
