"""/memories/{id}/links: what a memory is about, part of or related to."""

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access
from memory.api import outputs, replays, schema
from memory.api.base import MemoryView, StrictSerializer, parse
from memory.api.idempotency import Written, idempotent
from memory.choices import LinkKind
from memory.recall.links import links_of, seen_from
from memory.write.links import link, unlink


class LinkInput(StrictSerializer):
    """What a memory is to another one."""

    kind = serializers.ChoiceField(LinkKind.choices)
    memory_id = serializers.UUIDField()


class LinksView(MemoryView):
    """Link a memory to another; list its links."""

    @extend_schema(responses={200: schema.MemoryLinkList})
    def get(self, request: Request, memory_id: uuid.UUID) -> Response:
        """List its links to memories that the caller may see, the oldest first."""
        principal = access.for_object(self.caller, "memory", memory_id)
        return Response({"links": [outputs.link(one) for one in links_of(principal, memory_id)]})

    @extend_schema(request=LinkInput, responses=dict.fromkeys((200, 201), schema.MemoryLinkAnswer))
    @idempotent(replays.memory_link)
    def post(self, request: Request, memory_id: uuid.UUID) -> Written:
        """Say what the memory is to another one: 201, or 200 where that was said already."""
        values = parse(LinkInput, request.data)
        principal = access.for_object(self.caller, "memory", memory_id)
        kind = LinkKind(values["kind"])
        row, is_new = link(principal, memory_id, values["memory_id"], kind=kind)
        code = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        answer = Response(outputs.link(seen_from(memory_id, row)), status=code)
        return Written(answer, [memory_id, row.id], principal.subject_id)


class MemoryLinkView(MemoryView):
    """One link."""

    @extend_schema(responses={204: None})
    @idempotent(replays.nothing)
    def delete(self, request: Request, memory_id: uuid.UUID, link_id: uuid.UUID) -> Written:
        """Take it back; an agent only what it has linked itself."""
        principal = access.for_object(self.caller, "memory", memory_id)
        unlink(principal, memory_id, link_id)
        gone = status.HTTP_204_NO_CONTENT
        return Written(Response(status=gone), [memory_id], principal.subject_id, gone)
