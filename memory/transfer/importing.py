"""A file of memories on its way in: offered and looked at, then brought in, entry by entry.

What comes from elsewhere waits for the person like any import. Only their own export, signed by this
service, is put back as it was; where it says something else than what is there, it asks as well.
"""

import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import F
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import access, queue
from memory.choices import JobKind, Origin, Outcome
from memory.choices.transfer import ImportGroup, ImportState
from memory.errors import Forbidden, InvalidInput, NotFound, StaleState
from memory.lifecycle import lock_subject
from memory.models import Import, Job, Memory, ObjectKey
from memory.policy import TRANSFER
from memory.transfer.beside import Beside, Placed
from memory.transfer.export import whose
from memory.transfer.reading import Entry, open_file, read
from memory.transfer.whole import new_id, put_back, tie
from memory.vault import Place, open_vault
from memory.write.pipeline import decide
from memory.write.proposal import Draft

TAKEABLE = (ImportGroup.NEW, ImportGroup.CHANGED)
TAKEN = "taken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a file would bring: how many entries of each group, the first of each, and whether it is
    the person's own signed export."""

    id: uuid.UUID
    state: ImportState
    counts: Mapping[ImportGroup, int]
    shown: Mapping[ImportGroup, Sequence[Placed]]
    own: bool
    taken: int


def offer(principal: Principal, content: bytes, *, passphrase: str = "") -> uuid.UUID:
    """Keep a file for a day, sealed, until the person has looked at it and says yes.

    Raises:
        Forbidden: for anybody but the person.
        InvalidInput: if nothing can be read out of it.
    """
    _require_person(principal)
    plain = open_file(content, passphrase)
    entries = _entries(principal, plain)  # what cannot be read is said now
    with acting(principal.unlimited()):
        vault, import_id = open_vault(principal), uuid.uuid4()
        Import.objects.create(
            id=import_id,
            tenant_id=principal.tenant_id,
            subject_id=principal.person_id,
            content=vault.seal_bytes(Place(object_id=import_id), plain),
            expires_at=timezone.now() + TRANSFER.waits,
        )
        audit.record(
            principal,
            AuditCode.IMPORT_OFFERED,
            object_kind="import",
            object_id=import_id,
            result_count=len(entries),
        )
    return import_id


def look(principal: Principal, import_id: uuid.UUID) -> Look:
    """Return what a file would bring; once it was brought in, only how much was taken.

    Raises:
        Forbidden: for anybody but the person.
        NotFound: if the person has no such file any more.
    """
    row = _find(principal, import_id)
    if row.state == ImportState.DONE:
        return Look(
            id=row.id, state=ImportState.DONE, counts={}, shown={}, own=False, taken=row.taken
        )
    entries = _entries(principal, _content(principal, row))
    with acting(principal.unlimited()):
        beside = Beside.of(principal, open_vault(principal), timezone.now())
        placed = [beside.place(entry) for entry in entries]
    shown: dict[ImportGroup, list[Placed]] = {group: [] for group in ImportGroup}
    for one in placed:
        if len(shown[one.group]) < TRANSFER.shown:
            shown[one.group].append(one)
    return Look(
        id=row.id,
        state=ImportState(row.state),
        counts=Counter(one.group for one in placed),
        shown=shown,
        own=any(one.entry.whole is not None for one in placed),
        taken=row.taken,
    )


def accept(principal: Principal, import_id: uuid.UUID, groups: Sequence[ImportGroup]) -> Job:
    """Let the file in, as far as the person wants it; return the job that does it.

    Raises:
        Forbidden: for anybody but the person.
        NotFound: if the person has no such file any more.
        InvalidInput: if nothing that can be taken is named.
        StaleState: if it is on its way already.
    """
    _require_person(principal)
    wanted = [group for group in TAKEABLE if group in groups]
    if not wanted:
        raise InvalidInput("Name what to bring in: new, changed, or both.")
    with acting(principal.unlimited()):
        moved = Import.objects.filter(
            subject_id=principal.person_id, id=import_id, state=ImportState.OFFERED
        ).update(state=ImportState.RUNNING, wanted=wanted)
        if not moved:
            _find(principal, import_id)
            raise StaleState("This file is being brought in already.")
        audit.record(
            principal, AuditCode.IMPORT_ACCEPTED, object_kind="import", object_id=import_id
        )
        return queue.add_job(
            kind=JobKind.IMPORT,
            tenant_id=principal.tenant_id,
            subject_id=principal.person_id,
            target_id=import_id,
            agent_id=None,
        )


