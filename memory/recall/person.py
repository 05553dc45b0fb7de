"""What is known of a person without a question: attributes, decisions, what must not be learnt."""

from collections.abc import Sequence

from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.models import AuditEvent
from accounts.principal import Principal
from memory import access
from memory.choices import Sensitivity
from memory.errors import Forbidden
from memory.models import Decision, Interest, Suppression
from memory.policy import INTEREST
from memory.recall.pages import page
from memory.vault import open_vault


def attributes(principal: Principal) -> list[access.OpenedMemory]:
    """Return what fills an attribute now, in the order of its name; what has ended is left out.

    Special ones are left out for agents, pinned safety facts excepted.

    Raises:
        Forbidden: without a grant to read.
    """
    access.require(principal, Action.READ)
    with acting(principal):
        rows = access.memories_in_use(principal).exclude(attribute="")
        if principal.agent_id is not None:
            rows = rows.exclude(sensitivity__gte=Sensitivity.SPECIAL, pinned=False)
        found = list(rows.order_by("attribute", "-updated_at", "id"))
        audit.record(
            principal, AuditCode.MEMORY_LISTED, result_count=len(found), reason="attributes"
        )
        now = timezone.now()
        opened = access.open_current(open_vault(principal), found)
        return [one for one in opened if one.version.valid_to is None or one.version.valid_to > now]


def decisions(
    principal: Principal, *, limit: int, cursor: str | None
) -> tuple[Sequence[Decision], str | None]:
    """Return what the gate decided, newest first: codes only. An agent sees its own candidates.

    Raises:
        Forbidden: without a grant to read.
        InvalidInput: for a cursor that is not ours.
    """
    access.require(principal, Action.READ)
    with acting(principal):
        rows = Decision.objects.filter(
            tenant_id=principal.tenant_id, subject_id=principal.person_id
        )
        if principal.agent_id is not None:
            rows = rows.filter(agent_id=principal.agent_id)
        return page(rows, by="created_at", limit=limit, cursor=cursor)


def suppressions(principal: Principal) -> list[Suppression]:
    """Return what must not be learnt again: bases and times. What it was, nobody can read any more.

    Raises:
        Forbidden: without a grant to read.
    """
    access.require(principal, Action.READ)
    with acting(principal):
        rows = Suppression.objects.in_force(principal.tenant_id, principal.person_id)
        return list(rows.order_by("-created_at"))


def interests(principal: Principal) -> list[Interest]:
    """Return what the person keeps asking about, the most frequent first.

    Raises:
        Forbidden: for anybody but the person.
    """
    if not principal.is_person:
        raise Forbidden("Only the person sees what their questions are counted as.")
    with acting(principal):
        rows = Interest.objects.filter(
            tenant_id=principal.tenant_id,
            subject_id=principal.person_id,
            count__gte=INTEREST.keeps_asking,
        )
        found = list(rows.order_by("-count", "topic"))
        audit.record(
            principal, AuditCode.MEMORY_LISTED, result_count=len(found), reason="interests"
        )
        return found


def audit_events(
    principal: Principal, *, limit: int, cursor: str | None
) -> tuple[Sequence[AuditEvent], str | None]:
    """Return the person's log, newest first; an agent sees what it did itself.

    Raises:
        InvalidInput: for a cursor that is not ours.
    """
    rows = AuditEvent.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
    if principal.agent_id is not None:
        rows = rows.filter(actor_id=principal.agent_id)
    return page(rows, by="at", limit=limit, cursor=cursor)
