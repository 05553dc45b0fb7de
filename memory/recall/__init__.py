"""Bringing back: scope → candidates → relevance gate → score → resolve → budget."""
