"""The shapes of answers about documents."""

from rest_framework import serializers

from memory.api.schema import JobAnswer, RecalledMemory
from memory.api.shapes import Answer, codes, maybe_id, maybe_time, next_cursor, one_of, words
from memory.choices import Layer, RecallStatus, Role
from memory.choices.documents import DocumentFault, DocumentFormat, DocumentState


class Document(Answer):
    """A document without its text."""

    id = serializers.UUIDField()
    source = words()  # type: ignore[assignment]  # a field by this name
    title = words(allow_null=True)
    format = one_of(DocumentFormat)
    language = words()
    state = one_of(DocumentState)
    fault = one_of(DocumentFault, allow_null=True)
    revision = serializers.IntegerField()
    size = serializers.IntegerField()
    characters = serializers.IntegerField()
    passages = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    indexed_at = maybe_time()


class StoredDocument(Document):
    """A document that was sent, and the job that reads it; no job: nothing had changed."""

    job = JobAnswer(required=False)


class DocumentPage(Answer):
    """A page of documents, newest first."""

    documents = Document(many=True)
    next = next_cursor()


class DocumentText(Answer):
    """A stretch of a document's text, as it is kept."""

    text = words()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    characters = serializers.IntegerField()
    revision = serializers.IntegerField()


class Passage(Answer):
    """A passage with its citation: document, headings, page, span of characters."""

    document_id = serializers.UUIDField()
    title = words()
    section = codes()
    page = serializers.IntegerField(allow_null=True)
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    revision = serializers.IntegerField()
    text = words()
    score = serializers.FloatField()
    cosine = serializers.FloatField(allow_null=True)
    bm25 = serializers.FloatField()
    why = codes()


class KnowledgeAnswer(Answer):
    """What is relevant, best first; or that nothing is; or what could not be searched."""

    status = one_of(RecallStatus)
    passages = Passage(many=True)
    degraded = codes()
    held_back = serializers.DictField(child=serializers.IntegerField())


# --- layers --------------------------------------------------------------------------------------


class Turn(Answer):
    """A turn of the running session."""

    layer = one_of(Layer)
    event_id = serializers.UUIDField()
    role = one_of(Role)
    name = words(allow_null=True)
    text = words()
    at = serializers.DateTimeField()


class LayeredMemory(RecalledMemory):
    """A memory brought back: data about the person, not orders."""

    layer = one_of(Layer)


class LayeredPassage(Passage):
    """A passage of a document, with its citation."""

    layer = one_of(Layer)


class LayeredAnswer(Answer):
    """Found, nothing relevant, or degraded; what each layer holds, each apart."""

    status = one_of(RecallStatus)
    layers = codes(Layer, help_text="Where the recall looked.")
    working = Turn(many=True)
    memories = LayeredMemory(many=True)
    profile = LayeredMemory(many=True)
    knowledge = LayeredPassage(many=True)
    degraded = codes()
    held_back = serializers.DictField(child=serializers.IntegerField(), help_text="Of memories.")
    policy = words(allow_null=True)
    recall_id = maybe_id()
