"""``Idempotency-Key``: a write sent twice takes effect once and is answered twice.

A write view returns what it `Written`: its answer and the ids the answer can be rendered from again.
With a key, effect and record are one transaction; without, the services' own transactions do.
"""

import hashlib
import json
import re
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import update_wrapper
from typing import Any, Concatenate

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.keys import KeyOwner
from memory import idempotency
from memory.api.base import MemoryView
from memory.errors import InvalidInput

HEADER = "Idempotency-Key"
NAME = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?")


@dataclass(frozen=True, slots=True)
class Written:
    """What a write did.

    ``response`` is its answer; None lets it be rendered from the ids once the change is committed,
    as a repeated request is. ``about`` is the person, whose erasure forgets the request too.
    """

    response: Response | None
    ids: Sequence[uuid.UUID]
    about: uuid.UUID | None = None
    status: int = 200


# Any: each view's own class.
type Handler[**P] = Callable[Concatenate[Any, Request, P], Written]
type Method[**P] = Callable[Concatenate[Any, Request, P], Response]
type Again = Callable[[Any, Written], Response]


def idempotent[**P](again: Again) -> Callable[[Handler[P]], Method[P]]:
    """Make a write repeatable under a key; ``again`` renders its answer from the ids alone."""

    def decorate(handler: Handler[P]) -> Method[P]:
        def method(view: Any, request: Request, /, *args: P.args, **kwargs: P.kwargs) -> Response:
            claim = _claim(request)
            if claim is None:
                return _answer(view, handler(view, request, *args, **kwargs), again)
            with transaction.atomic():
                record = idempotency.find(claim)
                if record is None:
                    written = handler(view, request, *args, **kwargs)
                    _keep(claim, written)
            if record is None:
                return _answer(view, written, again)
            response = again(
                view, Written(None, record.object_ids, record.subject_id, record.status)
            )
            response["Idempotency-Replayed"] = "true"
            return response

        update_wrapper(method, handler)
        method.idempotent = True  # type: ignore[attr-defined]  # the OpenAPI document looks for it
        return method

    return decorate


def _answer(view: MemoryView, written: Written, again: Again) -> Response:
    if written.response is not None:
        return written.response
    return again(view, replace(written, response=None))


def _keep(claim: idempotency.Claim, written: Written) -> None:
    status = written.response.status_code if written.response is not None else written.status
    idempotency.keep(claim, status=status, ids=written.ids, subject_id=written.about)


def _claim(request: Request) -> idempotency.Claim | None:
    """Return the request's claim, or None if it names none.

    Raises:
        InvalidInput: if the name is not printable ASCII of 1 to 200 characters.
    """
    name = request.headers.get(HEADER)
    owner = request.auth
    if name is None or not isinstance(owner, KeyOwner):
        return None
    if not NAME.fullmatch(name):
        raise InvalidInput(f"{HEADER} must be printable ASCII of 1 to 200 characters.")
    return idempotency.make_claim(
        tenant_id=owner.tenant_id, key_id=owner.key_id, name=name, request=_canonical(request)
    )


def _canonical(request: Request) -> bytes:
    """Return what makes two requests the same: method, address, If-Match and the body's values."""
    body: Any = request.data
    parts = [request.method, request.get_full_path(), request.headers.get("If-Match", ""), body]
    return json.dumps(parts, sort_keys=True, separators=(",", ":"), default=_digest).encode()


def _digest(file: "UploadedFile[Any]") -> str:
    """Return what stands for a file among the body's values."""
    found = hashlib.sha256(file.read()).hexdigest()
    file.seek(0)
    return found
