"""Acceptance stories, played against the API in process and checked from outside.

The story's format is described in docs/evaluate.md. Movable clock, scripted faults and the eye that
looks into tables exist here and in tests only.
"""
