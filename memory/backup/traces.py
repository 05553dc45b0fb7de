"""Looking for texts that must be nowhere: in rows, in every file of ``DATA_DIR``, at the broker."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import redis
from django.db import connection

from accounts.acting import acting
from accounts.subjects import system
from memory.choices import ErasureState
from memory.forget.erasers import ERASERS
from memory.models import Erasure, ObjectKey

CHUNK = 1 << 23
# Settled: every step was done, and no row is allowed to be left.
SETTLED = (ErasureState.AWAITING_BACKUP_EXPIRY, ErasureState.COMPLETED)
# What a model is made of, and rules for keys: no words of anybody, and large.
NOT_OURS = {"models", "secret-rules"}


class Sought:
    """Texts (or bytes) in the forms in which they could lie somewhere: as they are, and in hex."""

    def __init__(self, canaries: Iterable[str | bytes]) -> None:
        plain = [one.encode() if isinstance(one, str) else one for one in canaries]
        forms = [form for one in plain if one for form in (one, one.hex().encode())]
        self.longest = max(map(len, forms), default=0)
        self.pattern = re.compile(b"|".join(map(re.escape, forms)) or b"(?!)")

    def count(self, data: bytes) -> int:
        """Return how often they occur."""
        return sum(1 for _ in self.pattern.finditer(data))

    def count_in(self, file: IO[bytes]) -> int:
        """Return how often they occur in a file, of whatever size."""
        found, rest = 0, b""
        while block := file.read(CHUNK):
            window = rest + block
            # What begins in the overlap is counted with the next block.
            keep = min(self.longest - 1, len(window)) if self.longest else 0
            found += sum(
                1 for hit in self.pattern.finditer(window) if hit.start() < len(window) - keep
            )
            rest = window[len(window) - keep :]
        return found + self.count(rest)


def in_tables(sought: Sought) -> Iterator[tuple[str, int]]:
    """Return the tables that hold one of the texts, as text or as bytes; run as the owner."""
    for table in sorted(connection.introspection.table_names()):
        name = connection.ops.quote_name(table)
        found = 0
        with connection.chunked_cursor() as cursor:
            cursor.execute(f"SELECT t.*::text FROM {name} t")  # noqa: S608 - a table's own name
            while rows := cursor.fetchmany(500):
                found += sum(sought.count(row.encode()) for (row,) in rows)
        if found:
            yield table, found


def in_files(sought: Sought, folder: Path) -> Mapping[str, int]:
    """Return how often the texts occur below a folder, by its first two names; files may vanish."""
    found: Counter[str] = Counter()
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder).parts
        if place[0] in NOT_OURS or not path.is_file():
            continue
        try:
            with path.open("rb") as file:
                if count := sought.count_in(file):
                    found["/".join(place[:2])] += count
        except FileNotFoundError:
            continue
    return found


def at_broker(sought: Sought, url: str) -> int:
    """Return how often the texts occur in what the broker holds."""
    address = url.replace("redis+socket://", "unix://")
    with redis.Redis.from_url(address) as client:
        return sum(
            sought.count(value) for key in client.scan_iter() for value in _values(client, key)
        )


def _values(client: Any, key: bytes) -> Iterable[bytes]:
    kind = client.type(key)
    if kind == b"list":
        found = client.lrange(key, 0, -1)
    elif kind == b"set":
        found = client.smembers(key)
    elif kind == b"zset":
        found = client.zrange(key, 0, -1)
    elif kind == b"hash":
        found = [part for pair in client.hgetall(key).items() for part in pair]
    else:
        found = [client.get(key)] if kind == b"string" else []
    return [key, *(one for one in found if one)]


def left_behind() -> Sequence[str]:
    """Return what an erasure that counts as done has left in a store, or a key."""
    found = []
    for erasure in Erasure.objects.filter(state__in=SETTLED).iterator():
        with acting(system(erasure.tenant_id, erasure.subject_id, label="verify")):
            ids = [*erasure.memory_ids, *erasure.event_ids]
            counts = {eraser.store: eraser.count(erasure) for eraser in ERASERS}
            counts["keys"] += ObjectKey.objects.filter(object_id__in=ids).count()
        found += [f"{erasure.id}: {n} in {store}" for store, n in counts.items() if n]
    return found


def count_settled() -> int:
    """Return how many erasures count as done."""
    return Erasure.objects.filter(state__in=SETTLED).count()
