"""What each kind and subtype weighs, and how fast it fades."""

from datetime import timedelta
from types import MappingProxyType

from memory.choices import Kind, Subtype

IMPORTANCE = MappingProxyType(
    {
        Subtype.PREFERENCE: 0.90,
        Subtype.INSTRUCTION: 0.90,
        Subtype.DECISION: 0.85,
        Subtype.CONSTRAINT: 0.85,
        Subtype.LESSON: 0.85,
        Subtype.FACT: 0.75,
        Subtype.RELATION: 0.75,
        Subtype.GOAL: 0.75,
        Subtype.PROCEDURE: 0.75,
        Subtype.EVENT: 0.55,
        Subtype.WORK_PROGRESS: 0.55,
        Subtype.BROWSING: 0.45,
        Subtype.PATTERN: 0.55,
    }
)

# Days until recency halves; None: never. Pinned memories never fade either.
HALF_LIFE = MappingProxyType(
    {
        Subtype.FACT: 365.0,
        Subtype.PREFERENCE: 365.0,
        Subtype.GOAL: 365.0,
        Subtype.DECISION: 365.0,
        Subtype.CONSTRAINT: 365.0,
        Subtype.RELATION: 365.0,
        Subtype.INSTRUCTION: None,
        Subtype.PROCEDURE: None,
        Subtype.EVENT: 10.0,
        Subtype.LESSON: 10.0,
        Subtype.WORK_PROGRESS: 7.0,
        Subtype.BROWSING: 3.0,
        Subtype.PATTERN: 90.0,
    }
)

# How long a memory of a subtype is kept before it expires; absent: it does not.
LIFETIME = MappingProxyType({Subtype.BROWSING: timedelta(days=30)})

DEFAULT_SUBTYPE = MappingProxyType(
    {
        Kind.SEMANTIC: Subtype.FACT,
        Kind.EPISODIC: Subtype.EVENT,
        Kind.PROCEDURAL: Subtype.PROCEDURE,
    }
)
