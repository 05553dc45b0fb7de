"""A new master key: the key of every person and tenant is wrapped anew, texts stay as they are.

What is done is seen in the rows, so it may be stopped, killed and begun again at any time; meanwhile
both keys open.
"""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.models import Subject, Tenant
from accounts.principal import Principal
from accounts.setup import operator
from accounts.subjects import system
from memory.aead import seal, unseal
from memory.errors import VaultError
from memory.models import SubjectKey, TenantKey, VaultSentinel
from memory.vault import master_id, master_key, master_keys, unwrapped

SENTINEL = b"keepsake"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotated:
    """How many keys were wrapped anew, and how many by a master key that is not here."""

    wrapped: int = 0
    foreign: int = 0

    def __add__(self, other: "Rotated") -> "Rotated":
        return Rotated(wrapped=self.wrapped + other.wrapped, foreign=self.foreign + other.foreign)


def rotate() -> Rotated:
    """Wrap every key by today's master key, then note that no other is needed.

    If some were wrapped by a third key, nothing is noted, and the key before stays needed.
    """
    done = Rotated()
    for tenant_id in Tenant.objects.order_by("id").values_list("id", flat=True):
        done += _of_tenant(tenant_id)
    # Whoever came meanwhile may have met a process that had only the key before.
    while (again := _everybody()).wrapped:
        done += Rotated(wrapped=again.wrapped)
    done += Rotated(foreign=again.foreign)
    if not done.foreign:
        with transaction.atomic():
            mark_sentinel()
    return done


def _of_tenant(tenant_id: uuid.UUID) -> Rotated:
    """Wrap the tenant's own key anew, and leave a line in its log."""
    with acting(operator(tenant_id)) as principal:
        done = _wrap(TenantKey, tenant_id, tenant_id=tenant_id)
        audit.record(principal, AuditCode.VAULT_ROTATED, reason=master_id(master_key()))
    return done


def _everybody() -> Rotated:
    done = Rotated()
    for principal in _people():
        with acting(principal):
            person = principal.person_id
            done += _wrap(SubjectKey, person, tenant_id=principal.tenant_id, subject_id=person)
    return done


def _wrap(
    model: type[SubjectKey] | type[TenantKey], owner: uuid.UUID, **mine: uuid.UUID
) -> Rotated:
    rows = model._default_manager.select_for_update().exclude(master_id=master_id(master_key()))
    row = rows.filter(**mine).first()
    if row is None:
        return Rotated()
    try:
        wrap_again(row, owner)
    except VaultError:
        return Rotated(foreign=1)
    return Rotated(wrapped=1)


def _people() -> Iterator[Principal]:
    for tenant_id, subject_id in Subject.objects.order_by("id").values_list("tenant_id", "id"):
        yield system(tenant_id, subject_id, label="rotation")


def wrap_again(row: SubjectKey | TenantKey, owner: uuid.UUID) -> None:
    """Wrap an owner's key, which stays the same, by today's master key.

    Raises:
        VaultError: if it was wrapped by a key that is not here.
    """
    master = master_key()
    row.wrapped = seal(master, unwrapped(row, owner), owner.bytes)
    row.master_id = master_id(master)
    row.save(update_fields=["wrapped", "master_id"])


def check_sentinel() -> None:
    """Compare the master key with the one this database was sealed with; note it on first use.

    Raises:
        VaultError: if the database was sealed with another key.
    """
    found = VaultSentinel.objects.first()
    if found is None:
        mark_sentinel()
        return
    key = master_keys().get(found.master_id)
    if key is None:
        raise VaultError(
            f"The master key is not the one this database was sealed with ({found.master_id}). "
            "Restore that key; a new one cannot open what is stored."
        )
    unseal(key, bytes(found.sealed), found.master_id.encode())


def mark_sentinel() -> None:
    """Note that the database is sealed with today's master key, and with no other."""
    key = master_key()
    name = master_id(key)
    VaultSentinel.objects.exclude(master_id=name).delete()
    sealed = seal(key, SENTINEL, name.encode())
    VaultSentinel.objects.get_or_create(master_id=name, defaults={"sealed": sealed})
