"""A memory stored as another one, as the door of today lets it through: for what must go with its key."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from accounts.principal import Principal
from memory.access import OpenedMemory
from memory.choices import Origin, Reason, Role, State, Trust
from memory.index import store as index
from memory.index.context import embed
from memory.lifecycle import transition
from memory.models import Evidence, Memory, Version
from memory.vault import Place, SubjectVault
from memory.write import store
from memory.write.admit import admit
from memory.write.case import open_case
from memory.write.classify import classify
from memory.write.evidence import add_evidence
from memory.write.proposal import Draft, Source, from_memory
from memory.write.redact import redact, safe

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
    wordings: Sequence[OpenedMemory],
    quotes: Sequence[tuple[Evidence, str]],
) -> Memory | None:
    """Store the draft in the place of the last of ``wordings``, those before it as its past.

    Their memory is fenced. None: another memory says the same. Call it inside a transaction of the
    subject.
    """
    *past, former = wordings
    old = former.memory
    in_use = old.state in (State.ACTIVE, State.PENDING)
    alone = replace(draft, single=draft.single and in_use)  # what rests beside the current value
    case = open_case(principal, vault, alone, embed(draft.index_text))
    said = Memory.objects.said(principal, case.marks.wording)
    if said.filter(occurred=old.occurred).exists():
        return None
    waits = Reason.UNTRUSTED_SOURCE if old.state == State.PENDING else None
    made = store.create(case, waits=waits, number=len(wordings))
    Version.objects.filter(memory=made).update(**_known(former.version) | {"superseded_at": None})
    for number, one in enumerate(past, 1):
        _add_past(vault, made, one, number)
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


# What a wording keeps of the one it is a copy of: who wrote it, why, and when it held and was known.
_KNOWN = (
    "reason", "author_kind", "author_id", "origin", "trust", "valid_from", "valid_to", "recorded_at", "superseded_at",
)  # fmt: skip


def _known(former: Version) -> dict[str, Any]:
    return {name: getattr(former, name) for name in _KNOWN}


def _add_past(vault: SubjectVault, made: Memory, former: OpenedMemory, number: int) -> None:
    """Store a former wording without its secrets; only looks into the past find it."""
    redacted, version = redact(former.text), former.version
    details = json.dumps(_safe(former.details), ensure_ascii=False)
    copy = Version.objects.create(
        tenant_id=made.tenant_id,
        subject_id=made.subject_id,
        memory=made,
        number=number,
        text=vault.seal(Place(object_id=made.id, number=number), redacted.text),
        details=vault.seal(Place(object_id=made.id, number=number, field="details"), details),
        language=version.language,
        **_known(version),
    )
    index.add(vault, copy, redacted.index_text, embed(redacted.index_text))
    index.retire(copy)


def _safe(value: Any) -> Any:
    """Return a JSON value without the secrets in its texts, keys too."""
    if isinstance(value, str):
        return safe(value)
    if isinstance(value, dict):
        return {safe(name): _safe(inner) for name, inner in value.items()}
    return [*map(_safe, value)] if isinstance(value, list) else value
