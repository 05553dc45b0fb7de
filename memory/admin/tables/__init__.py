"""The tables an operator looks at, and what may be done to their rows."""

from memory.admin.tables import decided, making, recipes, who, work

__all__ = ["decided", "making", "recipes", "who", "work"]
