"""What every API view does the same way: who calls, for whom, strict bodies, no caching."""

import math
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.acting import SubjectMoved
from accounts.principal import Principal
from memory.anew import read_anew
from memory.api.authentication import HasMemoryKey
from memory.api.json_types import mistyped
from memory.api.limits import Allowance
from memory.errors import InvalidInput, KeyDestroyed, QuotaExceeded, VersionRequired
from memory.quotas import Quota

VERSION = re.compile(r"[1-9][0-9]{0,8}")
FLAGS = {"true": True, "1": True, "false": False, "0": False, "": False}


class MemoryView(APIView):
    """A view for agents' and persons' keys."""

    permission_classes: tuple[type[BasePermission], ...] = (HasMemoryKey,)
    allowance: Allowance | None = None
    # What of the tenant's quotas a request uses, by method.
    counts: Mapping[str, tuple[Quota, ...]] = {}
    anew = False  # whether the request is done a second time

    @property
    def caller(self) -> Principal:
        """Who calls, before any person is named."""
        principal: Principal = self.request.user  # type: ignore[assignment]  # set by KeyAuthentication
        return principal

    def throttled(self, request: Request, wait: float | None) -> NoReturn:
        """Refuse: the tenant's quota is used up, or requests come too fast."""
        if self.allowance is not None and self.allowance.quota:
            raise QuotaExceeded(
                f"Your organisation's quota of {self.allowance.quota} is {self.allowance.most}.",
                wait=math.ceil(wait or 0) + 1,
            )
        super().throttled(request, wait or 0)

    def handle_exception(self, exc: Exception) -> Response:
        """Answer an error; what met a person that moved, or a memory that was erased meanwhile, is done again."""
        if isinstance(exc, (SubjectMoved, KeyDestroyed)) and not self.anew:
            self.anew = True
            try:
                handler = getattr(self, str(self.request.method).lower())
                answer: Response = read_anew(
                    lambda: handler(self.request, *self.args, **self.kwargs)
                )
            except Exception as error:  # noqa: BLE001 - answered like any other
                return super().handle_exception(error)
            return answer
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kw: Any) -> Response:
        """Keep personal data out of every cache, and say what is left of the rate limit."""
        answer = super().finalize_response(request, response, *args, **kw)
        answer["Cache-Control"] = "no-store"
        for name, value in self.allowance.headers.items() if self.allowance else ():
            answer[name] = value
        return answer


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields it does not name and types it does not mean; nothing sent is silently ignored."""

    def to_internal_value(self, data: Any) -> Any:
        """Validate, after looking for names that are not ours and JSON of another type."""
        if isinstance(data, Mapping):
            unknown = sorted(set(map(str, data)) - set(self.fields))
            faults = dict.fromkeys(unknown, "Unknown field.")
            if not self.context.get("query"):
                faults |= mistyped(self.fields.values(), data)
            if faults:
                raise serializers.ValidationError(faults | self._other_faults(data, faults))
        return super().to_internal_value(data)

    def _other_faults(self, data: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
        rest = {name: value for name, value in data.items() if name not in known}
        try:
            super().to_internal_value(rest)
        except serializers.ValidationError as error:
            details: Any = error.detail  # by field
            return {name: one for name, one in details.items() if name not in known}
        return {}


def parse(serializer: type[StrictSerializer], data: Any) -> dict[str, Any]:
    """Return the validated values of a body or a query.

    Raises:
        ValidationError: names each field at fault.
    """
    if not isinstance(data, Mapping):
        raise InvalidInput("The body must be a JSON object.")
    query = isinstance(data, QueryDict)
    if isinstance(data, QueryDict):
        _refuse_repeats(data)
        data = data.dict()
    checked = serializer(data=data, context={"query": query})
    checked.is_valid(raise_exception=True)
    values: dict[str, Any] = checked.validated_data
    return values


def _refuse_repeats(query: QueryDict) -> None:
    twice = sorted(name for name, values in query.lists() if len(values) > 1)
    if twice:
        raise serializers.ValidationError(dict.fromkeys(twice, "Given more than once."))


def flag(request: Request, name: str) -> bool:
    """Return a true-or-false parameter of the query; absent: false.

    Raises:
        InvalidInput: if it is neither true nor false.
    """
    value = request.query_params.get(name, "").lower()
    if value not in FLAGS:
        raise InvalidInput(f"{name} must be true or false.")
    return FLAGS[value]


def if_match(request: Request) -> int:
    """Return the version number in ``If-Match``.

    Raises:
        VersionRequired: if it is missing.
        InvalidInput: if it is no version.
    """
    header = request.headers.get("If-Match", "").strip()
    if not header:
        raise VersionRequired('Send If-Match with the version you read, for example If-Match: "3".')
    number = header.removeprefix("W/").strip('"')
    if not VERSION.fullmatch(number):
        raise InvalidInput('If-Match must be a version, for example "3".')
    return int(number)
