"""/users: make a person known, find them by the caller's id."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.subjects import find_subject
from memory import access
from memory.api import inputs
from memory.api.base import MemoryView, parse


class UsersView(MemoryView):
    """Get or create a person by ``user_id``."""

    @extend_schema(request=inputs.UserInput, responses={201: dict, 200: dict})
    def post(self, request: Request) -> Response:
        """Return our id for the person; 201 if they are new."""
        values = parse(inputs.UserInput, request.data)
        known = find_subject(self.caller.tenant_id, external_id=values["user_id"])
        principal = access.for_user(self.caller, values["user_id"], create=True)
        body = {"id": principal.subject_id, "user_id": values["user_id"]}
        return Response(body, status=status.HTTP_200_OK if known else status.HTTP_201_CREATED)

    @extend_schema(parameters=[inputs.UserInput], responses={200: dict})
    def get(self, request: Request) -> Response:
        """Return our id for the person the caller names, or 404."""
        values = parse(inputs.UserInput, request.query_params.dict())
        principal = access.for_user(self.caller, values["user_id"])
        return Response({"id": principal.subject_id, "user_id": values["user_id"]})
