"""A file sealed with a passphrase: scrypt makes the key, AES-256-GCM seals.

Layout: the line `MAGIC`, 16 bytes of salt, 12 of nonce, then ciphertext and tag; what stands before
the ciphertext is bound as additional data. scrypt by RFC 7914 with n = 2^15, r = 8, p = 1: 32 MiB and
about a tenth of a second for every guess.
"""

import os
import unicodedata

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from memory.errors import InvalidInput

MAGIC = b"keepsake sealed 1\n"
SALT, NONCE, KEY = 16, 12, 32
SHORTEST = 8


def check(passphrase: str) -> None:
    """Accept no passphrase at all, or one that is not too easily tried.

    Raises:
        InvalidInput: for one of fewer than `SHORTEST` characters.
    """
    if passphrase and len(passphrase) < SHORTEST:
        raise InvalidInput(f"The passphrase must have at least {SHORTEST} characters.")


def seal(content: bytes, passphrase: str) -> bytes:
    """Return ``content`` so that only who knows ``passphrase`` can read it."""
    salt, nonce = os.urandom(SALT), os.urandom(NONCE)
    head = MAGIC + salt + nonce
    return head + AESGCM(_key(passphrase, salt)).encrypt(nonce, content, head)


def is_sealed(content: bytes) -> bool:
    """Whether a file was made by `seal`."""
    return content.startswith(MAGIC)


def unseal(content: bytes, passphrase: str) -> bytes:
    """Return what `seal` was given.

    Raises:
        InvalidInput: if the passphrase is another one, or the file was changed or cut short.
    """
    head, sealed = content[: len(MAGIC) + SALT + NONCE], content[len(MAGIC) + SALT + NONCE :]
    salt, nonce = head[len(MAGIC) : len(MAGIC) + SALT], head[len(MAGIC) + SALT :]
    try:
        return AESGCM(_key(passphrase, salt)).decrypt(nonce, sealed, head)
    except (InvalidTag, ValueError):
        raise InvalidInput(
            "The passphrase does not open this file, or the file is damaged."
        ) from None


def _key(passphrase: str, salt: bytes) -> bytes:
    # The same passphrase typed on another system may come in another Unicode form.
    scrypt = Scrypt(salt=salt, length=KEY, n=2**15, r=8, p=1)
    return scrypt.derive(unicodedata.normalize("NFKC", passphrase).encode())
