"""The shapes of answers about files: everything about a person out, memories in."""

from rest_framework import serializers

from memory.api.schema import JobAnswer
from memory.api.shapes import Answer, one_of
from memory.choices.transfer import ImportState


def rows() -> serializers.ListField:
    """Return the field for the rows of a table, which docs/privacy.md describes."""
    return serializers.ListField(child=serializers.DictField())


class Export(Answer):
    """Everything about a person; docs/privacy.md describes each member."""

    format = serializers.CharField()
    format_version = serializers.IntegerField()
    exported_at = serializers.DateTimeField()
    person = serializers.DictField()
    login = serializers.DictField(allow_null=True)
    memories = rows()
    decisions = rows()
    sessions = rows()
    messages = rows()
    summaries = rows()
    boards = rows()
    suppressions = rows()
    feedback = rows()
    interests = rows()
    grants = rows()
    keys = rows()
    looks = rows()
    merges = rows()
    imports = rows()
    erasures = rows()
    notices = rows()
    signature = serializers.CharField()


class ImportCounts(Answer):
    """How many entries of each group a file has."""

    new = serializers.IntegerField()
    changed = serializers.IntegerField()
    identical = serializers.IntegerField()
    blocked = serializers.IntegerField()


class Import(Answer):
    """What a file would bring, or how much of it came in. ``own``: the person's own signed export."""

    id = serializers.UUIDField()
    state = one_of(ImportState)
    own = serializers.BooleanField()
    counts = ImportCounts()
    taken = serializers.IntegerField()


class ImportJob(Answer):
    """The job that lets a file in."""

    job = JobAnswer()
