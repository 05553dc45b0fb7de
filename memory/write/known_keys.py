"""Keys that services hand out, found by a scanner that others keep up to date (Kingfisher, Apache-2.0).

It reads text in this process and asks nobody. Its catalogue is compiled at the first text that could
hold a key (5 s), then kept on disk (``KF_RULE_CACHE_DIR``; 0.5 s in the next process).
"""

import re
from collections.abc import Iterator
from functools import cache

from kingfisher_sdk import Rules, Scanner

# No known key is shorter, and most talk holds no run of characters like it.
_KEY_LIKE = re.compile(r"[0-9A-Za-z_\-./+=]{20}")


def known_keys(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the type, start and end of each secret the scanner knows, in no order."""
    if not _KEY_LIKE.search(text):
        return
    raw = text.encode("utf-8", "replace")
    for finding in _scanner().scan(raw):
        place, secret = finding.location, finding.secret.encode()
        start = raw.find(secret, place["start_offset"], place["end_offset"])
        if finding.visible and secret and start >= 0:
            left = len(raw[:start].decode())
            yield _type(finding.rule_id), left, left + len(secret.decode())


@cache
def _scanner() -> Scanner:
    return Scanner(Rules(), base64=False)


def _type(rule: str) -> str:
    if "private-key" in rule or "age-secret" in rule:
        return "PRIVATE_KEY"
    if "credential-uri" in rule or "password" in rule:
        return "PASSWORD"
    return "TOKEN" if "jwt" in rule or "token" in rule else "API_KEY"
