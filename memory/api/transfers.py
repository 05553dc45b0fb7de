"""/users/{id}/export and /imports: everything about the person out, and files of memories in."""

import uuid
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access
from memory.api import outputs, people_inputs, replays, schema_transfers
from memory.api.base import MemoryView, parse
from memory.api.idempotency import Written, idempotent
from memory.choices.transfer import ImportGroup
from memory.transfer import importing
from memory.transfer.export import export


def _body(look: importing.Look) -> dict[str, Any]:
    return {
        "id": look.id,
        "state": look.state,
        "own": look.own,
        "counts": {group: look.counts.get(group, 0) for group in ImportGroup},
        "taken": look.taken,
    }


class ExportView(MemoryView):
    """Everything kept about the person."""

    @extend_schema(responses={200: schema_transfers.Export})
    def get(self, request: Request, person_id: uuid.UUID) -> Any:
        """Hand over one JSON document, signed; only the person may."""
        principal = access.for_person(self.caller, person_id)
        return HttpResponse("".join(export(principal)), content_type="application/json")


class ImportsView(MemoryView):
    """Files of memories."""

    def looked(self, written: Written) -> Response:
        """Answer now and again; ids: the file."""
        look = importing.look(replays.person_of(self, written), written.ids[0])
        return Response(_body(look), status=written.status)

    @extend_schema(request=people_inputs.ImportInput, responses={201: schema_transfers.Import})
    @idempotent(looked)
    def post(self, request: Request, person_id: uuid.UUID) -> Written:
        """Keep a file for a day and say what it would bring; only the person may."""
        values = parse(people_inputs.ImportInput, request.data)
        principal = access.for_person(self.caller, person_id)
        content = values["text"].encode()
        found = importing.offer(principal, content)
        return Written(None, [found], person_id, status.HTTP_201_CREATED)


class ImportView(MemoryView):
    """One file of memories."""

    @extend_schema(responses={200: schema_transfers.Import})
    def get(self, request: Request, person_id: uuid.UUID, import_id: uuid.UUID) -> Response:
        """Say what it would bring, or how much of it came in."""
        principal = access.for_person(self.caller, person_id)
        return Response(_body(importing.look(principal, import_id)))

    @extend_schema(responses={204: None})
    @idempotent(replays.nothing)
    def delete(self, request: Request, person_id: uuid.UUID, import_id: uuid.UUID) -> Written:
        """Throw it away."""
        importing.discard(access.for_person(self.caller, person_id), import_id)
        return Written(Response(status=status.HTTP_204_NO_CONTENT), [import_id], person_id)


class TakeView(MemoryView):
    """Letting a file in."""

    def taken(self, written: Written) -> Response:
        """Answer now and again; ids: the job."""
        principal = replays.person_of(self, written)
        job, code = replays.worked(self, principal, written.ids[0], written.status)
        return Response({"job": outputs.job_state(job)}, status=code)

    @extend_schema(request=people_inputs.TakeInput, responses={202: schema_transfers.ImportJob})
    @idempotent(taken)
    def post(self, request: Request, person_id: uuid.UUID, import_id: uuid.UUID) -> Written:
        """Let in the groups that the person wants; a job does it."""
        values = parse(people_inputs.TakeInput, request.data)
        principal = access.for_person(self.caller, person_id)
        groups = [ImportGroup(one) for one in values["groups"]]
        job = importing.accept(principal, import_id, groups)
        return Written(None, [job.id], person_id, status.HTTP_202_ACCEPTED)
