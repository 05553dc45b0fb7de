"""The tables an operator looks at, and what may be done to their rows."""

from memory.admin.tables import (
    decided,
    evaluations,
    experiments,
    making,
    recipes,
    rights,
    who,
    work,
)

__all__ = ["decided", "evaluations", "experiments", "making", "recipes", "rights", "who", "work"]
