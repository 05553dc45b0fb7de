"""Sealed bytes (AES-GCM with a format byte and a random nonce), keyed digests, keys kept sealed. Pure."""

import hmac
import json
import os
import struct
from collections.abc import Mapping, Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from memory.errors import VaultError

FORMAT = b"\x01"
NONCE = 12


def seal(key: bytes, plain: bytes, bound: bytes) -> bytes:
    """Return ``plain`` sealed under a key of 32 bytes, bound to ``bound``."""
    nonce = os.urandom(NONCE)
    return FORMAT + nonce + AESGCM(key).encrypt(nonce, plain, bound)


def unseal(key: bytes, sealed: bytes, bound: bytes) -> bytes:
    """Return what was sealed.

    Raises:
        VaultError: for another key, or what was sealed for elsewhere or in another format.
    """
    if sealed[:1] != FORMAT:
        raise VaultError("Unknown format of a sealed text.")
    try:
        return AESGCM(key).decrypt(sealed[1 : 1 + NONCE], sealed[1 + NONCE :], bound)
    except (InvalidTag, ValueError):  # ValueError: cut short
        raise VaultError("A sealed text does not open here: wrong key, or moved.") from None


def digest(key: bytes, text: str) -> int:
    """Return a keyed 8-byte digest as a signed number: equality without the text."""
    mac = hmac.digest(key, text.encode("utf-8", "surrogatepass"), "sha256")
    return int(struct.unpack(">q", mac[:8])[0])


def seal_keys(key: bytes, keys: Sequence[Mapping[str, bytes]], bound: bytes) -> bytes:
    """Return sets of keys, each by its purpose, sealed."""
    told = [{name: one.hex() for name, one in each.items()} for each in keys]
    return seal(key, json.dumps(told).encode(), bound)


def unseal_keys(key: bytes, sealed: bytes, bound: bytes) -> list[dict[str, bytes]]:
    """Return the sets of keys that were sealed; none for nothing.

    Raises:
        VaultError: as for unsealing.
    """
    told = json.loads(unseal(key, sealed, bound)) if sealed else []
    return [{name: bytes.fromhex(one) for name, one in each.items()} for each in told]
