"""What a board may say: a JSON object of known parts. Pure: no table, no clock."""

import json
from collections.abc import Mapping
from typing import Any

from memory.errors import InvalidInput, TooLarge
from memory.policy import BOARD
from memory.write.redact import redact

type State = dict[str, Any]

TEXTS = (str, list)
# The parts of a board in the order a model needs them, and what each may be.
PARTS: dict[str, tuple[type, ...]] = {
    "goal": (str,),
    "constraints": TEXTS,
    "doing": TEXTS,
    "open_questions": TEXTS,
    "done": (list,),
    "candidates": (list,),
    "query_id": (str,),
    "rollback": (str, list, dict),
    "notes": TEXTS,
}
NAMES: dict[type, str] = {str: "text", list: "a list", dict: "an object"}


def checked(state: object) -> State:
    """Return a state that may be kept: known parts, secrets cut out, within the limit.

    Raises:
        InvalidInput: names the part at fault.
        TooLarge: names the limit.
    """
    if not isinstance(state, dict):
        raise InvalidInput("state must be a JSON object.")
    for name, value in state.items():
        if name not in PARTS:
            raise InvalidInput(f"state.{name} is unknown; known are {', '.join(PARTS)}.")
        if not isinstance(value, PARTS[name]):
            allowed = " or ".join(NAMES[kind] for kind in PARTS[name])
            raise InvalidInput(f"state.{name} must be {allowed}.")
    clean: State = {name: without_secrets(value, name) for name, value in state.items()}
    if len(written(clean).encode()) > BOARD.max_bytes:
        raise TooLarge(f"A board's state is at most {BOARD.max_bytes} bytes of JSON.")
    return clean


def written(state: Mapping[str, Any]) -> str:
    """Return a state as JSON, the form that is sealed and measured."""
    return json.dumps(state, ensure_ascii=False, separators=(",", ":"))


def merged(target: object, patch: object) -> Any:
    """Return ``target`` after a merge patch (RFC 7396): null removes, objects merge, lists replace."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


def without_secrets(value: Any, name: str) -> Any:
    """Return a JSON value with its secrets as placeholders; what holds none stays as it came.

    A text is looked at together with its name: {"password": "…"} says what "…" is.
    """
    if isinstance(value, dict):
        return {_text(key, ""): without_secrets(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [without_secrets(inner, name) for inner in value]
    if isinstance(value, str):
        return _text(value, name)
    if isinstance(value, int) and not isinstance(value, bool):
        shown = _text(str(value), name)
        return value if shown == str(value) else shown
    return value


def _text(text: str, name: str) -> str:
    alone = redact(text)
    if alone.secrets:
        return alone.text
    head = f"{name.replace('_', ' ')}: "
    named = redact(head + text)
    if name and named.secrets and named.text.startswith(head):
        return named.text.removeprefix(head)
    return text