def discard(principal: Principal, import_id: uuid.UUID) -> None:
    """Throw a file away that was not wanted after all.

    Raises:
        Forbidden: for anybody but the person.
        NotFound: if the person has no such file any more.
    """
    row = _find(principal, import_id)
    with acting(principal.unlimited()):
        _drop_content(row)
        row.delete()


def bring_in(
    principal: Principal, import_id: uuid.UUID, cursor: str
) -> Iterator[tuple[str, str | None]]:
    """Bring the entries in from place ``cursor`` on; yield each place with what was done, if anything.

    Each entry is a transaction; gone on with after a break, none comes in twice.
    """
    with acting(principal.unlimited()):
        row = Import.objects.filter(id=import_id, state=ImportState.RUNNING).first()
    if row is None:
        return
    entries = _entries(principal, _content(principal, row))
    with acting(principal.unlimited()):
        beside = Beside.of(principal, open_vault(principal), timezone.now())
    for number, entry in enumerate(entries):
        if number < int(cursor or 0):
            continue
        yield str(number + 1), _take(principal, row, beside, entry)
    with acting(principal.unlimited()):
        items = [one.whole for one in entries if one.whole is not None]
        tie(principal, import_id, items)
        _drop_content(row)
        Import.objects.filter(id=import_id).update(content=b"", state=ImportState.DONE)


def _take(principal: Principal, row: Import, beside: Beside, entry: Entry) -> str | None:
    placed = beside.place(entry)
    if placed.group not in row.wanted:
        return None
    done = _let_in(principal, row, placed)
    if done:
        with acting(principal.unlimited()):
            Import.objects.filter(id=row.id).update(taken=F("taken") + 1)
    return TAKEN if done else None


def _let_in(principal: Principal, row: Import, placed: Placed) -> bool:
    whole = placed.entry.whole if placed.group == ImportGroup.NEW else None
    with acting(principal.unlimited()):
        lock_subject(principal)
        if not Import.objects.filter(subject_id=principal.person_id, id=row.id).exists():
            return False  # an erasure took the file along: what it erased may stand in it
        if whole is not None:
            return _put_back(principal, row, placed.draft, whole)
        proposal = placed.draft.proposal
        source = replace(proposal.source, origin=Origin.IMPORT)
        decided = decide(principal, replace(proposal, source=source))
    return decided.outcome != Outcome.REFUSED


def _put_back(principal: Principal, row: Import, draft: Draft, whole: Mapping[str, Any]) -> bool:
    memory_id = new_id(row.id, str(whole["id"]))
    if Memory.objects.filter(id=memory_id).exists() or access.is_erased(principal, memory_id):
        return False
    put_back(principal, open_vault(principal), draft, whole, memory_id)
    return True


def _require_person(principal: Principal) -> None:
    if not principal.is_person:
        raise Forbidden("Only the person brings memories in.")


def _find(principal: Principal, import_id: uuid.UUID) -> Import:
    _require_person(principal)
    with acting(principal.unlimited()):
        mine = Import.objects.filter(
            tenant_id=principal.tenant_id, subject_id=principal.person_id, id=import_id
        )
        row = mine.filter(expires_at__gt=timezone.now()).first()
    if row is None:
        raise NotFound("This file is not here any more. Bring it again.")
    return row


def _content(principal: Principal, row: Import) -> bytes:
    with acting(principal.unlimited()):
        return open_vault(principal).unseal_bytes(Place(object_id=row.id), row.content)


def _entries(principal: Principal, plain: bytes) -> list[Entry]:
    subject = access.subject_of(principal)
    return read(plain, now=timezone.now(), me=whose(subject))


def _drop_content(row: Import) -> None:
    ObjectKey.objects.filter(subject_id=row.subject_id, object_id=row.id).delete()
