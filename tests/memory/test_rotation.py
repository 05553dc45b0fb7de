"""Another master key: keys are wrapped anew, texts stay; killed midway, it goes on."""

import base64
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from accounts.acting import acting
from accounts.models import AuditEvent, Subject
from memory import access, rotation
from memory.errors import VaultError
from memory.models import Memory, ObjectKey, SubjectKey, TenantKey, VaultSentinel
from memory.rotation import check_sentinel
from memory.vault import master_id, master_key, open_tenant_vault, open_vault
from tests.cast import Cast, operator, principal_of, remember, system_of
from tests.memory.knowledge.shelf import look, put

NEW, THIRD = (base64.b64encode(word * 32).decode() for word in (b"n", b"t"))
TEXTS = {"assistant": "我住在苏州 Suzhou", "colleague": "I keep bees 蜂", "stranger": "I ski 滑雪"}


@pytest.fixture
def house(cast: Cast) -> Cast:
    """Three people of two tenants with a memory each, and a document, sealed with the first key."""
    check_sentinel()
    for key, text in TEXTS.items():
        remember(principal_of(cast.keys[key], "bob" if key == "colleague" else "alice"), text)
    put(cast.acme, "handbook.md", "# 手册\n\n报销要在三十天内提交。Claims within thirty days.")
    return cast


def people(house: Cast) -> list[Subject]:
    return [house.alice, house.bob, house.charlie]


def change_key(settings: Settings) -> None:
    settings.MASTER_KEY, settings.MASTER_KEY_BEFORE = NEW, settings.MASTER_KEY


def rotate() -> str:
    printed = StringIO()
    call_command("rotate_master_key", stdout=printed)
    return printed.getvalue()


def told(house: Cast) -> set[str]:
    """Open everything there is."""
    found = set()
    for person in people(house):
        with acting(system_of(person)) as principal:
            rows = Memory.objects.filter(subject_id=person.id)
            found |= {one.text for one in access.open_current(open_vault(principal), rows)}
    assert look(house.acme, "claims within thirty days").passages
    return found


def names(house: Cast) -> set[str]:
    """Return the names of the master keys in use."""
    found = set()
    for person in people(house):
        with acting(system_of(person)):
            found |= set(SubjectKey.objects.values_list("master_id", flat=True))
    with acting(operator(house.acme)):
        return found | set(TenantKey.objects.values_list("master_id", flat=True))


def test_everything_opens_before_during_and_after(house: Cast, settings: Settings) -> None:
    with acting(system_of(house.alice)):
        objects = {one.object_id: bytes(one.wrapped) for one in ObjectKey.objects.all()}
    change_key(settings)
    assert told(house) == set(TEXTS.values())
    assert rotate().startswith("4 keys wrapped anew")
    assert told(house) == set(TEXTS.values())
    assert names(house) == {master_id(master_key())}
    settings.MASTER_KEY_BEFORE = ""
    check_sentinel()
    assert told(house) == set(TEXTS.values())
    with acting(system_of(house.alice)):
        assert {one.object_id: bytes(one.wrapped) for one in ObjectKey.objects.all()} == objects
    assert AuditEvent.objects.filter(code="vault.rotated", tenant_id=house.acme.id).count() == 1


def test_the_former_key_opens_nothing_afterwards(house: Cast, settings: Settings) -> None:
    former = settings.MASTER_KEY
    change_key(settings)
    rotate()
    settings.MASTER_KEY, settings.MASTER_KEY_BEFORE = former, ""
    with pytest.raises(VaultError, match="not the one"):
        check_sentinel()
    with pytest.raises(VaultError, match="wrong key"):
        told(house)


def test_killed_midway_it_goes_on(
    house: Cast, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_key(settings)
    real, left = rotation.wrap_again, [2]

    def dies(*given: object) -> None:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        real(*given)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr("memory.rotation.wrap_again", dies)
        with pytest.raises(KeyboardInterrupt):
            rotate()
    assert len(names(house)) == 2
    assert VaultSentinel.objects.get().master_id != master_id(master_key())
    check_sentinel()
    assert told(house) == set(TEXTS.values())
    assert rotate().startswith("2 keys wrapped anew")
    assert rotate().startswith("0 keys")
    assert names(house) == {VaultSentinel.objects.get().master_id} == {master_id(master_key())}


def test_a_key_wrapped_by_a_third_is_left_alone_and_said(house: Cast, settings: Settings) -> None:
    first = settings.MASTER_KEY
    with acting(system_of(house.bob)):
        row = SubjectKey.objects.get()
        settings.MASTER_KEY, settings.MASTER_KEY_BEFORE = THIRD, first
        rotation.wrap_again(row, house.bob.id)
    settings.MASTER_KEY, settings.MASTER_KEY_BEFORE = NEW, first
    with pytest.raises(CommandError, match="3 keys wrapped anew; 1 are wrapped by a third"):
        rotate()
    assert VaultSentinel.objects.get().master_id != master_id(master_key())
    settings.MASTER_KEY_BEFORE = THIRD
    assert rotation.rotate().wrapped == 1
    assert told(house) == set(TEXTS.values())


def test_it_asks_for_the_key_before(house: Cast, settings: Settings) -> None:
    with pytest.raises(CommandError, match="Set MASTER_KEY_BEFORE"):
        rotate()
    settings.MASTER_KEY, settings.MASTER_KEY_BEFORE = NEW, THIRD
    with pytest.raises(CommandError, match="not the one"):
        rotate()


def test_a_wrapped_key_put_in_another_place_opens_nothing(house: Cast) -> None:
    """Of another person, of another object, of another tenant."""
    with acting(system_of(house.bob)):
        stolen = bytes(SubjectKey.objects.get().wrapped)
    with acting(system_of(house.alice)) as principal:
        mine = SubjectKey.objects.get()
        SubjectKey.objects.update(wrapped=stolen)
        with pytest.raises(VaultError):
            open_vault(principal)
        SubjectKey.objects.update(wrapped=mine.wrapped)
        memory = remember(principal_of(house.keys["assistant"], "alice"), "I like tea 茶")
        other = ObjectKey.objects.exclude(object_id=memory.id).first()
        assert other is not None
        ObjectKey.objects.filter(object_id=memory.id).update(wrapped=other.wrapped)
        with pytest.raises(VaultError):
            access.open_current(open_vault(principal), [memory])
    with acting(operator(house.acme)) as principal:
        TenantKey.objects.update(wrapped=stolen)
        with pytest.raises(VaultError):
            open_tenant_vault(principal)
