"""The sealed log: whatever is done to it in the database is found."""

import random
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.models import AuditEvent, AuditSeal
from accounts.retention import trim
from accounts.sealing import GRACE, Signer, add, seal, verify
from memory.tasks import seal_audit
from memory.vault import audit_signer
from tests.cast import Cast, build_cast, system_of
from tests.conftest import as_role

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return Signer(key=b"k" * 32, key_id="one", head=tmp_path / "head.json")


@pytest.fixture
def house(transactional_db: None, hash_embedder: None) -> Cast:
    return build_cast()


def write(cast: Cast, count: int) -> None:
    with acting(system_of(cast.alice)) as principal:
        for number in range(count):
            audit.record(
                principal, AuditCode.MEMORY_RECALLED, result_count=number, reason="found 找到"
            )


def chain(cast: Cast, signer: Signer, *, links: int = 12) -> None:
    for number in range(links):
        write(cast, 1 + number % 4)
        seal(signer)


@pytest.fixture
def owner(house: Cast) -> Iterator[None]:
    """The strongest who may write in the database, without the triggers."""
    with as_role(django_settings.DATABASE_OWNER_URL):
        for model in (AuditEvent, AuditSeal):
            execute(f"ALTER TABLE {model._meta.db_table} DISABLE TRIGGER USER")
        yield
        for model in (AuditEvent, AuditSeal):
            execute(f"ALTER TABLE {model._meta.db_table} ENABLE TRIGGER USER")


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_an_untouched_log_is_in_order(house: Cast, signer: Signer) -> None:
    assert verify(signer) == []
    chain(house, signer)
    assert seal(signer) == 0
    assert verify(signer) == []
    sealed = [id_ for ids in AuditSeal.objects.values_list("event_ids", flat=True) for id_ in ids]
    assert sorted(sealed) == sorted(AuditEvent.objects.values_list("id", flat=True))


def test_the_sealer_is_a_task_and_the_command_finds_all_in_order(house: Cast) -> None:
    write(house, 3)
    seal_audit()
    assert AuditSeal.objects.count() == 1
    call_command("verify_audit")
    assert verify(audit_signer()) == []


def test_a_line_that_commits_late_is_sealed_later(house: Cast, signer: Signer) -> None:
    write(house, 2)
    late = AuditEvent.objects.latest("id").id + 1
    execute("SELECT nextval('accounts_auditevent_id_seq')")
    write(house, 2)
    seal(signer)
    AuditEvent.objects.create(id=late, code="memory.read", actor_kind="system")
    assert seal(signer) == 1 and verify(signer) == []


# --- tampering -----------------------------------------------------------------------------------

Tamper = Callable[[random.Random], None]


def any_line(rng: random.Random) -> Any:
    ids = sorted(AuditEvent.objects.values_list("id", flat=True))
    return AuditEvent.objects.filter(id=rng.choice(ids))


def edit(rng: random.Random) -> None:
    changes: dict[str, Any] = rng.choice(
        [
            {"result_count": 4711},
            {"reason": "别的 other"},
            {"actor_label": "somebody"},
            {"at": timezone.now() - timedelta(days=rng.randint(1, 900))},
            {"code": "memory.read"},
            {"subject_id": None, "object_kind": "memory"},
            {"fields": ["text"]},
        ]
    )
    any_line(rng).update(**changes)


def remove(rng: random.Random) -> None:
    any_line(rng).delete()


def exchange(rng: random.Random) -> None:
    ids = sorted(AuditEvent.objects.filter(code="memory.recalled").values_list("id", flat=True))
    one, two = rng.sample(ids, 2)
    AuditEvent.objects.filter(id=one).update(id=-1)
    AuditEvent.objects.filter(id=two).update(id=one)
    AuditEvent.objects.filter(id=-1).update(id=two)


def insert(rng: random.Random) -> None:
    row = any_line(rng).get()
    row.id = AuditEvent.objects.latest("id").id + rng.randint(1, 50)
    row.at -= GRACE * rng.randint(2, 100)
    AuditEvent.objects.bulk_create([row])


