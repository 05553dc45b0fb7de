"""Every tunable number, in frozen, named recipes. No threshold stands anywhere else.

Where a number was measured, docs/measurements.md says on what.
"""

from memory.policy.calibrating import REFERENCE, ReferencePolicy
from memory.policy.kinds import DEFAULT_SUBTYPE, HALF_LIFE, IMPORTANCE, LIFETIME
from memory.policy.recalling import (
    BM25,
    QUESTION,
    RECALL,
    UNCALIBRATED_GATE,
    Bm25,
    QuestionPolicy,
    RecallPolicy,
)
from memory.policy.working import (
    BOARD,
    CONTEXT,
    KNOWLEDGE,
    LIMITS,
    RETENTION,
    SESSION,
    WORK,
    BoardPolicy,
    ContextPolicy,
    KnowledgePolicy,
    LimitPolicy,
    RetentionPolicy,
    SessionPolicy,
    WorkPolicy,
)
from memory.policy.writing import (
    MODEL,
    PROCEDURE,
    STALE,
    TRUST,
    WRITE,
    ModelPolicy,
    ProcedurePolicy,
    StalePolicy,
    TrustPolicy,
    WritePolicy,
)

__all__ = [
    "BM25",
    "BOARD",
    "CONTEXT",
    "DEFAULT_SUBTYPE",
    "HALF_LIFE",
    "IMPORTANCE",
    "KNOWLEDGE",
    "LIFETIME",
    "LIMITS",
    "MODEL",
    "PROCEDURE",
    "QUESTION",
    "RECALL",
    "REFERENCE",
    "RETENTION",
    "SESSION",
    "STALE",
    "TRUST",
    "UNCALIBRATED_GATE",
    "WORK",
    "WRITE",
    "Bm25",
    "BoardPolicy",
    "ContextPolicy",
    "KnowledgePolicy",
    "LimitPolicy",
    "ModelPolicy",
    "ProcedurePolicy",
    "QuestionPolicy",
    "RecallPolicy",
    "ReferencePolicy",
    "RetentionPolicy",
    "SessionPolicy",
    "StalePolicy",
    "TrustPolicy",
    "WorkPolicy",
    "WritePolicy",
]
