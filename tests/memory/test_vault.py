"""Encryption at rest: what is sealed opens in its own place alone, while its keys are there."""

import base64
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import Settings

from accounts.acting import acting
from accounts.models import Subject
from memory import access, vault
from memory.errors import VaultError
from memory.models import Evidence, ObjectKey, SubjectKey, VaultSentinel, Version
from memory.rotation import check_sentinel
from memory.vault import Place, SubjectVault, open_vault
from tests.cast import Cast, principal_of, remember, system_of

TEXTS = [
    "",
    "以后所有报告都用中文写，先给数字。",
    "I am allergic to peanuts.",
    "我对花生过敏 allergic 🥜👩‍💻",
    "𠮷野家\n第二行\ttab",
    "a" * 100_000,
]
OTHER_KEY = base64.b64encode(b"another master key of 32 bytes!!").decode()


@contextmanager
def vault_of(subject: Subject) -> Iterator[SubjectVault]:
    with acting(system_of(subject)) as principal:
        yield open_vault(principal)


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_sealed_opens_again(cast: Cast, text: str) -> None:
    place = Place(object_id=uuid.uuid4(), number=3)
    with vault_of(cast.alice) as one:
        sealed = one.seal(place, text)
        assert not text or text.encode() not in sealed
    with vault_of(cast.alice) as later:
        assert later.unseal(place, sealed) == text


def test_equal_texts_look_different(cast: Cast) -> None:
    place = Place(object_id=uuid.uuid4())
    with vault_of(cast.alice) as one:
        assert len({one.seal(place, "一样 same") for _ in range(50)}) == 50


@given(text=st.text(max_size=200), field=st.text(max_size=20), number=st.integers(0, 2**32 - 1))
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_any_place(cast: Cast, text: str, field: str, number: int) -> None:
    place = Place(object_id=cast.alice.id, number=number, field=field)
    with vault_of(cast.alice) as one:
        sealed = one.seal(place, text)
        assert one.unseal(place, sealed) == text
        with pytest.raises(VaultError):
            one.unseal(replace(place, number=(number + 1) % 2**32), sealed)
        with pytest.raises(VaultError):
            one.unseal(replace(place, field=field + "x"), sealed)


class TestMovedText:
    """Ciphertext put anywhere else does not open, though the key is the right one."""

    def test_to_another_version_field_or_object(self, cast: Cast) -> None:
        here = Place(object_id=uuid.uuid4(), number=1)
        with vault_of(cast.alice) as one:
            sealed = one.seal(here, "我住在上海 I live in Shanghai")
            there = replace(here, object_id=uuid.uuid4())
            one.seal(there, "another 别的")
            for place in (replace(here, number=2), replace(here, field="details"), there):
                with pytest.raises(VaultError, match="does not open here"):
                    one.unseal(place, sealed)

    def test_to_another_person_or_tenant(self, cast: Cast) -> None:
        """Even if somebody unwrapped the object's key, or gave the object to both."""
        here = Place(object_id=uuid.uuid4())
        with vault_of(cast.alice) as one:
            sealed = one.seal(here, "秘密 secret")
            moved = (replace(one, owner_id=cast.bob.id), replace(one, tenant_id=cast.globex.id))
            for elsewhere in moved:
                with pytest.raises(VaultError, match="does not open here"):
                    elsewhere.unseal(here, sealed)

    def test_another_persons_vault_has_no_key(self, cast: Cast) -> None:
        here = Place(object_id=uuid.uuid4())
        with vault_of(cast.alice) as one:
            sealed = one.seal(here, "秘密 secret")
        for stranger in (cast.bob, cast.charlie):
            with vault_of(stranger) as other, pytest.raises(VaultError, match="destroyed"):
                other.unseal(here, sealed)

    def test_rows_swapped_in_the_database(self, cast: Cast) -> None:
        agent = principal_of(cast.keys["assistant"], "alice")
        memories = [remember(agent, text) for text in ("I like tea 茶", "I like coffee 咖啡")]
        with acting(system_of(cast.alice)):
            one, two = Version.objects.order_by("recorded_at")
            Version.objects.filter(id=one.id).update(text=two.text)
        with acting(agent), pytest.raises(VaultError):
            access.open_current(open_vault(agent), memories[:1])

    def test_one_changed_bit(self, cast: Cast) -> None:
        place = Place(object_id=uuid.uuid4())
        with vault_of(cast.alice) as one:
            sealed = one.seal(place, "我住在上海")
            for position in (0, 1, 12, 13, len(sealed) - 1):
                bent = bytearray(sealed)
                bent[position] ^= 1
                with pytest.raises(VaultError):
                    one.unseal(place, bytes(bent))
            for cut in (b"", sealed[:1], sealed[:13], sealed[:-1]):
                with pytest.raises(VaultError):
                    one.unseal(place, cut)


