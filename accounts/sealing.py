"""Sealing the audit log into a chain, and finding out whether somebody has changed it since.

Each seal digests the lines that were not sealed yet, in order, together with the digest before, and is
signed with a key that lies outside the database: who can write there, but has no key, cannot make
another chain. Where the chain ends is noted in a file, so that a shorter one is noticed, too.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import Model
from django.utils import timezone

from accounts.models import AuditEvent, AuditSeal

BATCH = 2000  # lines under one seal
# A line is written at most so long before its transaction commits; an older one was slipped in.
GRACE = timedelta(minutes=15)
# A line whose transaction took long has a lower number than others that are sealed already.
LATE = 10_000
NEAR = 1000  # seals; more are not made within the grace
START = bytes(32)
UNSEALED = """
    WITH sealed AS (SELECT unnest(event_ids) AS id FROM accounts_auditseal)
    SELECT count(*) FROM accounts_auditevent e LEFT JOIN sealed s ON s.id = e.id
    WHERE s.id IS NULL AND e.at < %s"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signer:
    """The key that signs, its public name, and the file that says where the chain ends."""

    key: bytes
    key_id: str
    head: Path

    def sign(self, digest: bytes) -> bytes:
        """Return the MAC of a digest."""
        return hmac.digest(self.key, digest, "sha256")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that is not as it was sealed: what, and at which seal (0: under none)."""

    what: str
    seal: int


# --- sealing -------------------------------------------------------------------------------------


def seal(signer: Signer) -> int:
    """Seal what is not sealed yet; return how many lines."""
    sealed = 0
    while lines := _unsealed(_last()):
        if add(signer, lines) is None:  # another process was first
            break
        sealed += len(lines)
        if len(lines) < BATCH:
            break
    return sealed


def add(
    signer: Signer, lines: Sequence[AuditEvent], *, kept_from: int | None = None
) -> AuditSeal | None:
    """Put a seal over these lines; None if another process has put one there meanwhile."""
    last = _last()
    link = AuditSeal(
        number=last.number + 1 if last else 1,
        at=timezone.now(),
        event_ids=[line.id for line in lines],
        kept_from=kept_from,
        previous=bytes(last.digest) if last else START,
        key_id=signer.key_id,
    )
    link.digest = _digest(link, lines)
    link.mac = signer.sign(link.digest)
    try:
        with transaction.atomic():
            link.save(force_insert=True)
    except IntegrityError:
        return None
    transaction.on_commit(lambda: note_head(signer, link))
    return link


def note_head(signer: Signer, link: AuditSeal | None) -> None:
    """Write down outside the database where the chain ends."""
    if link is None:
        signer.head.unlink(missing_ok=True)
        return
    told = json.dumps({"number": link.number, "digest": bytes(link.digest).hex()})
    draft = signer.head.with_suffix(".new")
    draft.touch(mode=0o600)
    draft.write_text(told + "\n")
    draft.replace(signer.head)


def count_lines() -> int:
    """Return how many lines the log has."""
    return AuditEvent.objects.count()


def note_end(signer: Signer) -> None:
    """Note the end anew, after a restore has put an older chain in the place of this one."""
    note_head(signer, _last())


def _last() -> AuditSeal | None:
    return AuditSeal.objects.order_by("number").last()


def _unsealed(last: AuditSeal | None) -> list[AuditEvent]:
    """Return the next lines under no seal, in order, but none that is too old to be new."""
    if last is None:
        return list(AuditEvent.objects.order_by("id")[:BATCH])
    since = last.at - GRACE
    near = AuditSeal.objects.filter(number__gt=last.number - NEAR, at__gte=since)
    known = [id_ for ids in near.values_list("event_ids", flat=True) for id_ in ids]
    floor = min(known, default=0) - LATE
    fresh = AuditEvent.objects.filter(id__gt=floor, at__gte=since).exclude(id__in=known)
    return list(fresh.order_by("id")[:BATCH])


def _digest(link: AuditSeal, lines: Sequence[AuditEvent]) -> bytes:
    """Return the digest of a link: what it says of itself, the one before, and its lines."""
    told = [link.number, link.at.isoformat(), list(link.event_ids), link.kept_from]
    digest = hashlib.sha256(bytes(link.previous))
    digest.update(json.dumps(told).encode() + b"\n")
    for line in lines:
        digest.update(_written(line) + b"\n")
    return digest.digest()


def _written(line: Model) -> bytes:
    """Return a line as it is digested. What is empty is left out, so that columns can be added."""
    values = {
        str(field.column): getattr(line, field.attname) for field in line._meta.concrete_fields
    }
    filled = {name: value for name, value in values.items() if value not in (None, "", [])}
    return json.dumps(filled, sort_keys=True, default=_plain, separators=(",", ":")).encode()


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


# --- verifying -----------------------------------------------------------------------------------


def verify(signer: Signer) -> list[Finding]:
    """Return all that is not as it was sealed; nothing, if nobody has touched it."""
    last = _last()
    return [*_chain(signer), *_end(signer, last), *_slipped_in(last)]


def _chain(signer: Signer) -> Iterator[Finding]:
    before: AuditSeal | None = None
    first = _first_kept()
    for link in AuditSeal.objects.order_by("number").iterator(chunk_size=100):
        expected = before.number + 1 if before else first
        if link.number != expected:
            yield Finding(what="seals removed before", seal=link.number)
        elif bytes(link.previous) != (bytes(before.digest) if before else _start(link)):
            yield Finding(what="seal does not follow the one before", seal=link.number)
        yield from _link(signer, link)
        before = link


def _first_kept() -> int:
    """Return the number at which the chain may begin: what a checkpoint says, else 1."""
    told = AuditSeal.objects.filter(kept_from__isnull=False).order_by("-number").first()
    return int(told.kept_from or 1) if told else 1


def _start(link: AuditSeal) -> bytes:
    """What stands before the first link that was kept cannot be looked up any more."""
    return START if link.number == 1 else bytes(link.previous)


def _link(signer: Signer, link: AuditSeal) -> Iterator[Finding]:
    lines = list(AuditEvent.objects.filter(id__in=link.event_ids).order_by("id"))
    if len(lines) != len(link.event_ids):
        missing = len(link.event_ids) - len(lines)
        yield Finding(what=f"{missing} lines removed", seal=link.number)
    elif _digest(link, lines) != bytes(link.digest):
        yield Finding(what="a line or the seal was changed", seal=link.number)
    if link.key_id != signer.key_id:  # signed before the key changed: what follows vouches for it
        if not AuditSeal.objects.filter(number__gt=link.number, key_id=signer.key_id).exists():
            yield Finding(what="signed by another key", seal=link.number)
    elif not hmac.compare_digest(signer.sign(bytes(link.digest)), bytes(link.mac)):
        yield Finding(what="the signature is not ours", seal=link.number)


def _end(signer: Signer, last: AuditSeal | None) -> Iterator[Finding]:
    """Compare the end of the chain with what was noted outside the database."""
    try:
        noted = json.loads(signer.head.read_text())
    except FileNotFoundError:
        return
    if last is None or last.number < noted["number"]:
        yield Finding(what="seals removed at the end", seal=noted["number"])
        return
    link = AuditSeal.objects.filter(number=noted["number"]).first()
    if link is None or bytes(link.digest).hex() != noted["digest"]:
        yield Finding(what="not the seal that was noted outside", seal=noted["number"])


def _slipped_in(last: AuditSeal | None) -> Iterator[Finding]:
    """Look for lines under no seal that are too old to wait for one."""
    if last is None:
        return
    with connection.cursor() as cursor:
        cursor.execute(UNSEALED, [last.at - GRACE])
        (count,) = cursor.fetchone()
    if count:
        yield Finding(what=f"{count} lines added later", seal=0)
