"""An operator brings sets to measure on, and has the service measured on one of them or on the example."""

import hashlib
import tempfile
import uuid
from pathlib import Path

from accounts.acting import acting
from accounts.principal import Principal
from memory import queue
from memory.admin.services import note, require_operator
from memory.aead import seal
from memory.errors import InvalidInput
from memory.evaluation import runs
from memory.evaluation.whole import reading
from memory.models import EvaluationRun, EvaluationSet
from memory.recall.recipes import recipe_named
from memory.vault import open_tenant_vault

SETS = 20  # of one tenant
MAX_BYTES = 10_000_000
SIZES = (100, 1000)  # sessions of the example
SEED = 7


def add_set(
    operator: Principal, tenant_id: uuid.UUID, *, reason: str, name: str, content: bytes
) -> bool:
    """Keep a file to measure on, or put another in the place of the one of this name.

    Raises:
        InvalidInput: for a name that could be a sentence, a file that is too large or not understood
            (the line is named), or one set too many.
    """
    require_operator(operator)
    runs.check_name(name)
    if not name:
        raise InvalidInput("Give the set a name.")
    lines = _read(content)
    with acting(operator):
        rows = EvaluationSet.objects.select_for_update().filter(tenant_id=tenant_id)
        own = {row.name: row for row in rows.defer("content")}
        if name not in own and len(own) >= SETS:
            raise InvalidInput(f"A tenant has at most {SETS} sets; remove one first.")
        row = own.get(name) or EvaluationSet(tenant_id=tenant_id, name=name)
        key = open_tenant_vault(operator).derived(runs.PURPOSE)
        row.content = seal(key, content, row.id.bytes)
        row.digest, row.size = hashlib.sha256(content).hexdigest(), len(content)
        row.lines = lines
        row.save()
        note(operator, "add_set", "evaluation_set", row.id, reason)
    return True


def _read(content: bytes) -> int:
    """Return how many lines a file has that is understood."""
    if len(content) > MAX_BYTES:
        raise InvalidInput(f"At most {MAX_BYTES:,} bytes.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set"
        path.write_bytes(content)
        try:
            data = reading.read(path)
        except UnicodeDecodeError:
            raise InvalidInput("The file is not UTF-8.") from None
    return len(data.sessions) + len(data.questions) + len(data.tasks)


def remove_set(operator: Principal, set_id: uuid.UUID, *, reason: str) -> bool:
    """Remove a set; what was measured on it stays. Return whether it was there."""
    require_operator(operator)
    with acting(operator):
        rows = EvaluationSet.objects.filter(tenant_id=operator.tenant_id, id=set_id)
        gone = bool(rows.delete()[0])
        if gone:
            note(operator, "remove_set", "evaluation_set", set_id, reason)
    return gone


def evaluate_tenant(
    operator: Principal, tenant_id: uuid.UUID, *, reason: str, on: str, policy: str, name: str = ""
) -> bool:
    """Have the whole measured by a worker: ``on`` a set of the tenant by name, or so many sessions of
    the example, with a recall recipe that the tenant may name.

    Raises:
        InvalidInput: for a set or recipe that is not there.
    """
    require_operator(operator)
    runs.check_name(name)
    base, numbers = recipe_named(operator, policy)
    with acting(operator):
        mine = EvaluationSet.objects.filter(tenant_id=tenant_id, name=on).only("id").first()
        if mine is None and on not in map(str, SIZES):
            raise InvalidInput(
                f"There is no set {on}; of the example, choose 100 or 1000 sessions."
            )
        row = EvaluationRun.objects.create(
            what=runs.ALL,
            name=name,
            data=f"set {on}" if mine else f"{runs.EXAMPLE} {on} {SEED}",
            owner_id=tenant_id,
            set_id=mine.id if mine else None,
            recipe={"base": base, "numbers": numbers, "name": policy},
            operator_id=operator.actor_id,
        )
        note(operator, "evaluate_tenant", "evaluation", row.id, reason)
        queue.enqueue(runs.TASK, row.id)
    return True
