"""/reviews and /memories/{id}/confirm, /reject: the person's word. Persons' keys only."""

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access
from memory.api import inputs, outputs, replays, schema, schema_people
from memory.api.base import MemoryView, parse
from memory.api.idempotency import Written, idempotent
from memory.reviews import answers, by_name, taking_back
from memory.reviews.listing import list_open, standing


class ReviewsView(MemoryView):
    """What waits for the person."""

    @extend_schema(parameters=[inputs.PersonQuery], responses={200: schema_people.ReviewList})
    def get(self, request: Request) -> Response:
        """List the open questions, oldest first."""
        values = parse(inputs.PersonQuery, request.query_params)
        principal = access.for_user(self.caller, values["user_id"])
        return Response({"reviews": [outputs.review(one) for one in list_open(principal)]})


class KeepView(MemoryView):
    """Keep what waited."""

    @extend_schema(request=None, responses={200: schema.StateAnswer})
    @idempotent(replays.state)
    def post(self, request: Request, review_id: uuid.UUID) -> Written:
        """Use it from now on."""
        principal = access.for_object(self.caller, "reviewitem", review_id)
        return replays.moved(principal, answers.keep(principal, review_id))


class EditView(MemoryView):
    """Keep it in other words."""

    @extend_schema(request=inputs.CorrectionInput, responses={200: schema.StateAnswer})
    @idempotent(replays.state)
    def post(self, request: Request, review_id: uuid.UUID) -> Written:
        """Use the person's own wording from now on."""
        values = parse(inputs.CorrectionInput, request.data)
        principal = access.for_object(self.caller, "reviewitem", review_id)
        kept = answers.edit_and_keep(principal, review_id, text=values["text"])
        return replays.moved(principal, kept)


class RejectView(MemoryView):
    """Say that it is not true."""

    @extend_schema(request=None, responses={200: schema.StateAnswer})
    @idempotent(replays.state)
    def post(self, request: Request, review_id: uuid.UUID) -> Written:
        """Forget it, and do not learn it again."""
        principal = access.for_object(self.caller, "reviewitem", review_id)
        return replays.moved(principal, answers.reject(principal, review_id))


class LaterView(MemoryView):
    """Ask again later."""

    def stands(self, written: Written) -> Response:
        """Answer a repeated request; ids: the question."""
        item = standing(replays.person_of(self, written), written.ids[0])
        return Response({"id": item.id, "state": item.state, "snoozed_until": item.snoozed_until})

    @extend_schema(request=None, responses={200: schema_people.PutOff})
    @idempotent(stands)
    def post(self, request: Request, review_id: uuid.UUID) -> Written:
        """Put the question off for a day."""
        principal = access.for_object(self.caller, "reviewitem", review_id)
        answers.later(principal, review_id)
        return Written(None, [review_id], principal.subject_id)


class UndoView(MemoryView):
    """Take an answer back."""

    @extend_schema(request=None, responses={200: schema.StateAnswer})
    @idempotent(replays.state)
    def post(self, request: Request, review_id: uuid.UUID) -> Written:
        """Open the question again, while the undo window lasts."""
        principal = access.for_object(self.caller, "reviewitem", review_id)
        return replays.moved(principal, taking_back.undo(principal, review_id))


class ConfirmMemoryView(MemoryView):
    """Confirm a memory by name."""

    @extend_schema(request=None, responses={200: schema.StateAnswer})
    @idempotent(replays.state)
    def post(self, request: Request, memory_id: uuid.UUID) -> Written:
        """Note the person's word for it."""
        principal = access.for_object(self.caller, "memory", memory_id)
        return replays.moved(principal, by_name.confirm_memory(principal, memory_id))


class RejectMemoryView(MemoryView):
    """Reject a memory by name."""

    @extend_schema(request=None, responses={200: schema.StateAnswer})
    @idempotent(replays.state)
    def post(self, request: Request, memory_id: uuid.UUID) -> Written:
        """Forget it, and do not learn it again."""
        principal = access.for_object(self.caller, "memory", memory_id)
        return replays.moved(principal, by_name.reject_memory(principal, memory_id))
