"""Encryption at rest: master key → key of a person or tenant → key per object → text.

AES-GCM throughout. The additional data of a text binds it to tenant, subject, object, number and
field, so that ciphertext moved elsewhere does not open. The master key lives outside the database
and its backups; destroying an object's key row puts its text out of reach in every copy.
"""

import base64
import hashlib
import hmac
import struct
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from accounts.acting import stays
from accounts.principal import Principal
from accounts.sealing import Signer
from memory.aead import FORMAT, digest, seal, seal_keys, unseal, unseal_keys
from memory.errors import KeyDestroyed, NotFound, VaultError
from memory.models import DocumentKey, ObjectKey, SubjectKey, TenantKey

KEY_BYTES = 32
# Every request asks for it, so it is asked as shortly as can be.
KEY_OF = """SELECT k.* FROM memory_subjectkey k
    JOIN accounts_subject s ON s.id = k.subject_id AND s.erased_at IS NULL
    WHERE k.tenant_id = %s AND k.subject_id = %s"""
UNWANTED = ("suppress event", "suppress wording", "suppress attribute", "slot", "merge")

# As a binary column gives it back.
type Stored = bytes | memoryview


def master_key() -> bytes:
    """Return the 32 bytes of the master key.

    Raises:
        VaultError: if ``MASTER_KEY`` is missing or is not 32 bytes in base64.
    """
    return _decoded("MASTER_KEY", settings.MASTER_KEY)


def _decoded(name: str, text: str) -> bytes:
    try:
        key = base64.b64decode(text, validate=True)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise VaultError(f"{name} must be 32 bytes in base64; restore it from your safe copy.")
    return key


def master_keys() -> dict[str, bytes]:
    """Return the master keys by their public names: today's, and the one before while it is changed.

    Raises:
        VaultError: if one is no key.
    """
    keys = [master_key()]
    if settings.MASTER_KEY_BEFORE:
        keys.append(_decoded("MASTER_KEY_BEFORE", settings.MASTER_KEY_BEFORE))
    return {master_id(key): key for key in keys}


def master_id(key: bytes) -> str:
    """Return the public name of a master key, which tells keys apart without showing them."""
    return hashlib.sha256(b"keepsake master" + key).hexdigest()[:16]


def signing_key(purpose: str) -> bytes:
    """Return the key that signs for one purpose, derived from the master key."""
    return hmac.digest(master_key(), b"keepsake " + purpose.encode(), "sha256")


def audit_signer() -> Signer:
    """Return who seals the audit log."""
    key = signing_key("audit")
    head = Path(settings.DATA_DIR) / "audit-head.json"
    return Signer(key=key, key_id=master_id(master_key()), head=head)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a text lives. ``number`` tells versions apart, ``field`` the columns of one row."""

    object_id: uuid.UUID
    number: int = 0
    field: str = "text"


@dataclass(slots=True)
class Vault:
    """One owner's vault for the length of a transaction; holds unwrapped keys in memory only.

    ``owner_id`` names whose it is, within the tenant: a person, or the tenant itself. ``former`` keys
    name what owners that became part of this one did not want learnt again.
    """

    tenant_id: uuid.UUID
    owner_id: uuid.UUID
    _key: bytes
    _objects: dict[uuid.UUID, bytes] = field(default_factory=dict)
    former: Sequence[Mapping[str, bytes]] = ()

    def seal(self, place: Place, text: str) -> bytes:
        """Return ``text`` sealed for ``place``, making the object's key if it has none yet."""
        return self.seal_bytes(place, text.encode())

    def seal_bytes(self, place: Place, content: bytes) -> bytes:
        """Return a file's bytes sealed for ``place``, as `seal` does."""
        self.make_keys([place.object_id])
        return seal(self._objects[place.object_id], content, self._bound(place))

    def make_keys(self, object_ids: Sequence[uuid.UUID]) -> None:
        """Give a key to each of the objects that has none yet, all in one statement."""
        self.load(object_ids)
        fresh = {one: AESGCM.generate_key(256) for one in object_ids if one not in self._objects}
        if fresh:
            self._store({one: seal(self._key, key, one.bytes) for one, key in fresh.items()})
            self._objects |= fresh

    def unseal(self, place: Place, sealed: bytes) -> str:
        """Return the text sealed for ``place``.

        Raises:
            KeyDestroyed, VaultError: if the object has no key any more; if the text belongs elsewhere.
        """
        return self.unseal_bytes(place, sealed).decode()

    def unseal_bytes(self, place: Place, sealed: bytes) -> bytes:
        """Return the bytes sealed for ``place``; raises as `unseal` does."""
        self.load([place.object_id])
        key = self._objects.get(place.object_id)
        if key is None:
            raise KeyDestroyed("The key of this text was destroyed.")
        return unseal(key, bytes(sealed), self._bound(place))

    def holds(self, object_id: uuid.UUID) -> bool:
        """Whether the object's key is there; it is not once the object was erased."""
        self.load([object_id])
        return object_id in self._objects

    def load(self, object_ids: Iterable[uuid.UUID]) -> None:
        """Fetch and unwrap the keys of many objects in one query."""
        wanted = [one for one in object_ids if one not in self._objects]
        for one, wrapped in self._stored(wanted) if wanted else ():
            self.keep(one, wrapped)

    def keep(self, object_id: uuid.UUID, wrapped: Stored) -> None:
        """Unwrap an object's key that came along with its row."""
        self._objects[object_id] = unseal(self._key, bytes(wrapped), object_id.bytes)

    def digest(self, purpose: str, text: str) -> int:
        """Return a keyed 8-byte digest as a signed number: equality without the text."""
        return digest(self.derived(purpose), text)

    def digests(self, purpose: str, text: str) -> list[int]:
        """Return the digest of ``text``, and those that former owners would have made of it."""
        keys = [self.derived(purpose), *(one[purpose] for one in self.former if purpose in one)]
        return [digest(key, text) for key in keys]

    def derived(self, purpose: str) -> bytes:
        """Return a key for one purpose, derived from the owner's key."""
        return hmac.digest(self._key, b"keepsake " + purpose.encode(), "sha256")

    def _stored(self, object_ids: Sequence[uuid.UUID]) -> Iterable[tuple[uuid.UUID, Stored]]:
        raise NotImplementedError

    def _store(self, wrapped: Mapping[uuid.UUID, bytes]) -> None:
        raise NotImplementedError

    def _bound(self, place: Place) -> bytes:
        # Fixed widths first, so that no two places share one encoding.
        ids = self.tenant_id.bytes + self.owner_id.bytes + place.object_id.bytes
        return FORMAT + ids + struct.pack(">I", place.number) + place.field.encode()


