"""The shapes of bodies and queries about one person by our id."""

from typing import Any

from rest_framework import serializers

from accounts.choices import MemoryMode
from memory.api.base import StrictSerializer
from memory.api.inputs import prose
from memory.api.json_types import EARLIEST, LATEST, Moment
from memory.choices.transfer import ImportGroup


class DaysQuery(StrictSerializer):
    """From which day of the person's to which."""

    since = serializers.DateField()
    until = serializers.DateField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse days that no calendar of ours can reckon with."""
        if not EARLIEST.date() <= attrs["since"] <= attrs["until"] <= LATEST.date():
            raise serializers.ValidationError("These are not two days in their order.")
        return attrs


class InterestsInput(StrictSerializer):
    """Whether the topics of the person's questions are counted."""

    counted = serializers.BooleanField()


class ModeInput(StrictSerializer):
    """A memory mode, for good or until a time."""

    mode = serializers.ChoiceField(MemoryMode.choices)
    until = Moment(required=False, allow_null=True)

    def validate_mode(self, mode: str) -> MemoryMode:
        """Return the mode."""
        return MemoryMode(mode)


class ImportInput(StrictSerializer):
    """A file of memories, as text: an export of ours, another service's, or a list."""

    text = prose()


class TakeInput(StrictSerializer):
    """Which groups of a file come in."""

    groups = serializers.ListField(
        child=serializers.ChoiceField([ImportGroup.NEW.value, ImportGroup.CHANGED.value]),
        min_length=1,
        max_length=2,
    )
