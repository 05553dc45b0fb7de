"""What bounds a right: changed here alone, with its line in the ledger outside the database.

A dump from before it knows nothing of a key that was revoked since, of an agent that was paused, of a
login that was closed. Each change of a column in some model's ``right_fields`` therefore leaves a line:
table, id, how these columns stand from then on. They are switches, codes, numbers, times
and the purposes a permission is bound to; never what anybody said. The last line of a row holds, so that what is given back later is given back.

With a ``right_key`` the row can be made again where the dump has none: it is known by its tenant, its
person and these columns.
"""

import json
import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.db import models, transaction
from django.utils import timezone

from accounts.acting import acting
from accounts.choices import ActorKind
from accounts.ledger import SETTLED, append, encoded, whole_lines
from accounts.models import Subject, User
from accounts.principal import ALL_ACTIONS, ALL_KINDS, FULL_CLEARANCE, Principal

OWNER = ("tenant_id", "subject_id")
type Line = Mapping[str, Any]


def change(rows: models.QuerySet[Any], **values: Any) -> int:
    """Set columns of these rows, here and in the ledger; return how many rows there were.

    Raises:
        LedgerUnavailable: if the ledger cannot be written; nothing is changed then.
    """
    with transaction.atomic():
        # As an UPDATE locks: whoever writes the row's next line waits until this one is committed.
        locked = rows.select_for_update(of=("self",), no_key=True)
        before = {one.pk: _row(one) for one in locked}
        found = rows.model._default_manager.filter(pk__in=list(before))
        count: int = found.update(**values)
        if count and not values.keys().isdisjoint(rows.model.right_fields):
            note(one for one in found if _row(one) != before[one.pk])
    return count


def end(rows: models.QuerySet[Any]) -> None:
    """Delete these rows, here and by the ledger.

    Raises:
        LedgerUnavailable: if the ledger cannot be written; nothing is changed then.
    """
    with transaction.atomic():
        lines = [encoded(_line(row) | {"row": None}) for row in rows]
        rows.delete()
        append(lines)


def note(rows: Iterable[models.Model]) -> None:
    """Write down how these rows stand, in the transaction that made or changed them.

    Raises:
        LedgerUnavailable: if the ledger cannot be written; the transaction must not commit then.
    """
    if lines := [encoded(_line(row)) for row in rows]:
        append(lines)


def settle(*, since: datetime) -> int:
    """Correct the lines since then whose transaction was rolled back; return how many.

    Raises:
        LedgerUnavailable: if the ledger cannot be written.
    """
    before, count = timezone.now() - SETTLED, 0
    for line in _last(since=since):
        if _time(line) < before:
            with _seeing(line):
                row = _find(line, lock=True)
                if row is not None and not _agrees(row, line):
                    note([row])
                    count += 1
    return count


def replay(*paths: Path, since: datetime) -> int:
    """Take away again what the ledgers say was taken away since a dump; return how many rows it was.

    What the dump has of a login whose password, passkeys or second factors were changed since lets
    nobody in any more: the ledger cannot hold the new ones. Run as the owner, before anybody else may
    see the rows; running it twice changes nothing.

    Raises:
        OSError: if a file is not there.
    """
    with transaction.atomic():
        return sum(_again(line) for line in _last(*paths, since=since - SETTLED))


# --- one line ------------------------------------------------------------------------------------


def kept_models() -> dict[str, type[models.Model]]:
    """Return the models with columns that bound a right, by table."""
    return {one._meta.db_table: one for one in apps.get_models() if hasattr(one, "right_fields")}


def _line(row: models.Model) -> dict[str, Any]:
    owner = {name: getattr(row, name, None) for name in OWNER}
    return {
        "right": row._meta.db_table,
        "id": row.pk,
        **{name: id_ for name, id_ in owner.items() if id_ is not None},
        "at": timezone.now(),
        "row": _row(row),
    }


def _row(row: models.Model) -> dict[str, Any]:
    return {name: getattr(row, name) for name in _columns(type(row))}


