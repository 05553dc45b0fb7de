"""What is remembered, how it got there, and what became of it.

Later files may import earlier ones, never back:
base → calibration → key → memory → link → version → derivation → index → session → event → evidence → decision → review → recall →
feedback → suppression → interest → incoming → erasure → knowledge → recipe → evaluation → experiment → work.
"""

from memory.models.calibration import Calibration
from memory.models.decision import Decision
from memory.models.derivation import Derivation
from memory.models.erasure import Erasure, ErasureStep, LedgerEntry, Tombstone
from memory.models.evaluation import EvaluationRun, EvaluationSet
from memory.models.event import Event
from memory.models.evidence import Evidence
from memory.models.experiment import Experiment
from memory.models.feedback import Feedback
from memory.models.incoming import Import
from memory.models.index import Term, Vector
from memory.models.interest import Interest
from memory.models.key import ObjectKey, SubjectKey, VaultSentinel
from memory.models.knowledge import (
    Document,
    DocumentKey,
    Passage,
    PassageTerm,
    PassageVector,
    TenantKey,
)
from memory.models.link import MemoryLink
from memory.models.memory import Memory
from memory.models.recall import RecalledMemory, RecallLog
from memory.models.recipe import RecallRecipe
from memory.models.review import Conflict, ReviewItem
from memory.models.session import Message, Session, Summary, TaskBoard
from memory.models.suppression import Suppression
from memory.models.version import Version
from memory.models.webhook import WebhookTarget
from memory.models.work import IdempotencyRecord, Job, OutboxMessage, Sweep

__all__ = [
    "Calibration",
    "Conflict",
    "Decision",
    "Derivation",
    "Document",
    "DocumentKey",
    "Erasure",
    "ErasureStep",
    "EvaluationRun",
    "EvaluationSet",
    "Event",
    "Evidence",
    "Experiment",
    "Feedback",
    "IdempotencyRecord",
    "Import",
    "Interest",
    "Job",
    "LedgerEntry",
    "Memory",
    "MemoryLink",
    "Message",
    "ObjectKey",
    "OutboxMessage",
    "Passage",
    "PassageTerm",
    "PassageVector",
    "RecallLog",
    "RecallRecipe",
    "RecalledMemory",
    "ReviewItem",
    "Session",
    "SubjectKey",
    "Summary",
    "Suppression",
    "Sweep",
    "TaskBoard",
    "TenantKey",
    "Term",
    "Tombstone",
    "VaultSentinel",
    "Vector",
    "Version",
    "WebhookTarget",
]