def change_seal(rng: random.Random) -> None:
    number = rng.randint(1, AuditSeal.objects.count())
    row = AuditSeal.objects.filter(number=number)
    how = rng.choice(["mac", "digest", "previous", "at", "kept_from", "gone"])
    if how == "gone":
        row.delete()
    elif how == "at":
        row.update(at=timezone.now() + timedelta(days=1))
    elif how == "kept_from":
        row.update(kept_from=number)
    else:
        row.update(**{how: rng.randbytes(32)})


def cut(rng: random.Random) -> None:
    """Take away the beginning or the end, lines and seals together."""
    number, whole = rng.randint(2, 8), rng.random() < 0.5
    seals = AuditSeal.objects.filter(**{"number__lt" if whole else "number__gte": number})
    ids = [id_ for ids in seals.values_list("event_ids", flat=True) for id_ in ids]
    AuditEvent.objects.filter(id__in=ids).delete()
    seals.delete()


def forge(rng: random.Random) -> None:
    """Change a line and sign everything after it anew, with a key of one's own."""
    any_line(rng).update(reason="forged 伪造")
    forger = Signer(key=b"f" * 32, key_id="one", head=Path("/dev/null").with_name("none"))
    groups = list(AuditSeal.objects.order_by("number").values_list("event_ids", flat=True))
    AuditSeal.objects.all().delete()
    for ids in groups:
        add(forger, list(AuditEvent.objects.filter(id__in=ids).order_by("id")))


TAMPERINGS: list[Tamper] = [edit, remove, exchange, insert, change_seal, cut, forge]


def test_two_hundred_tamperings_are_all_found(house: Cast, signer: Signer, owner: None) -> None:
    chain(house, signer)
    missed = []
    for seed in range(200):
        rng = random.Random(seed)
        tamper = TAMPERINGS[seed % len(TAMPERINGS)]
        with transaction.atomic():
            tamper(rng)
            if not verify(signer):
                missed.append((seed, tamper.__name__))
            transaction.set_rollback(True)
    assert missed == []
    assert verify(signer) == [], "all was put back"


def test_the_sealer_does_not_seal_what_was_slipped_in(
    house: Cast, signer: Signer, owner: None
) -> None:
    chain(house, signer)
    insert(random.Random(1))
    assert seal(signer) == 0
    assert [one.what for one in verify(signer)] == ["1 lines added later"]


def test_the_key_may_change_and_what_was_signed_before_still_counts(
    house: Cast, signer: Signer, owner: None
) -> None:
    chain(house, signer)
    newer = Signer(key=b"n" * 32, key_id="two", head=signer.head)
    assert {one.what for one in verify(newer)} == {"signed by another key"}
    write(house, 1)
    seal(newer)
    assert verify(newer) == []
    AuditEvent.objects.filter(id=min(AuditSeal.objects.get(number=2).event_ids)).update(reason="x")
    assert [one.seal for one in verify(newer)] == [2]


# --- retention -----------------------------------------------------------------------------------


def test_old_lines_end_behind_a_checkpoint(house: Cast, signer: Signer, owner: None) -> None:
    chain(house, signer)
    before = AuditSeal.objects.get(number=6).at
    kept = set(AuditEvent.objects.values_list("id", flat=True))
    for link in AuditSeal.objects.filter(number__lt=6):
        kept -= set(link.event_ids)
    assert trim(signer, before=before) > 0
    assert set(AuditEvent.objects.values_list("id", flat=True)) == kept
    assert AuditSeal.objects.order_by("number").first() == AuditSeal(number=6)
    assert verify(signer) == []
    write(house, 2)
    seal(signer)
    assert verify(signer) == []
    execute("ALTER TABLE accounts_auditseal DISABLE TRIGGER USER")  # trim has put it on again
    AuditSeal.objects.filter(number=6).delete()
    assert verify(signer)


def test_nothing_is_deleted_from_a_log_that_was_tampered_with(house: Cast, owner: None) -> None:
    chain(house, audit_signer())
    edit(random.Random(1))
    count = AuditEvent.objects.count()
    with pytest.raises(CommandError, match="Nothing was deleted"):
        call_command("trim_audit", days=1)
    with pytest.raises(SystemExit):
        call_command("verify_audit")
    assert AuditEvent.objects.count() == count
