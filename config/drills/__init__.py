"""Failures on purpose, against a service of their own: what a caller sees, and that nothing is lost."""
