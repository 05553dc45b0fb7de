"""Documents of a tenant, the passages they are cut into, and the two indexes over these.

Knowledge is the tenant's and about nobody, so the walls here are those of the tenant; what people
wrote in it is sealed all the same, with a key for each document.
"""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from pgvector.django import HalfVectorField

from accounts.choices import ActorKind
from accounts.fields import SealedField
from accounts.walls import RowWall, row_key, tenant_key
from memory.choices.documents import DocumentFault, DocumentFormat, DocumentState
from memory.models.base import TenantRow


class Document(TenantRow):
    """A document by its sender's own name for it (``source``), sealed and known by its digest.

    ``digest`` tells whether a file sent again differs. ``original`` holds the newest file until it
    is read; the text is then in the passages alone. ``revision`` counts the texts read so far and
    names the one that is found; ``tries`` counts attempts at the newest file.
    """

    source = SealedField()
    source_digest = models.BigIntegerField()
    title = SealedField(default=b"")
    original = SealedField(default=b"")
    digest = models.BigIntegerField()
    format = models.CharField(max_length=10, choices=DocumentFormat)
    language = models.CharField(max_length=10, blank=True)
    state = models.CharField(max_length=10, choices=DocumentState, default=DocumentState.PENDING)
    fault = models.CharField(max_length=10, choices=DocumentFault, blank=True)
    revision = models.PositiveIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    size = models.PositiveIntegerField()
    characters = models.PositiveIntegerField(default=0)
    passage_count = models.PositiveIntegerField(default=0)
    sender_kind = models.CharField(max_length=20, choices=ActorKind)
    sender_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    indexed_at = models.DateTimeField(null=True)

    content_fields = ("source_digest", "digest")

    class Meta:
        constraints = [
            row_key("document", "tenant", "id"),
            RowWall(name="document_wall", columns=["tenant_id"]),
            models.UniqueConstraint(fields=["tenant", "source_digest"], name="document_source"),
            models.CheckConstraint(
                condition=Q(state__in=DocumentState.values), name="document_state"
            ),
            models.CheckConstraint(
                condition=Q(state=DocumentState.FAILED, fault__in=DocumentFault.values)
                | (~Q(state=DocumentState.FAILED) & Q(fault="")),
                name="document_fault",
            ),
        ]
        indexes = [models.Index(fields=["tenant", "-created_at"], name="document_list")]


class Passage(TenantRow):
    """A stretch of a document's text: characters ``start`` to ``end``.

    The passages of a document tile its text. ``section`` seals the headings above it as JSON.
    """

    document = models.ForeignKey(
        Document, models.RESTRICT, related_name="passages", db_constraint=False, db_index=False
    )
    position = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    page = models.PositiveIntegerField(null=True)
    section = SealedField()
    text = SealedField()
    term_count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            row_key("passage", "tenant", "id"),
            RowWall(name="passage_wall", columns=["tenant_id"]),
            tenant_key("passage", "document_id", "memory_document"),
            models.UniqueConstraint(fields=["document", "position"], name="passage_position"),
            models.CheckConstraint(condition=Q(end__gt=F("start")), name="passage_span"),
        ]
        indexes = [
            models.Index(fields=["tenant"], include=["id", "term_count"], name="passage_lengths")
        ]


class PassageVector(TenantRow):
    """The embedding of one passage. ``model`` names embedder and calibration."""

    passage = models.ForeignKey(
        Passage, models.RESTRICT, related_name="vectors", db_constraint=False, db_index=False
    )
    model = models.PositiveSmallIntegerField()
    embedding = HalfVectorField()

    content_fields = ("embedding",)

    class Meta:
        constraints = [
            RowWall(name="passagevector_wall", columns=["tenant_id"]),
            tenant_key("passagevector", "passage_id", "memory_passage"),
            models.UniqueConstraint(fields=["passage", "model"], name="passagevector_one"),
        ]
        indexes = [models.Index(fields=["tenant", "model"], name="passagevector_scan")]


class PassageTerm(TenantRow):
    """How often one term, known by its keyed digest, stands in one passage."""

    id = models.BigAutoField(primary_key=True)  # type: ignore[assignment]  # many small rows
    passage = models.ForeignKey(
        Passage, models.RESTRICT, related_name="+", db_constraint=False, db_index=False
    )
    digest = models.BigIntegerField()
    frequency = models.PositiveSmallIntegerField()

    content_fields = ("digest",)

    class Meta:
        constraints = [
            RowWall(name="passageterm_wall", columns=["tenant_id"]),
            tenant_key("passageterm", "passage_id", "memory_passage"),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "digest"],
                include=["passage", "frequency"],
                name="passageterm_lookup",
            ),
            models.Index(fields=["passage"], name="passageterm_passage"),
        ]


class TenantKey(TenantRow):
    """A tenant's key, which wraps those of its documents, wrapped by the master key ``master_id``."""

    wrapped = models.BinaryField(max_length=61)
    master_id = models.CharField(max_length=16)
    created_at = models.DateTimeField(default=timezone.now)

    content_fields = ("wrapped",)

    class Meta:
        constraints = [
            RowWall(name="tenantkey_wall", columns=["tenant_id"]),
            models.UniqueConstraint(fields=["tenant"], name="tenantkey_one"),
        ]


class DocumentKey(TenantRow):
    """The key of one document, wrapped by the tenant's: destroyed with it, in every copy."""

    document_id = models.UUIDField(unique=True)
    wrapped = models.BinaryField(max_length=61)

    content_fields = ("wrapped",)

    class Meta:
        constraints = [RowWall(name="documentkey_wall", columns=["tenant_id"])]
