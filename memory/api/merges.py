"""/users/{id}/merge: an agent asks whether an anonymous user is a person it knows."""

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access
from memory.api import inputs, schema_people
from memory.api.base import MemoryView, parse
from memory.identity.move import ask


class MergeView(MemoryView):
    """Ask the person; what is remembered moves when they agree on their own page."""

    @extend_schema(
        request=inputs.PersonQuery,
        responses={200: schema_people.MergeAnswer, 201: schema_people.MergeAnswer},
    )
    def post(self, request: Request, person_id: uuid.UUID) -> Response:
        """Ask whether this anonymous user is the person ``user_id``; 200 if that is asked already."""
        values = parse(inputs.PersonQuery, request.data)
        source = access.for_person(self.caller, person_id)
        merge, new = ask(access.for_user(self.caller, values["user_id"]), source)
        body = {
            "id": merge.id,
            "state": merge.state,
            "asked_at": merge.asked_at,
            "expires_at": merge.expires_at,
        }
        return Response(body, status=status.HTTP_201_CREATED if new else status.HTTP_200_OK)
