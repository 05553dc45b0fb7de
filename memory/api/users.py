"""/users: make a person known, find them, what is known of them exactly, their switches."""

import uuid
from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.choices import Action
from accounts.links import LinkRefused, issue_link
from accounts.principal import Principal
from accounts.subjects import find_subject
from memory import access
from memory.aggregation.days import days
from memory.api import inputs, outputs, people_inputs, people_outputs, replays, schema_people
from memory.api.base import MemoryView, parse
from memory.api.idempotency import Written, idempotent
from memory.errors import StaleState
from memory.forget.interests import count_interests, erase_interests
from memory.forget.suppressions import lift
from memory.recall import person


class UsersView(MemoryView):
    """Get or create a person by ``user_id``."""

    def named(self, written: Written) -> Response:
        """Answer a repeated request; about: the person."""
        subject = access.subject_of(replays.person_of(self, written))
        body = {"id": subject.id, "user_id": subject.external_id}
        return Response(body, status=written.status)

    @extend_schema(
        request=inputs.UserInput,
        responses={200: schema_people.Person, 201: schema_people.Person},
    )
    @idempotent(named)
    def post(self, request: Request) -> Written:
        """Return our id for the person; 201 if they are new."""
        values = parse(inputs.UserInput, request.data)
        known = find_subject(self.caller.tenant_id, external_id=values["user_id"])
        principal = access.for_user(
            self.caller, values["user_id"], create=True, anonymous=values["anonymous"]
        )
        body = {"id": principal.subject_id, "user_id": values["user_id"]}
        answer = Response(body, status=status.HTTP_200_OK if known else status.HTTP_201_CREATED)
        return Written(answer, [principal.person_id], principal.subject_id)

    @extend_schema(parameters=[inputs.PersonQuery], responses={200: schema_people.Person})
    def get(self, request: Request) -> Response:
        """Return our id for the person the caller names, or 404."""
        values = parse(inputs.PersonQuery, request.query_params)
        principal = access.for_user(self.caller, values["user_id"])
        return Response({"id": principal.subject_id, "user_id": values["user_id"]})


class UserView(MemoryView):
    """One person by our id."""

    @extend_schema(responses={200: schema_people.PersonSwitches})
    def get(self, request: Request, person_id: uuid.UUID) -> Response:
        """Return the person's id as the caller knows it, and their switches."""
        principal = access.for_person(self.caller, person_id)
        return Response(people_outputs.subject(access.subject_of(principal)))


class AttributesView(MemoryView):
    """Exact facts."""

    @extend_schema(responses={200: schema_people.AttributeList})
    def get(self, request: Request, person_id: uuid.UUID) -> Response:
        """List the memories in use that fill an attribute."""
        principal = access.for_person(self.caller, person_id)
        items = [outputs.memory(one) for one in person.attributes(principal)]
        return Response({"attributes": items})


class SuppressionsView(MemoryView):
    """What must not be learnt again."""

    @extend_schema(responses={200: schema_people.SuppressionList})
    def get(self, request: Request, person_id: uuid.UUID) -> Response:
        """List what is suppressed: bases and times."""
        principal = access.for_person(self.caller, person_id)
        items = [outputs.suppression(one) for one in person.suppressions(principal)]
        return Response({"suppressions": items})


class SuppressionView(MemoryView):
    """One suppression."""

    @extend_schema(responses={204: None})
    @idempotent(replays.nothing)
    def delete(self, request: Request, person_id: uuid.UUID, suppression_id: uuid.UUID) -> Written:
        """Lift it; only the person may."""
        lift(access.for_person(self.caller, person_id), suppression_id)
        return Written(Response(status=status.HTTP_204_NO_CONTENT), [suppression_id], person_id)


class DaysView(MemoryView):
    """What happened day by day."""

    @extend_schema(parameters=[people_inputs.DaysQuery], responses={200: schema_people.DayList})
    def get(self, request: Request, person_id: uuid.UUID) -> Response:
        """List the days on which something happened, newest first; days are the person's."""
        values = parse(people_inputs.DaysQuery, request.query_params)
        principal = access.for_person(self.caller, person_id)
        return Response({"days": [outputs.day(one) for one in days(principal, **values)]})


class InterestsView(MemoryView):
    """What the person keeps asking about."""

    @extend_schema(responses={200: schema_people.Interests})
    def get(self, request: Request, person_id: uuid.UUID) -> Response:
        """List the topics, most asked first; only the person may."""
        return Response(self._found(access.for_person(self.caller, person_id)))

    def stands(self, written: Written) -> Response:
        """Answer a repeated request; about: the person."""
        return Response(self._found(replays.person_of(self, written)), status=written.status)

    @extend_schema(request=people_inputs.InterestsInput, responses={200: schema_people.Interests})
    @idempotent(stands)
    def put(self, request: Request, person_id: uuid.UUID) -> Written:
        """Count topics from now on, or stop and erase what was counted; only the person may."""
        values = parse(people_inputs.InterestsInput, request.data)
        principal = access.for_person(self.caller, person_id)
        count_interests(principal, on=values["counted"])
        return Written(Response(self._found(principal)), [person_id], person_id)

    @extend_schema(responses={204: None})
    @idempotent(replays.nothing)
    def delete(self, request: Request, person_id: uuid.UUID) -> Written:
        """Erase what was counted; only the person may."""
        erase_interests(access.for_person(self.caller, person_id))
        return Written(Response(status=status.HTTP_204_NO_CONTENT), [person_id], person_id)

    @staticmethod
    def _found(principal: Principal) -> dict[str, Any]:
        found = person.interests(principal)
        return {
            "counted": access.subject_of(principal).interests,
            "interests": [outputs.interest(one) for one in found],
        }


class LinkView(MemoryView):
    """A link by which the person takes charge of what is remembered about them."""

    @extend_schema(request=None, responses={201: schema_people.Link})
    def post(self, request: Request, person_id: uuid.UUID) -> Response:
        """Return a link that works once, within the hour. Show it to the person and nobody else."""
        principal = access.for_person(self.caller, person_id)
        access.require(principal, Action.WRITE)
        try:
            secret, link = issue_link(principal)
        except LinkRefused as error:
            raise StaleState(str(error)) from None
        body = {"url": f"{settings.PUBLIC_URL}/link/{secret}/", "expires_at": link.expires_at}
        return Response(body, status=status.HTTP_201_CREATED)