class SubjectVault(Vault):
    """A person's vault: a key for each memory, event, summary and board, while the person is there."""

    _stays = False

    @property
    def subject_id(self) -> uuid.UUID:
        """Whose it is."""
        return self.owner_id

    def _stored(self, object_ids: Sequence[uuid.UUID]) -> Iterable[tuple[uuid.UUID, Stored]]:
        rows = ObjectKey.objects.filter(
            tenant_id=self.tenant_id, subject_id=self.subject_id, object_id__in=object_ids
        )
        return rows.values_list("object_id", "wrapped")

    def _store(self, wrapped: Mapping[uuid.UUID, bytes]) -> None:
        ObjectKey.objects.bulk_create(self._row(*one) for one in wrapped.items())

    def new_key(self, object_id: uuid.UUID) -> ObjectKey:
        """Make the key of an object that is new; the caller puts its row in with the object."""
        key = self._objects[object_id] = AESGCM.generate_key(256)
        return self._row(object_id, seal(self._key, key, object_id.bytes))

    def _row(self, object_id: uuid.UUID, wrapped: bytes) -> ObjectKey:
        if not self._stays:
            _require(self.subject_id)
            self._stays = True
        owner = {"tenant_id": self.tenant_id, "subject_id": self.subject_id}
        return ObjectKey(object_id=object_id, wrapped=wrapped, **owner)


class TenantVault(Vault):
    """A tenant's vault: a key for each of its documents."""

    def _stored(self, object_ids: Sequence[uuid.UUID]) -> Iterable[tuple[uuid.UUID, Stored]]:
        rows = DocumentKey.objects.filter(tenant_id=self.tenant_id, document_id__in=object_ids)
        return rows.values_list("document_id", "wrapped")

    def _store(self, wrapped: Mapping[uuid.UUID, bytes]) -> None:
        owner = {"tenant_id": self.tenant_id}
        DocumentKey.objects.bulk_create(
            DocumentKey(document_id=one, wrapped=key, **owner) for one, key in wrapped.items()
        )


def open_vault(principal: Principal) -> SubjectVault:
    """Return the vault of the principal's subject, inside ``acting``; makes its key on first use.

    Raises:
        NotFound: if the person was erased whole, though their key is kept while they are on hold.
        VaultError: if the person's key was wrapped by another master key.
    """
    person = principal.person_id
    row = next(iter(SubjectKey.objects.raw(KEY_OF, [principal.tenant_id, person])), None)
    if row is None:
        _require(person)
        row, _ = SubjectKey.objects.get_or_create(
            tenant_id=principal.tenant_id, subject_id=person, defaults=_fresh(person)
        )
    key = unwrapped(row, person)
    former = unseal_keys(key, bytes(row.former), person.bytes + b"former")
    return SubjectVault(principal.tenant_id, person, key, former=former)


def _require(person: uuid.UUID) -> None:
    if not stays(person):
        raise NotFound


def open_tenant_vault(principal: Principal) -> TenantVault:
    """Return the vault of the principal's tenant, inside ``acting``; makes its key on first use.

    Raises:
        VaultError: if the tenant's key was wrapped by another master key.
    """
    tenant = principal.tenant_id
    row, _ = TenantKey.objects.get_or_create(tenant_id=tenant, defaults=_fresh(tenant))
    return TenantVault(tenant, tenant, unwrapped(row, tenant))


def keep_former(vault: SubjectVault, other: SubjectVault) -> None:
    """Let ``vault`` know again what ``other``, whose keys are about to go, was not to learn again."""
    own = {purpose: other.derived(purpose) for purpose in UNWANTED}
    kept = [*vault.former, *other.former, own]
    sealed = seal_keys(vault._key, kept, vault.owner_id.bytes + b"former")
    SubjectKey.objects.filter(subject_id=vault.owner_id).update(former=sealed)
    vault.former = kept


def _fresh(owner: uuid.UUID) -> dict[str, Any]:
    """Return the columns of a new owner's key, wrapped by the master key."""
    master = master_key()
    wrapped = seal(master, AESGCM.generate_key(256), owner.bytes)
    return {"wrapped": wrapped, "master_id": master_id(master)}


def unwrapped(row: SubjectKey | TenantKey, owner: uuid.UUID) -> bytes:
    """Return an owner's key; raises VaultError if it was wrapped by a key that is not here."""
    key = master_keys().get(row.master_id)
    if key is None:
        raise VaultError(f"Sealed with the master key {row.master_id}; here is a wrong key.")
    return unseal(key, bytes(row.wrapped), owner.bytes)
