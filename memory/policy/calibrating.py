"""The scale on which every threshold on a cosine stands, and what another embedder must show."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferencePolicy:
    """Two points of the scale, measured by ``manage.py calibrate`` on the service's own embedder.

    Another embedder's cosines are brought onto it by the straight line through its own two points.
    """

    gate: float = 0.270  # tells a question's answer from what is nearest to a question without one
    duplicate: float = 0.578  # reached by `share` of the pairs that say the same
    share: float = 0.98
    # So much less than the best separation counts as the best: the middle of that stretch is taken.
    plateau: float = 0.02
    # The least area under the curve of answerable against unanswerable questions, and the least
    # distance of the two points: an embedder with less is not trusted with thresholds.
    least_area: float = 0.85
    least_distance: float = 0.05


REFERENCE = ReferencePolicy()
