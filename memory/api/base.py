"""What every API view does the same way: who calls, for whom, strict bodies, no caching."""

import re
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.principal import Principal
from memory.api.authentication import HasMemoryKey
from memory.errors import InvalidInput, VersionRequired

VERSION = re.compile(r"[1-9][0-9]{0,8}")


class MemoryView(APIView):
    """A view for agents' and persons' keys."""

    permission_classes: tuple[type[BasePermission], ...] = (HasMemoryKey,)

    @property
    def caller(self) -> Principal:
        """Who calls, before any person is named."""
        principal: Principal = self.request.user  # type: ignore[assignment]  # set by KeyAuthentication
        return principal

    def finalize_response(self, request: Request, response: Any, *args: Any, **kw: Any) -> Response:
        """Keep personal data out of every cache."""
        answer = super().finalize_response(request, response, *args, **kw)
        answer["Cache-Control"] = "no-store"
        return answer


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields it does not name; nothing sent is silently ignored."""

    def to_internal_value(self, data: Any) -> Any:
        """Validate, after looking for names that are not ours."""
        if isinstance(data, Mapping):
            unknown = sorted(set(map(str, data)) - set(self.fields))
            if unknown:
                raise serializers.ValidationError(dict.fromkeys(unknown, "Unknown field."))
        return super().to_internal_value(data)


def parse(serializer: type[StrictSerializer], data: Any) -> dict[str, Any]:
    """Return the validated values of a body or a query.

    Raises:
        ValidationError: names each field at fault.
    """
    if not isinstance(data, Mapping):
        raise InvalidInput("The body must be a JSON object.")
    checked = serializer(data=data)
    checked.is_valid(raise_exception=True)
    values: dict[str, Any] = checked.validated_data
    return values


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
