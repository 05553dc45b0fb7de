"""Twins of the tables for the operators' eyes: the same rows without one content column.

They are written out, not derived, so that a new column is seen here only when somebody decides so.
Every query runs on the connection ``console``, whose role may not write and is granted no content
column: naming one here would fail, not show it. Foreign keys stand for the plain ids of the tables.
"""

from memory.admin.models.twin import ALIAS
from memory.admin.models.what import (
    Decision,
    Document,
    Erasure,
    Experiment,
    Job,
    Notice,
    Recall,
    Remembered,
    Review,
    Run,
    Set,
    Step,
    Target,
    Verdict,
)
from memory.admin.models.who import (
    Agent,
    Grant,
    Invitation,
    Key,
    Line,
    Look,
    Person,
    Recipe,
    Tenant,
)

__all__ = [
    "ALIAS",
    "Agent",
    "Decision",
    "Document",
    "Erasure",
    "Experiment",
    "Grant",
    "Invitation",
    "Job",
    "Key",
    "Line",
    "Look",
    "Notice",
    "Person",
    "Recall",
    "Recipe",
    "Remembered",
    "Review",
    "Run",
    "Set",
    "Step",
    "Target",
    "Tenant",
    "Verdict",
]
