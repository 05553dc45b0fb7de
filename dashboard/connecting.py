"""What an agent's developer copies: the first calls to this service, about this person."""

import json
import shlex
from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.words import Words

SHELL = """\
API={api} KEY=ks_…
call() {{ curl -sS -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" "$@"; echo; }}

# {writes}
call $API/memories -d {memory}

# {reads}
call $API/recall -d {question}
"""
HTTPX = """\
import os

import httpx

api = httpx.Client(
    base_url={api!r},
    headers={{"Authorization": f"Bearer {{os.environ['KEEPSAKE_KEY']}}"}},
    timeout=30,
)


def post(path, **body):
    return api.post(path, json=body).raise_for_status().json()
"""
STANDARD = """\
import json
import os
from urllib.request import Request, urlopen

HEADERS = {{
    "Authorization": f"Bearer {{os.environ['KEEPSAKE_KEY']}}",
    "Content-Type": "application/json",
}}


def post(path, **body):
    request = Request({api!r} + path, json.dumps(body).encode(), HEADERS)
    with urlopen(request, timeout=30) as answer:
        return json.load(answer)
"""
TURN = """

session = post("sessions", user_id={user_id!r})["id"]
# {turn}
prompt = post(f"sessions/{{session}}/turn", query={query!r})["messages"]
print(prompt)  # {model}
reply = {reply!r}
post(f"sessions/{{session}}/messages", messages=[{{"role": "assistant", "content": reply}}])
"""
AGENT = """\
export KEEPSAKE_API={api}/ KEEPSAKE_KEY=ks_…
# export OPENAI_BASE_URL=… OPENAI_MODEL=… OPENAI_API_KEY=…  # {model}
python3 examples/agent.py --user {user_id} --show
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One way to call: its name in the address, its words, and what to copy."""

    name: str
    words: Words
    code: str


def examples(api: str, user_id: str) -> list[Example]:
    """Return the calls, for the service at ``api`` (without a slash at its end)."""
    text, question = _("I prefer short answers in the morning."), _("How long should my answer be?")
    turn = TURN.format(
        user_id=user_id,
        query=text,
        reply=_("I will keep it short."),
        turn=_("Keeps what the person says, and returns the prompt with what is known."),
        model=_("hand this to your model"),
    )
    memory = {"user_id": user_id, "text": text, "subtype": "preference"}
    shell = SHELL.format(
        api=api,
        memory=_quoted(memory),
        question=_quoted({"user_id": user_id, "query": question}),
        writes=_("It writes: the answer says what was kept and why."),
        reads=_("It reads: before it answers, it asks what is known."),
    )
    agent = AGENT.format(
        api=api, user_id=shlex.quote(user_id), model=_("without these, a scripted reply answers")
    )
    return [
        Example(name="curl", words="curl", code=shell),
        Example(name="httpx", words="Python, httpx", code=HTTPX.format(api=f"{api}/") + turn),
        Example(
            name="standard",
            words=_("Python, without other packages"),
            code=STANDARD.format(api=f"{api}/") + turn,
        ),
        Example(
            name="agent", words=_("A whole agent, with any OpenAI-compatible model"), code=agent
        ),
    ]


def _quoted(body: dict[str, str]) -> str:
    return shlex.quote(json.dumps(body, ensure_ascii=False))
