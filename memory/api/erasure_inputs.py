"""The shapes of what to erase, and of the feed of what was erased."""

from rest_framework import serializers

from memory.api.base import StrictSerializer
from memory.api.inputs import MAX_BATCH, PersonQuery, prose
from memory.choices import Kind, Subtype


def ids() -> serializers.ListField:
    """Return a field for some ids of ours."""
    return serializers.ListField(
        child=serializers.UUIDField(), min_length=1, max_length=MAX_BATCH, required=False
    )


class DeletionsQuery(PersonQuery):
    """Where in the ledger to go on."""

    after = serializers.IntegerField(min_value=0, max_value=2**62, default=0)
    limit = serializers.IntegerField(min_value=1, max_value=1000, default=200)


class ErasureFilter(StrictSerializer):
    """Which memories to erase, by what they are."""

    kind = serializers.ChoiceField(Kind.choices, required=False)
    subtype = serializers.ChoiceField(Subtype.choices, required=False)
    attribute = serializers.CharField(max_length=100, required=False)
    agent_id = serializers.UUIDField(required=False)
    session_id = serializers.UUIDField(required=False)


class ErasureInput(PersonQuery):
    """What to erase; ``version`` is the number of one wording of the one memory that is named."""

    memory_ids = ids()
    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1, required=False)
    events = ids()
    filters = ErasureFilter(required=False)
    session = serializers.UUIDField(required=False)
    everything = serializers.BooleanField(default=False)
    confirm = prose(max_length=200, required=False)
