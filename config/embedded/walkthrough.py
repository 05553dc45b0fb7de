"""The demo's commands: a short walk through writing, recalling and erasing that works as printed."""

import shlex
import urllib.error
import urllib.request
from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import urlencode

MESSAGE = "以后所有报告都用中文写，先给数字。"
QUESTION = "Which language should the reports be written in?"
FIRST_ID = """id() { grep -o '"id": *"[^"]*"' | head -1 | cut -d '"' -f 4; }"""


def walkthrough(url: str, demo: Mapping[str, str]) -> list[str]:
    """Return the lines that show the demo person's login and calls with the demo agent's key."""
    user = demo["user_id"]
    recall = _post("$API/recall", f'{{"user_id": "{user}", "query": "{QUESTION}"}}')
    message = f'{{"messages": [{{"role": "user", "content": "{MESSAGE}"}}]}}'
    opened = _post("$API/sessions", f'{{"user_id": "{user}"}}')
    return [
        f"  Sign in as {demo['email']} with the password {demo['password']} (or your own, if you changed it)",
        "",
        "Try it:",
        f"  API={url}/api/v1 KEY={shlex.quote(demo['agent_key'])}",
        '  call() { curl -sS -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" "$@"; echo; }',
        f"  {FIRST_ID}",
        f"  SESSION=$({opened} | id)",
        "  " + _post("$API/sessions/$SESSION/messages?wait=true", message),
        "  " + recall,
        f"  MEMORY=$({recall} | id)",
        '  call -X DELETE "$API/memories/$MEMORY"',
        "  " + recall,
    ]


def _post(address: str, body: str) -> str:
    return f'call "{address}" -d {shlex.quote(body)}'


def still_works(port: int, demo: Mapping[str, str]) -> bool:
    """Tell whether the demo of an earlier run is still there and its key accepted."""
    if not {"user_id", "agent_key", "email", "password"} <= demo.keys():
        return False
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/memories?{urlencode({'user_id': demo['user_id']})}",
        headers={"Host": f"localhost:{port}", "Authorization": f"Bearer {demo['agent_key']}"},
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return bool(answer.status == HTTPStatus.OK)
    except (urllib.error.URLError, OSError):
        return False
