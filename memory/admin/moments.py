"""Times of the console: as the operator's clock shows them, and in UTC."""

from datetime import UTC, datetime, timedelta

from django.utils import timezone


def moment(at: datetime | None) -> str:
    """Return a time to the second in the zone that is active; with UTC, if that is another."""
    if at is None:
        return ""
    local = timezone.localtime(at)
    if local.utcoffset() == timedelta(0):
        return f"{local:%Y-%m-%d %H:%M:%S} UTC"
    return f"{local:%Y-%m-%d %H:%M:%S} ({at.astimezone(UTC):%H:%M:%S} UTC)"
