"""Letting go: the fence, one eraser for every store, the drive that sees it through."""
