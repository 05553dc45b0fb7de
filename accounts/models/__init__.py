"""Who: tenants, people, subjects, agents, keys, grants and the audit log.

Later files may import earlier ones: tenant → user → subject → link → merge → agent → grant → look → audit → seal.
"""

from accounts.models.agent import Agent, ApiKey
from accounts.models.audit import AuditEvent
from accounts.models.grant import Grant
from accounts.models.link import PersonLink
from accounts.models.look import Look
from accounts.models.merge import SubjectMerge
from accounts.models.seal import AuditSeal
from accounts.models.subject import Subject
from accounts.models.tenant import Tenant
from accounts.models.user import User

__all__ = [
    "Agent",
    "ApiKey",
    "AuditEvent",
    "AuditSeal",
    "Grant",
    "Look",
    "PersonLink",
    "Subject",
    "SubjectMerge",
    "Tenant",
    "User",
]
