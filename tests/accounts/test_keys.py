"""API keys: made, shown once, found, refused."""

import hashlib
import hmac
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts import keys
from accounts.acting import acting
from accounts.choices import ActorKind, AuditCode, KeyKind
from accounts.models import ApiKey, AuditEvent
from accounts.subjects import caller
from tests.cast import Cast, operator


def rows(cast: Cast) -> Any:
    with acting(operator(cast.acme)):
        return {key.prefix: key for key in ApiKey.objects.all()}


def prefix_of(key: str) -> str:
    return key.split("_")[2]


class TestIssue:
    def test_the_secret_is_stored_nowhere(self, cast: Cast) -> None:
        key = cast.keys["assistant"]
        secret = key.split("_", 3)[3]
        row = rows(cast)[prefix_of(key)]
        assert bytes(row.digest) == hashlib.sha256(secret.encode()).digest()
        with acting(operator(cast.acme)), connection.cursor() as cursor:
            cursor.execute("SELECT string_agg(k::text, ' ') FROM accounts_apikey k")
            (everything,) = cursor.fetchone()
        assert prefix_of(key) in everything and secret not in everything

    def test_it_is_random_and_of_the_documented_shape(self, cast: Cast) -> None:
        agent = cast.agents["assistant"]
        made = [
            keys.issue(operator(cast.acme), kind=KeyKind.AGENT, agent=agent)[1] for _ in range(20)
        ]
        assert len(set(made)) == len({prefix_of(key) for key in made}) == 20
        assert all(keys.SHAPE.fullmatch(key) for key in made)
        assert all(len(key.split("_", 3)[3]) >= 43 for key in made)  # 256 bits

    def test_it_is_audited_without_the_secret(self, cast: Cast) -> None:
        row, key = keys.issue(
            operator(cast.acme), kind=KeyKind.AGENT, agent=cast.agents["assistant"]
        )
        line = AuditEvent.objects.get(code=AuditCode.KEY_CREATED, object_id=row.id)
        assert line.tenant_id == cast.acme.id
        assert key.split("_", 3)[3] not in str(vars(line))

    @pytest.mark.parametrize("kind", [KeyKind.AGENT, KeyKind.PERSON])
    def test_a_key_speaks_for_exactly_one(self, cast: Cast, kind: KeyKind) -> None:
        with pytest.raises(IntegrityError, match="apikey_speaks_for_one"):
            keys.issue(operator(cast.acme), kind=kind)
        with pytest.raises(IntegrityError, match="apikey_speaks_for_one"):
            keys.issue(operator(cast.acme), kind=kind, agent=cast.agents["low"], subject=cast.alice)

    def test_it_cannot_speak_for_another_tenants_agent(self, cast: Cast) -> None:
        with (  # noqa: PT012 - the write, and the check of its deferred key
            pytest.raises(IntegrityError, match="apikey_agent_fk"),
            transaction.atomic(),
        ):
            keys.issue(operator(cast.acme), kind=KeyKind.AGENT, agent=cast.agents["stranger"])
            connection.check_constraints()


