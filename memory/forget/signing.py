"""Signing what is sent to agents, by the Standard Webhooks specification. Pure.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

import base64
import hmac
import uuid
from collections.abc import Mapping
from datetime import datetime

PREFIX = "whsec_"


def secret_of(key: bytes, target_id: uuid.UUID) -> bytes:
    """Return the secret of one target, derived from the tenant's key for this purpose."""
    return hmac.digest(key, target_id.bytes, "sha256")


def shown(secret: bytes) -> str:
    """Return a secret as it is handed over."""
    return PREFIX + base64.b64encode(secret).decode()


def signature(secret: bytes, *, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the v1 signature: HMAC-SHA256 over id, timestamp and body, joined by full stops."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(secret, signed, "sha256")).decode()


def headers(secret: bytes, *, message_id: str, at: datetime, body: bytes) -> Mapping[str, str]:
    """Return the headers of one message sent at ``at``; a repeated message keeps its id."""
    timestamp = int(at.timestamp())
    return {
        "Content-Type": "application/json",
        "User-Agent": "Keepsake",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature(
            secret, message_id=message_id, timestamp=timestamp, body=body
        ),
    }
