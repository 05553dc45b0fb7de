"""The shapes of answers about one person by our id."""

from typing import Any

from accounts.modes import mode_of


def _mode(row: Any) -> dict[str, Any]:
    mode, until = mode_of(row)
    return {"memory_mode": mode, "memory_mode_until": until}


def agent_mode(grant: Any) -> dict[str, Any]:
    """Return the memory mode of an agent."""
    return {"agent_id": grant.agent_id, **_mode(grant)}


def subject(row: Any) -> dict[str, Any]:
    """Return a person's id and switches."""
    return {
        "id": row.id,
        "user_id": row.external_id,
        **_mode(row),
        "learning": row.learning,
        "time_zone": row.time_zone,
        "created_at": row.created_at,
    }
