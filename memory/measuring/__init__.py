"""How long what takes and how it ends: counted for ``/metrics``, by codes and never by whom or what."""

from memory.measuring.counts import Step, Timing, decided, gathered, job, request, step
from memory.measuring.queries import tell_repeated, watched

__all__ = [
    "Step",
    "Timing",
    "decided",
    "gathered",
    "job",
    "request",
    "step",
    "tell_repeated",
    "watched",
]