class TestKeys:
    def test_a_destroyed_key_closes_the_text_for_good(self, cast: Cast) -> None:
        place = Place(object_id=uuid.uuid4())
        with vault_of(cast.alice) as one:
            sealed = one.seal(place, "忘掉我 forget me")
        with acting(system_of(cast.alice)):
            ObjectKey.objects.filter(object_id=place.object_id).delete()
        with vault_of(cast.alice) as later:
            with pytest.raises(VaultError, match="destroyed"):
                later.unseal(place, sealed)
            # A new key for the same object opens nothing old.
            later.seal(place, "new 新")
            with pytest.raises(VaultError, match="does not open here"):
                later.unseal(place, sealed)

    def test_one_person_key_and_one_key_per_object(self, cast: Cast) -> None:
        place = Place(object_id=uuid.uuid4())
        with vault_of(cast.alice) as one:
            one.seal(place, "一")
            one.seal(replace(place, number=2), "二")
            open_vault(system_of(cast.alice)).seal(replace(place, number=3), "三")
            assert ObjectKey.objects.count() == SubjectKey.objects.count() == 1

    def test_keys_lie_wrapped(self, cast: Cast, settings: Settings) -> None:
        place = Place(object_id=uuid.uuid4())
        with vault_of(cast.alice) as one:
            one.seal(place, "一")
            keys = [one._key, one._objects[place.object_id]]
            wrapped = [
                bytes(SubjectKey.objects.get().wrapped),
                bytes(ObjectKey.objects.get().wrapped),
            ]
        for key in (*keys, base64.b64decode(settings.MASTER_KEY)):
            assert not [stored for stored in wrapped if key in stored]

    def test_many_keys_come_in_one_query(
        self, cast: Cast, django_assert_num_queries: pytest.FixtureRequest
    ) -> None:
        places = [Place(object_id=uuid.uuid4()) for _ in range(20)]
        with vault_of(cast.alice) as one:
            sealed = [one.seal(place, "文 text") for place in places]
        with vault_of(cast.alice) as later, django_assert_num_queries(1):  # type: ignore[operator]
            later.load(place.object_id for place in places)
            for place, text in zip(places, sealed, strict=True):
                assert later.unseal(place, text) == "文 text"


class TestDigests:
    def test_they_are_equal_for_one_person_and_purpose_alone(self, cast: Cast) -> None:
        with vault_of(cast.alice) as one:
            mine = one.digest("tag", "花生 peanut")
            assert one.digest("tag", "花生 peanut") == mine
            assert one.digest("value", "花生 peanut") != mine
            assert one.digest("tag", "花生 peanuts") != mine
            derived = one.derived("tag")
        with vault_of(cast.bob) as other:
            assert other.digest("tag", "花生 peanut") != mine
            assert other.derived("tag") != derived

    def test_the_stored_ones_differ_between_people_who_say_the_same(self, cast: Cast) -> None:
        said = {"attribute": "taste.food", "value": "四川火锅 hotpot", "tags": ("食物 food",)}
        rows = [
            remember(principal_of(cast.keys[key], user), "我爱吃四川火锅 hotpot", **said)
            for key, user in (("assistant", "alice"), ("colleague", "bob"), ("stranger", "alice"))
        ]
        for column in ("wording", "value", "tags"):
            assert len({str(getattr(row, column)) for row in rows}) == 3, column

    @given(st.text())
    def test_any_text_has_one(self, text: str) -> None:
        one = SubjectVault(uuid.UUID(int=1), uuid.UUID(int=2), b"k" * 32)
        assert -(2**63) <= one.digest("tag", text) < 2**63


class TestMasterKey:
    def test_the_first_key_is_noted_and_the_same_one_passes(self, db: None) -> None:
        check_sentinel()
        check_sentinel()
        row = VaultSentinel.objects.get()
        assert row.master_id == vault.master_id(vault.master_key())
        assert vault.master_key() not in bytes(row.sealed)

    def test_another_key_is_refused_by_name(self, db: None, settings: Settings) -> None:
        check_sentinel()
        first = vault.master_id(vault.master_key())
        settings.MASTER_KEY = OTHER_KEY
        with pytest.raises(VaultError, match=f"not the one.*{first}"):
            check_sentinel()

    @pytest.mark.parametrize("key", ["", "too short", "钥匙", base64.b64encode(b"x" * 31).decode()])
    def test_a_missing_or_broken_key_is_said_plainly(
        self, db: None, settings: Settings, key: str
    ) -> None:
        settings.MASTER_KEY = key
        with pytest.raises(VaultError, match="MASTER_KEY must be 32 bytes in base64") as refused:
            check_sentinel()
        assert not key or key not in refused.value.detail

    def test_another_key_opens_nobodys_vault(self, cast: Cast, settings: Settings) -> None:
        with vault_of(cast.alice):
            pass
        settings.MASTER_KEY = OTHER_KEY
        with pytest.raises(VaultError, match="wrong key"), vault_of(cast.alice):
            pass


def test_no_word_of_a_memory_lies_in_the_tables_in_plain(cast: Cast) -> None:
    """Every personal table is read as the database stores it, bytes as they are."""
    words = ("quibblesnark", "魑魅豆", "hotpot tag", "火锅")
    agent = principal_of(cast.keys["assistant"], "alice")
    remember(
        agent,
        "I love quibblesnark soup 我喜欢魑魅豆",
        attribute="taste.food",
        value="quibblesnark 火锅",
        tags=("hotpot tag",),
        metadata={"from": "魑魅豆"},
        quote="quibblesnark",
    )
    with acting(system_of(cast.alice)), connection.cursor() as cursor:
        assert Evidence.objects.count() == 1
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT t.*::text FROM "{table}" t')
            stored = str(cursor.fetchall())
            for word in words:
                assert word not in stored, table
                assert word.encode().hex() not in stored, table
