"""A memory stored as another one, as the door of today lets it through: for what must go with its key."""

from collections.abc import Sequence
from dataclasses import replace

from accounts.principal import Principal
from memory.access import OpenedMemory
from memory.choices import Origin, Reason, Role, State, Trust
from memory.index.context import embed
from memory.lifecycle import transition
from memory.models import Evidence, Memory
from memory.vault import SubjectVault
from memory.write import store
from memory.write.admit import admit
from memory.write.case import open_case
from memory.write.classify import classify
from memory.write.evidence import add_evidence
from memory.write.proposal import Draft, Source, from_memory
from memory.write.redact import safe

# What the other memory keeps of the one it replaces, as it stands.
KEPT = (
    "agent_id", "session_id", "project", "created_at", "last_confirmed_at", "last_recalled_at", "recall_count",
    "expires_at", "visibility", "importance",
)  # fmt: skip


def again(former: OpenedMemory) -> Draft | None:
    """Return what a memory says, redacted and graded anew; None if nothing storable is left."""
    memory = former.memory
    source = Source(origin=Origin(memory.origin), said_at=memory.last_confirmed_at)
    proposal = from_memory(former, source)
    draft = replace(classify(proposal), trust=Trust(memory.trust))
    return None if admit(draft) else draft


def store_again(
    principal: Principal,
    vault: SubjectVault,
    draft: Draft,
    former: OpenedMemory,
    quotes: Sequence[tuple[Evidence, str]],
) -> Memory | None:
    """Store the draft in the state of ``former``, which is fenced; None if another memory says the same.

    Call it inside a transaction of the subject.
    """
    old = former.memory
    in_use = old.state in (State.ACTIVE, State.PENDING)
    alone = replace(draft, single=draft.single and in_use)  # what rests beside the current value
    case = open_case(principal, vault, alone, embed(draft.index_text))
    said = Memory.objects.said(principal, case.marks.wording)
    if said.filter(occurred=old.occurred).exists():
        return None
    waits = Reason.UNTRUSTED_SOURCE if old.state == State.PENDING else None
    made = store.create(case, waits=waits)
    if not in_use:
        transition(made, State(old.state), single=draft.single)
    for name in KEPT:
        setattr(made, name, getattr(old, name))
    made.save(update_fields=KEPT)
    for row, quote in quotes:
        source = Source(
            origin=Origin(old.origin),
            said_at=row.said_at,
            role=Role(row.role) if row.role else None,
            event_id=row.event_id,
        )
        proposal = replace(draft.proposal, quote=safe(quote), source=source)
        add_evidence(vault, made, replace(draft, proposal=proposal))
    return made
