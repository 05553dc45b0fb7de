"""/knowledge: documents that pipelines hand in, and what agents find in them."""

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api import knowledge_inputs, knowledge_outputs, outputs, replays, schema_knowledge
from memory.api.authentication import HasTenantKey
from memory.api.base import MemoryView, flag, parse
from memory.api.idempotency import Written, idempotent
from memory.api.parsing import StrictJSONParser
from memory.api.shapes import WAIT
from memory.api.uploads import FormParser
from memory.choices.documents import DocumentFormat
from memory.errors import Gone, NotFound
from memory.knowledge import documents
from memory.knowledge.search import search
from memory.knowledge.upload import Upload, format_of
from memory.knowledge.values import KnowledgeQuery


class KnowledgeView(MemoryView):
    """A view for the keys of the tenant's programs."""

    permission_classes = (HasTenantKey,)


class DocumentsView(KnowledgeView):
    """Hand documents in; list them."""

    parser_classes = (StrictJSONParser, FormParser)

    def answer(self, written: Written) -> Response:
        """Answer now and again; ids: the document, then the job if there is one."""
        document_id, *job_ids = written.ids
        job, code = None, written.status
        try:
            if job_ids:
                job, code = replays.worked(self, self.caller, job_ids[0], written.status)
            body = knowledge_outputs.document(documents.opened(self.caller, document_id))
        except NotFound:
            raise Gone("The document was deleted.") from None
        return Response(body | ({"job": outputs.job_state(job)} if job else {}), status=code)

    @extend_schema(
        request={
            "application/json": knowledge_inputs.DocumentInput,
            "multipart/form-data": knowledge_inputs.DocumentForm,
        },
        parameters=[WAIT],
        responses=dict.fromkeys((200, 201, 202), schema_knowledge.StoredDocument),
    )
    @idempotent(answer)
    def post(self, request: Request) -> Written:
        """Hand a document in, or its new text; 202 with the job that reads it.

        The same file under the same source changes nothing (200). Only a pipeline's key may.
        """
        upload = _upload(request)
        flag(request, "wait")  # said wrongly, nothing is stored
        stored = documents.store(self.caller, upload)
        job_ids = [stored.job.id] if stored.job else []
        code = status.HTTP_201_CREATED if stored.is_new else status.HTTP_200_OK
        return Written(None, [stored.document.id, *job_ids], None, code)

    @extend_schema(
        parameters=[knowledge_inputs.DocumentListQuery],
        responses={200: schema_knowledge.DocumentPage},
    )
    def get(self, request: Request) -> Response:
        """List documents, newest first, or the one of a source."""
        values = parse(knowledge_inputs.DocumentListQuery, request.query_params)
        found, more = documents.listed(
            self.caller,
            limit=values["limit"],
            cursor=values.get("cursor"),
            source=values.get("source"),
        )
        items = [knowledge_outputs.document(one) for one in found]
        return Response({"documents": items, "next": more})


def _upload(request: Request) -> Upload:
    """Return the document of a body, whichever way it came."""
    is_form = (request.content_type or "").startswith(FormParser.media_type)
    shape: Any = knowledge_inputs.DocumentForm if is_form else knowledge_inputs.DocumentInput
    values = parse(shape, request.data)
    file = values.get("file")
    name = file.name if file else values["source"]
    return Upload(
        source=values["source"],
        content=file.read() if file else values["text"].encode(),
        format=DocumentFormat(values["format"]) if "format" in values else format_of(name),
        title=values.get("title", ""),
    )


class DocumentView(KnowledgeView):
    """One document."""

    @extend_schema(responses={200: schema_knowledge.Document})
    def get(self, request: Request, document_id: uuid.UUID) -> Response:
        """Return what it is and where it stands, without its text."""
        opened = documents.opened(self.caller, document_id)
        return Response(knowledge_outputs.document(opened))

    @extend_schema(request=None, responses={204: None})
    @idempotent(replays.nothing)
    def delete(self, request: Request, document_id: uuid.UUID) -> Written:
        """Delete it whole, at once; only a pipeline's key may."""
        documents.delete(self.caller, document_id)
        return Written(None, [], None, status.HTTP_204_NO_CONTENT)


class DocumentTextView(KnowledgeView):
    """The text of a document."""

    @extend_schema(
        parameters=[knowledge_inputs.SpanQuery],
        responses={200: schema_knowledge.DocumentText},
    )
    def get(self, request: Request, document_id: uuid.UUID) -> Response:
        """Return a stretch of it, such as what a citation names; 20,000 characters at most."""
        values = parse(knowledge_inputs.SpanQuery, request.query_params)
        one = documents.text_of(
            self.caller, document_id, start=values["start"], end=values.get("end")
        )
        return Response(knowledge_outputs.text(one))


class KnowledgeSearchView(KnowledgeView):
    """Search documents."""

    @extend_schema(
        request=knowledge_inputs.KnowledgeInput, responses={200: schema_knowledge.KnowledgeAnswer}
    )
    def post(self, request: Request) -> Response:
        """Return the passages about a question, each with its citation, best first."""
        values = parse(knowledge_inputs.KnowledgeInput, request.data)
        query = KnowledgeQuery(text=values.pop("query"), **values)
        return Response(knowledge_outputs.answer(search(self.caller, query)))
