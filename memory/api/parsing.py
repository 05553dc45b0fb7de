"""Bodies: JSON objects of valid Unicode, within the size limit, not nested without end."""

import json
import re
from collections.abc import Mapping
from typing import Any, Never

from django.conf import settings
from rest_framework.parsers import BaseParser

from memory.api.json_types import control_fault
from memory.errors import InvalidInput, TooLarge

MAX_DEPTH = 20
SURROGATE = re.compile("[\ud800-\udfff]")


class StrictJSONParser(BaseParser):
    """Parses ``application/json`` and refuses what could not be stored or answered as it came."""

    media_type = "application/json"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the body's object.

        Raises:
            TooLarge: over the limit.
            InvalidInput: says what is wrong with it.
        """
        raw = stream.read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
        if len(raw) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TooLarge(f"The body is over {settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes.")
        try:
            body = json.loads(
                raw.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_object
            )
        except UnicodeDecodeError:
            raise InvalidInput("The body is not UTF-8.") from None
        except (ValueError, RecursionError):
            raise InvalidInput("The body is not JSON.") from None
        if not isinstance(body, dict):
            raise InvalidInput("The body must be a JSON object.")
        _check(body, MAX_DEPTH)
        return body


def _no_constant(name: str) -> Never:
    raise ValueError(name)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a name that comes twice: readers disagree on which of the two counts."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InvalidInput("An object names a field twice.")
    return found


def _check(value: Any, depth: int) -> None:
    if depth == 0:
        raise InvalidInput(f"The body is nested deeper than {MAX_DEPTH} levels.")
    if isinstance(value, dict):
        for key, inner in value.items():
            _check_text(key)
            if fault := control_fault(key):
                raise InvalidInput(f"A name of a field: {fault}")
            _check(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, depth - 1)
    elif isinstance(value, str):
        _check_text(value)


def _check_text(text: str) -> None:
    if SURROGATE.search(text):
        raise InvalidInput("A text holds half of a surrogate pair.")
