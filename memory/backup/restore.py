"""Restoring a backup, in the one order that brings nothing back that was erased or taken away.

Closed to everybody; rows loaded; the newest keys; the ledger replayed, everybody signed out; what has
no key dropped; the steps of every erasure done; the indexes made anew; looked at once more; opened.
Whatever ends it early leaves it closed, and it can be begun again from the start; but a dump that
cannot be loaded changes nothing.
"""

import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.core.management import call_command
from django.core.management.commands.migrate import Command as Migrate
from django.db import connection

from accounts import audit, rights, sealing
from accounts.acting import acting
from accounts.choices import ActorKind, AuditCode
from accounts.closing import close, is_closed, reopen
from accounts.models import Subject, Tenant
from accounts.principal import Principal
from accounts.ways_in import sign_everybody_out
from memory import ledger
from memory.backup.files import LEDGER, Manifest
from memory.backup.load import load_keys, load_main, sealed_with
from memory.backup.rebuild import drop_keyless, rebuild_indexes, verify
from memory.errors import BackupFault
from memory.forget import drive
from memory.forget.replay import Replayed, replay
from memory.models import Erasure
from memory.rotation import check_sentinel
from memory.vault import audit_signer, master_keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What came back and what did not."""

    keys: int
    replayed: Replayed
    taken: int
    dropped: int
    wordings: int
    passages: int


def restore(
    *,
    url: str,
    programs: Path | None,
    main: Path,
    keys: Path,
    ledgers: list[Path],
    say: Callable[[str], None],
) -> Restored:
    """Put a backup in the place of all that the database holds, without what was erased and taken
    away since.

    ``url`` connects as the owner, as the running process does. ``ledgers`` are read beside the one
    that lies with the keys.

    Raises:
        BackupFault: if the files do not belong together, or cannot be loaded. Before anything is
            changed, or with the database closed.
        VaultError: if a text does not open.
    """
    made_at = datetime.fromisoformat(Manifest.read(main).made_at)
    _check(keys)
    _load(url=url, programs=programs, main=main, say=say)
    loaded = load_keys(url=url, file=keys)
    call_command(Migrate(), verbosity=0, interactive=False)
    check_sentinel()
    say("Replaying the ledger.")
    replayed, taken = _replay(keys, ledgers, since=made_at)
    sign_everybody_out()
    dropped = drop_keyless()
    _finish_erasures()
    say("Building the indexes.")
    wordings, passages = rebuild_indexes()
    verify()
    ledger.note_restore()
    ledger.settle()
    _note()
    sealing.note_end(audit_signer())
    reopen(connection)
    return Restored(
        keys=loaded,
        replayed=replayed,
        taken=taken,
        dropped=dropped,
        wordings=wordings,
        passages=passages,
    )


def _load(*, url: str, programs: Path | None, main: Path, say: Callable[[str], None]) -> None:
    """Close the database and load the rows; if none could be loaded, all is as it was."""
    whole = not is_closed(connection)
    say("Closing the service.")
    close(connection)
    say("Loading the rows.")
    connection.close()
    try:
        load_main(url=url, programs=programs, folder=main)
    except BackupFault:
        if whole:
            reopen(connection)
        raise


def _check(keys: Path) -> None:
    """Refuse keys that no master key here opens."""
    for name in sealed_with(keys):
        if name not in master_keys():
            raise BackupFault(
                f"The keys are sealed with the master key {name}, which is not here. Put it back "
                "first, as MASTER_KEY or MASTER_KEY_BEFORE."
            )


def _replay(keys: Path, ledgers: list[Path], *, since: datetime) -> tuple[Replayed, int]:
    """Erase again, and take away again, what was by every ledger there is; return how much.

    What may be learnt again is told after the erasures, which write that it may not.
    """
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(keys) as archive:
        found = list(ledgers)
        if LEDGER in archive.namelist():
            found.append(Path(archive.extract(LEDGER, folder)))
        if not found:
            return Replayed(), 0
        replayed = replay(ledger.read(*found).values(), ledger.merges(*found))
        return replayed, rights.replay(*found, since=since)


def _finish_erasures() -> None:
    """Do every step that is left of any erasure."""
    open_ones = Erasure.objects.filter(state__in=drive.DRIVEN).values_list("id", flat=True)
    for erasure_id in list(open_ones):
        drive.run(erasure_id)
    left = Erasure.objects.filter(state__in=drive.DRIVEN).count()
    if left:
        raise BackupFault(f"{left} erasures could not be finished; see the log.")


def _note() -> None:
    """Leave a line in every tenant's log, and one in each person's."""
    for tenant_id in Tenant.objects.values_list("id", flat=True):
        owner = Principal(
            kind=ActorKind.OPERATOR, tenant_id=tenant_id, actor_id=None, label="restore"
        )
        with acting(owner) as principal:
            audit.record(principal, AuditCode.DATABASE_RESTORED)
            people = Subject.objects.of_tenant(tenant_id).filter(erased_at=None, merged_into=None)
            lines = ({"subject_id": id_} for id_ in people.values_list("id", flat=True))
            audit.record_many(principal, AuditCode.DATABASE_RESTORED, lines)