def _columns(model: type[models.Model]) -> tuple[str, ...]:
    return (*_key(model), *getattr(model, "right_fields", ()))


def _key(model: type[models.Model]) -> tuple[str, ...]:
    """Return the columns that a row is known by beside its owner; none if it cannot be made again."""
    return getattr(model, "right_key", ())


def _time(line: Line) -> datetime:
    return datetime.fromisoformat(line["at"])


def _last(*paths: Path, since: datetime) -> list[Line]:
    """Return the last line of each row since then, in their order."""
    known = kept_models()
    lines = (one for one in whole_lines(*paths) if one.get("right") in known)
    recent = sorted((one for one in lines if _time(one) >= since), key=_time)
    found: dict[tuple[Any, ...], Line] = {}
    for line in recent:
        # A key that was deleted says no more of itself than its id.
        key = _key(known[line["right"]])
        which = [line.get(name) for name in OWNER] if key else [line["id"]]
        named = (line["right"], *which, *((line["row"] or {}).get(name) for name in key))
        found.pop(named, None)
        found[named] = line
    return list(found.values())


def _seeing(line: Line) -> Any:
    """Open the wall in front of the row."""
    if (tenant := line.get("tenant_id")) is None:
        return transaction.atomic()
    subject = line.get("subject_id")
    return acting(
        Principal(
            kind=ActorKind.SYSTEM,
            tenant_id=uuid.UUID(tenant),
            actor_id=None,
            subject_id=uuid.UUID(subject) if subject else None,
            label="ledger",
            actions=ALL_ACTIONS,
            kinds=ALL_KINDS,
            clearance=FULL_CLEARANCE,
        )
    )


def _find(line: Line, *, lock: bool = False) -> models.Model | None:
    """Return the row, by its id or else by its key: the newest, where others ended before it."""
    model = kept_models()[line["right"]]
    rows = model._default_manager.select_for_update(no_key=True) if lock else model._default_manager
    row = rows.filter(pk=line["id"]).first()
    key = _key(model)
    if row is None and key and line["row"]:
        same = {name: line[name] for name in OWNER} | {name: line["row"][name] for name in key}
        row = rows.filter(**same).order_by("created_at").last()
    return row


def _agrees(row: models.Model, line: Line) -> bool:
    now = json.loads(encoded(_line(row)))["row"]
    return line["row"] is not None and bool(now == now | _known(type(row), line))


def _known(model: type[models.Model], line: Line) -> dict[str, Any]:
    """Return what a line says of columns that there are; it may be another version's."""
    return {name: line["row"][name] for name in _columns(model) if name in line["row"]}


def _again(line: Line) -> bool:
    row = _find(line)
    if row is None:
        return line["row"] is not None and _make(line)
    if line["row"] is None:
        row.delete()
        return True
    if _agrees(row, line):
        return False
    values = _parsed(type(row), _known(type(row), line))
    if isinstance(row, User) and values["sign_in_at"] != row.sign_in_at:
        values["password"] = make_password(None)
        Authenticator.objects.filter(user_id=row.pk).delete()
    type(row)._default_manager.filter(pk=row.pk).update(**values)
    return True


def _make(line: Line) -> bool:
    """Make a row that the dump has not, if it may be and whom it is about is there."""
    model = kept_models()[line["right"]]
    if not _key(model):
        return False
    values = {name: line[name] for name in OWNER} | _known(model, line)
    for field in model._meta.concrete_fields:
        other = field.related_model
        if isinstance(other, type) and values.get(field.attname) is not None:
            there = other._default_manager.filter(pk=values[field.attname])
            if other is Subject:
                there = there.filter(erased_at__isnull=True)
            if not there.exists():
                return False
    model._default_manager.create(id=line["id"], created_at=_time(line), **_parsed(model, values))
    return True


def _parsed(model: type[models.Model], values: Mapping[str, Any]) -> dict[str, Any]:
    fields = {one.attname: one for one in model._meta.concrete_fields}
    return {name: fields[name].to_python(value) for name, value in values.items()}
