"""Days and patterns."""