class TestFind:
    def test_each_kind_speaks_for_whom_it_was_made(self, cast: Cast) -> None:
        found = {name: keys.find(cast.keys[name]) for name in ("assistant", "alice", "pipeline")}
        agent, person, pipeline = found["assistant"], found["alice"], found["pipeline"]
        assert agent and person and pipeline
        assert (agent.kind, agent.agent_id) == (KeyKind.AGENT, cast.agents["assistant"].id)
        assert (person.kind, person.subject_id) == (KeyKind.PERSON, cast.alice.id)
        assert (pipeline.agent_id, pipeline.subject_id) == (None, None)
        assert {one.tenant_id for one in (agent, person, pipeline)} == {cast.acme.id}
        kinds = [caller(one).kind for one in (agent, person, pipeline)]
        assert kinds == [ActorKind.AGENT, ActorKind.PERSON, ActorKind.PIPELINE]
        assert not any(caller(one).actions for one in (agent, person, pipeline))

    def test_spaces_around_are_forgiven(self, cast: Cast) -> None:
        assert keys.find(f"  {cast.keys['assistant']}\n")

    @pytest.mark.parametrize("name", ["revoked", "expired"])
    def test_dead_keys_find_nobody(self, cast: Cast, name: str) -> None:
        assert keys.find(cast.keys[name]) is None

    def test_a_key_dies_when_its_time_comes(self, cast: Cast) -> None:
        soon = timezone.now() + timedelta(hours=1)
        _, key = keys.issue(
            operator(cast.acme), kind=KeyKind.AGENT, agent=cast.agents["low"], expires_at=soon
        )
        assert keys.find(key)
        with acting(operator(cast.acme)):
            ApiKey.objects.filter(prefix=prefix_of(key)).update(
                expires_at=timezone.now() - timedelta(hours=1)
            )
        assert keys.find(key) is None

    def test_a_paused_agents_keys_find_nobody(self, cast: Cast) -> None:
        agent = cast.agents["assistant"]
        with acting(operator(cast.acme)):
            type(agent).objects.filter(id=agent.id).update(paused_at=timezone.now())
        assert keys.find(cast.keys["assistant"]) is None
        assert keys.find(cast.keys["reader"])

    def test_a_wrong_secret_finds_nobody(self, cast: Cast) -> None:
        key = cast.keys["assistant"]
        last = "B" if key.endswith("A") else "A"
        assert keys.find(key[:-1] + last) is None
        assert keys.find(key[:-1]) is None
        assert keys.find(key + "A") is None

    def test_one_keys_id_with_anothers_secret_finds_nobody(self, cast: Cast) -> None:
        secret = cast.keys["stranger"].split("_", 3)[3]
        assert keys.find(f"ks_live_{prefix_of(cast.keys['assistant'])}_{secret}") is None

    def test_digests_are_compared_in_constant_time(
        self, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        compared: list[tuple[Any, ...]] = []

        def spy(*pair: Any) -> bool:
            compared.append(pair)
            return real(*pair)

        real = hmac.compare_digest
        monkeypatch.setattr(hmac, "compare_digest", spy)
        for name in ("assistant", "revoked"):
            keys.find(cast.keys[name])
        # Also for a dead key, so that its answer takes no other time than a wrong secret's.
        assert [[len(side) for side in pair] for pair in compared] == [[32, 32], [32, 32]]

    @given(key=st.text(max_size=80) | st.from_regex(keys.SHAPE, fullmatch=True))
    @settings(
        max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    def test_no_other_text_finds_anybody(self, cast: Cast, key: str) -> None:
        assert keys.find(key) is None

    @pytest.mark.parametrize(
        "bend",
        [
            lambda key: key.upper(),
            lambda key: key.replace("ks_", "KS_", 1),
            lambda key: key.replace("_", "-"),
            lambda key: key + "\x00",
            lambda key: key.replace("ks_live", "ks_密钥"),
            lambda key: f"{key} {key}",
            lambda key: key[: len("ks_live_") + 8],
            lambda key: "' OR 1=1 --",
            lambda key: key[:8] + "%" * 8 + key[16:],
        ],
    )
    def test_bent_keys_find_nobody(self, cast: Cast, bend: Any) -> None:
        assert keys.find(bend(cast.keys["assistant"])) is None


class TestRevoke:
    def test_it_works_at_once_and_is_audited(self, cast: Cast) -> None:
        owner = keys.find(cast.keys["assistant"])
        assert owner
        keys.revoke(operator(cast.acme), key_id=owner.key_id)
        assert keys.find(cast.keys["assistant"]) is None
        assert AuditEvent.objects.filter(
            code=AuditCode.KEY_REVOKED, object_id=owner.key_id, tenant_id=cast.acme.id
        ).exists()

    def test_once_more_changes_nothing(self, cast: Cast) -> None:
        before = rows(cast)[prefix_of(cast.keys["revoked"])]
        keys.revoke(operator(cast.acme), key_id=before.id)
        assert rows(cast)[before.prefix].revoked_at == before.revoked_at
        assert AuditEvent.objects.filter(code=AuditCode.KEY_REVOKED).count() == 1

    def test_the_agents_other_key_stays(self, cast: Cast) -> None:
        _, second = keys.issue(
            operator(cast.acme), kind=KeyKind.AGENT, agent=cast.agents["assistant"]
        )
        owner = keys.find(cast.keys["assistant"])
        assert owner
        keys.revoke(operator(cast.acme), key_id=owner.key_id)
        assert keys.find(second)

    def test_another_tenants_key_stays_alive(self, cast: Cast) -> None:
        owner = keys.find(cast.keys["stranger"])
        assert owner
        keys.revoke(operator(cast.acme), key_id=owner.key_id)
        assert keys.find(cast.keys["stranger"])
        assert not AuditEvent.objects.filter(
            code=AuditCode.KEY_REVOKED, object_id=owner.key_id
        ).exists()


class TestTouch:
    def test_use_is_noted_at_most_once_a_minute(self, cast: Cast) -> None:
        prefix = prefix_of(cast.keys["assistant"])
        owner = keys.find(cast.keys["assistant"])
        assert owner and rows(cast)[prefix].last_used_at is None
        keys.touch(owner)
        first = rows(cast)[prefix].last_used_at
        keys.touch(owner)
        assert first is not None and rows(cast)[prefix].last_used_at == first
        with acting(operator(cast.acme)):
            ApiKey.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))
        keys.touch(owner)
        others = {row.last_used_at for name, row in rows(cast).items() if name != prefix}
        assert rows(cast)[prefix].last_used_at > max(others)


def test_the_finder_sees_one_row_and_only_by_its_full_id(cast: Cast) -> None:
    for wanted in ("", "%", "________", prefix_of(cast.keys["assistant"])[:7]):
        with connection.cursor() as cursor:
            cursor.execute(keys.FIND, [wanted])
            assert cursor.fetchall() == []
