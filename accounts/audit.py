"""Writing the audit log: one function, inside the transaction of the change it records."""

import ipaddress
import json
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import connection

from accounts.choices import AuditCode
from accounts.models import AuditEvent
from accounts.principal import Principal
from accounts.requests import current_request_id

MANY = """
INSERT INTO accounts_auditevent ({0})
SELECT {0} FROM jsonb_populate_recordset(NULL::accounts_auditevent, %s::jsonb)
"""


def record(principal: Principal, code: AuditCode, **what: Any) -> AuditEvent:
    """Add one line about ``principal`` doing ``code``; ``what`` are columns of AuditEvent.

    Raises:
        RuntimeError: outside a transaction. No change without its line, no line without its change.
    """
    found = line(principal, code, **what)
    found.save()
    return found


def record_many(principal: Principal, code: AuditCode, whats: Iterable[Mapping[str, Any]]) -> None:
    """Add a line for each of ``whats`` in one statement, as ``record`` does for one.

    All lines travel as one value: a placeholder for each column of each took five times as long.

    Raises:
        RuntimeError: outside a transaction.
    """
    names = [one.attname for one in AuditEvent._meta.concrete_fields if not one.primary_key]
    lines = (line(principal, code, **what) for what in whats)
    rows = [{name: getattr(row, name) for name in names} for row in lines]
    columns = ", ".join(map(connection.ops.quote_name, names))
    with connection.cursor() as cursor:
        cursor.execute(MANY.format(columns), [json.dumps(rows, default=str)])


def line(principal: Principal, code: AuditCode, **what: Any) -> AuditEvent:
    """Return the line that ``record`` would add, for the caller to put in with the rows of the change.

    Raises:
        RuntimeError: outside a transaction.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("The log is written in the transaction of the change it records.")
    given = {"subject_id": principal.subject_id, **what}
    return AuditEvent(
        code=code,
        tenant_id=principal.tenant_id,
        actor_kind=principal.kind,
        actor_id=principal.actor_id,
        actor_label=principal.label,
        key_prefix=principal.key_prefix,
        request_id=current_request_id(),
        address=principal.address,
        **given,
    )


def denied(principal: Principal, *, reason: str, subject_id: uuid.UUID | None) -> None:
    """Record a refused access, about a person where one is known; in a transaction of the caller's."""
    record(principal, AuditCode.ACCESS_DENIED, reason=reason, subject_id=subject_id)


def shorten(address: str) -> str:
    """Return the network part of an IP address (/24 or /48); empty if it is none."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    prefix = 24 if isinstance(parsed, ipaddress.IPv4Address) else 48
    return str(ipaddress.ip_network(f"{parsed}/{prefix}", strict=False).network_address)
