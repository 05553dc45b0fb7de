"""Periodic aggregation: from what happened to days, from days to patterns; always with the counts."""
