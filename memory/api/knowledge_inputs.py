"""The shapes of bodies and queries about documents."""

from rest_framework import serializers

from memory.api.base import StrictSerializer
from memory.api.inputs import MOST_TOKENS, prose, raw
from memory.choices.documents import DocumentFormat
from memory.knowledge.upload import MAX_SOURCE, MAX_TITLE
from memory.policy import KNOWLEDGE

MOST_DOCUMENTS = 100


class DocumentFields(StrictSerializer):
    """What is said of a document."""

    source = prose(max_length=MAX_SOURCE)  # type: ignore[assignment]  # a field by this name
    title = prose(max_length=MAX_TITLE, required=False)
    format = serializers.ChoiceField(DocumentFormat.choices, required=False)


class DocumentInput(DocumentFields):
    """A document as text."""

    text = raw(max_length=KNOWLEDGE.max_characters)


class DocumentForm(DocumentFields):
    """A document as a file."""

    file = serializers.FileField(max_length=MAX_SOURCE)


class DocumentListQuery(StrictSerializer):
    """A page of documents, or the one of a source."""

    source = prose(max_length=MAX_SOURCE, required=False)  # type: ignore[assignment]  # a field by this name
    limit = serializers.IntegerField(min_value=1, max_value=200, default=50)
    cursor = serializers.CharField(max_length=200, required=False)


class SpanQuery(StrictSerializer):
    """A stretch of a text, in characters; the one at ``end`` is not part of it."""

    start = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=0)
    end = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)


class KnowledgeInput(StrictSerializer):
    """What to search for, and in which documents."""

    query = prose(max_length=8000)
    top_k = serializers.IntegerField(min_value=1, max_value=KNOWLEDGE.max_top_k, required=False)
    max_tokens = serializers.IntegerField(min_value=1, max_value=MOST_TOKENS, required=False)
    documents = serializers.ListField(
        child=serializers.UUIDField(), min_length=1, max_length=MOST_DOCUMENTS, required=False
    )
