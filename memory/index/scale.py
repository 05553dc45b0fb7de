"""An embedder's cosines on the scale of the policy's thresholds: one straight line for each embedder.

Thresholds belong to an embedder. They are kept once, for the service's own; ``manage.py calibrate``
measures where another embedder's cosines put the same two points (`memory.models.Calibration`).
"""

from dataclasses import dataclass

from memory.models import Calibration
from memory.policy import REFERENCE
from memory.providers.embedding import Embedder


@dataclass(frozen=True, slots=True)
class Scale:
    """``(cosine - offset) * factor`` is an embedder's cosine on the policy's scale."""

    offset: float = 0.0
    factor: float = 1.0

    def own(self, threshold: float) -> float:
        """Return where a threshold of the policy lies among the embedder's own cosines."""
        return threshold / self.factor + self.offset


def through(*, gate: float, duplicate: float) -> Scale:
    """Return the line that brings an embedder's two points onto the reference's.

    Raises:
        ZeroDivisionError: if they are one.
    """
    factor = (REFERENCE.duplicate - REFERENCE.gate) / (duplicate - gate)
    return Scale(offset=gate - REFERENCE.gate / factor, factor=factor)


def scale_of(embedder: Embedder) -> Scale | None:
    """Return the scale of an embedder, or None: nobody has measured it yet."""
    if embedder.calibrated:
        return Scale()
    found = Calibration.objects.filter(model=embedder.id).first()
    return through(gate=found.gate, duplicate=found.duplicate) if found else None
