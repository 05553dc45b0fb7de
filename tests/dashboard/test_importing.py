"""Import: looked at before anything is kept; an own export comes back as it was, the rest waits."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.acting import acting
from accounts.choices import ActorKind
from accounts.models import Subject, Tenant
from accounts.principal import Principal
from accounts.subjects import rights_for
from memory.choices import LinkKind, State
from memory.choices.transfer import ImportGroup, ImportState
from memory.errors import Forbidden
from memory.forget import drive
from memory.forget.expire import expire_imports
from memory.forget.fence import erase
from memory.jobs import run_job
from memory.models import Import, Job, Memory, ObjectKey, ReviewItem
from memory.transfer.export import export
from memory.transfer.importing import accept, bring_in, look, offer
from memory.write.links import link
from tests.cast import Api, Cast, principal_of, remember, system_of
from tests.dashboard.conftest import PASSWORD, recalled

PASTED = "- 我喜欢周末去爬山\n- Works as a nurse in Leeds\n- The password is hunter2hunter2"
# What cannot be the same in another place: ids, and who acts there.
LOCAL = {"id", "agent_id", "session_id", "event_id", "target_id", "author_id", "derived_from"}


@pytest.fixture
def me(cast: Cast) -> Principal:
    return principal_of(cast.keys["alice"], "alice")


def brought(client: Client, **sent: Any) -> str:
    """Send a file or a list and return the address of its preview."""
    answer = client.post(reverse("import"), sent)
    assert answer.status_code == 302, answer.content.decode()[:2000]
    return str(answer["Location"])


def take(client: Client, address: str, *groups: str) -> str:
    client.post(f"{address}take/", {"group": groups})
    for job in Job.objects.filter(kind="import"):
        run_job(job.id)
    return client.get(address).content.decode()


def exported(person: Principal) -> dict[str, Any]:
    body: dict[str, Any] = json.loads("".join(export(person)))
    return body


def same(value: Any) -> Any:
    """What of an exported memory must be equal anywhere."""
    if isinstance(value, dict):
        kept = {name: one for name, one in value.items() if name not in LOCAL}
        if "decisions" in kept:  # that it came back is one decision more
            kept["decisions"] = [one for one in kept["decisions"] if one["reasons"] != ["restored"]]
        return {name: same(one) for name, one in kept.items()}
    return [same(one) for one in value] if isinstance(value, list) else value


def test_a_list_is_looked_at_then_waits(alice: Client, cast: Cast, agent: Principal) -> None:
    address = brought(alice, text=PASTED)
    text = alice.get(address).content.decode()
    assert "我喜欢周末去爬山" in text and "hunter2" not in text
    assert not Memory.objects.exists()
    done = take(alice, address, "new")
    assert "2 memories were brought in" in done
    with acting(system_of(cast.alice)):
        found = list(Memory.objects.all())
        assert {(one.state, one.origin) for one in found} == {("pending", "import")}
        assert ReviewItem.objects.filter(state="open").count() == 2
        row = Import.objects.get()
        assert (row.state, bytes(row.content), row.taken) == ("done", b"", 2)
        assert not ObjectKey.objects.filter(object_id=row.id).exists()
    assert recalled(agent, "周末去哪里爬山？") == []


def test_what_is_known_comes_once(alice: Client, put: Callable[..., Memory]) -> None:
    put("我喜欢周末去爬山")
    text = alice.get(
        brought(alice, text="我喜欢周末去爬山\nLikes jazz\nLikes jazz")
    ).content.decode()
    assert 'value="new"' in text and 'id="identical"' in text
    assert text.count("Likes jazz") == 2  # once as new, once as already there


def test_what_must_not_be_learnt_again_stays_out(
    alice: Client, put: Callable[..., Memory], agent: Principal
) -> None:
    memory = put("I keep a parrot called Rio")
    alice.post(reverse("memory-erase", args=[memory.id]), {"never_again": "1"})
    address = brought(alice, text="I keep a parrot called Rio\n我养了一只猫")
    text = alice.get(address).content.decode()
    assert 'id="blocked"' in text
    assert "1 memory was brought in" in take(alice, address, "new", "changed")


@pytest.fixture
def elsewhere(alice: Client) -> Principal:
    """Alice in a fresh tenant of the same service, by the same login."""
    tenant = Tenant.objects.create(name="Fresh 新的")
    login = Subject.objects.get(external_id="alice", login__isnull=False).login
    subject = Subject.objects.create(tenant=tenant, external_id="alice", login=login)
    person = Principal(kind=ActorKind.PERSON, tenant_id=tenant.id, actor_id=subject.id)
    return rights_for(person.using(subject_id=subject.id), subject)


def lived(alice: Client, cast: Cast, me: Principal, put: Callable[..., Memory]) -> None:
    """A life: corrected, paused, an episode, tags, a guess, a link."""
    moved = put("I live in Hangzhou near the lake")
    alice.post(
        reverse("memory-edit", args=[moved.id]),
        {"text": "I live in Suzhou by the canal", "version": "1"},
    )
    paused = put("我每天早上喝龙井茶")
    alice.post(reverse("memory-pause", args=[paused.id]))
    agent = principal_of(cast.keys["assistant"], "alice")
    remember(
        agent, "上周三我和王芳去了西湖", kind="episodic", subtype="event", occurred=timezone.now()
    )
    remember(agent, "I am allergic to peanuts", tags=("food",), metadata={"from": "menu"})
    link(me, moved.id, paused.id, kind=LinkKind.ABOUT)


def test_an_own_export_comes_back_as_it_was_in_a_fresh_tenant(
    alice: Client, cast: Cast, me: Principal, put: Callable[..., Memory], elsewhere: Principal
) -> None:
    lived(alice, cast, me, put)
    before = "".join(export(me))
    import_id = offer(elsewhere, before.encode())
    assert look(elsewhere, import_id).own
    job = accept(elsewhere, import_id, [ImportGroup.NEW, ImportGroup.CHANGED])
    run_job(job.id)
    assert look(elsewhere, import_id).state == ImportState.DONE
    there, here = exported(elsewhere)["memories"], json.loads(before)["memories"]

    def by_text(items: list[Any]) -> Any:
        return same(sorted(items, key=lambda one: one["versions"][-1]["text"]))

    assert by_text(there) == by_text(here)
    assert [len(one["links"]) for one in there].count(1) == 1
    for waiting in Job.objects.filter(kind="embed", subject_id=elsewhere.person_id):
        run_job(waiting.id)
    assert recalled(elsewhere, "Which city does the person live in?")


def test_gone_on_with_after_a_break_nothing_comes_twice(
    alice: Client, cast: Cast, me: Principal, put: Callable[..., Memory], elsewhere: Principal
) -> None:
    lived(alice, cast, me, put)
    import_id = offer(elsewhere, "".join(export(me)).encode())
    accept(elsewhere, import_id, [ImportGroup.NEW])
    first = bring_in(elsewhere, import_id, "")
    next(first)
    next(first)  # and the worker is killed before it noted the second place
    places = [place for place, _ in bring_in(elsewhere, import_id, "1")]
    assert places[0] == "2"
    assert len(exported(elsewhere)["memories"]) == len(exported(me)["memories"])


def test_a_changed_export_only_waits(
    alice: Client, me: Principal, put: Callable[..., Memory], elsewhere: Principal
) -> None:
    put("我的车牌尾号是 7")
    forged = "".join(export(me)).replace("尾号是 7", "尾号是 8")
    import_id = offer(elsewhere, forged.encode())
    assert not look(elsewhere, import_id).own
    run_job(accept(elsewhere, import_id, [ImportGroup.NEW]).id)
    (one,) = exported(elsewhere)["memories"]
    assert (one["state"], one["origin"]) == ("pending", "import")


def test_another_persons_export_is_not_ones_own(
    me: Principal, put: Callable[..., Memory], cast: Cast
) -> None:
    put("我喜欢喝乌龙茶")
    bob = principal_of(cast.keys["bob"], "bob")
    assert not look(bob, offer(bob, "".join(export(me)).encode())).own


def test_an_erased_memory_comes_back_only_under_another_id(
    alice: Client, me: Principal, put: Callable[..., Memory]
) -> None:
    memory = put("I collect old maps of Kyoto")
    before = "".join(export(me)).encode()
    erase(me, memory.id)
    run_job(accept(me, offer(me, before), [ImportGroup.NEW]).id)
    (one,) = exported(me)["memories"]
    assert one["id"] != str(memory.id)
    with acting(me):
        assert Memory.objects.get(id=memory.id).state in (State.ERASING, State.ERASED)


def test_an_erasure_takes_the_waiting_file_along(
    me: Principal, put: Callable[..., Memory], cast: Cast
) -> None:
    memory = put("I collect old maps of Kyoto")
    import_id = offer(me, "".join(export(me)).encode())
    erasure = erase(me, memory.id)
    drive.run(erasure.id)
    with acting(system_of(cast.alice)):
        assert not Import.objects.filter(id=import_id).exists()


def test_a_file_let_in_before_an_erasure_brings_nothing_back_after_it(
    alice: Client, me: Principal, put: Callable[..., Memory]
) -> None:
    memory = put("I keep a parrot called Rio 鹦鹉")
    import_id = offer(me, "".join(export(me)).encode())
    job = accept(me, import_id, [ImportGroup.NEW, ImportGroup.CHANGED])
    erase(me, memory.id)
    run_job(job.id)
    assert exported(me)["memories"] == []


def test_a_sealed_export_needs_its_passphrase(alice: Client, put: Callable[..., Memory]) -> None:
    put("我喜欢喝乌龙茶")
    asked = {
        "password": PASSWORD,
        "format": "zip",
        "passphrase": "明月几时有 2026",
        "again": "明月几时有 2026",
    }
    sealed = b"".join(alice.post(reverse("export"), asked))
    wrong = alice.post(
        reverse("import"),
        {"file": SimpleUploadedFile("k", sealed), "passphrase": "明月几时有 2025"},
    )
    assert wrong.status_code == 422 and "type it exactly" in wrong.content.decode()
    right = {"file": SimpleUploadedFile("k", sealed), "passphrase": "明月几时有 2026"}
    assert 'id="identical"' in alice.get(brought(alice, **right)).content.decode()


def test_a_file_waits_a_day_and_can_be_thrown_away(alice: Client, me: Principal) -> None:
    kept, dropped = brought(alice, text="Likes jazz"), brought(alice, text="喜欢爵士")
    alice.post(f"{dropped}drop/")
    assert alice.get(dropped).status_code == 404
    with acting(me):
        Import.objects.update(expires_at=timezone.now())
    assert alice.get(kept).status_code == 404
    assert expire_imports(me.unlimited()) == 1
    with acting(me):
        assert not Import.objects.exists()


def test_nobody_elses_file_is_found(alice: Client, cast: Cast) -> None:
    bob = principal_of(cast.keys["bob"], "bob")
    address = reverse("import-look", args=[offer(bob, b"Likes jazz")])
    assert alice.get(address).status_code == 404
    assert alice.post(f"{address}take/", {"group": "new"}).status_code == 404
    with pytest.raises(Forbidden):
        offer(principal_of(cast.keys["assistant"], "alice"), b"Likes jazz")


@pytest.mark.parametrize("sent", [{}, {"text": "  "}, {"text": "# nothing"}])
def test_nothing_to_read_is_said(alice: Client, sent: dict[str, str]) -> None:
    answer = alice.post(reverse("import"), sent)
    assert answer.status_code == 422
    assert not Import.objects.exists()


def test_over_the_api_the_person_does_the_same(
    cast: Cast, me: Principal, put: Callable[..., Memory]
) -> None:
    put("我喜欢周末去爬山")
    person = Api(cast.keys["alice"])
    mine = f"users/{me.person_id}"
    document = person("GET", f"{mine}/export").json()
    assert document["memories"][0]["versions"][0]["text"] == "我喜欢周末去爬山"
    made = person("POST", f"{mine}/imports", {"text": "- 我喜欢周末去爬山\n- Likes jazz"})
    looked = made.json()
    assert made.status_code == 201
    assert looked["counts"] == {"new": 1, "changed": 0, "identical": 1, "blocked": 0}
    file = f"{mine}/imports/{looked['id']}"
    done = person("POST", f"{file}/take?wait=true", {"groups": ["new"]}, Idempotency_Key="once")
    assert done.status_code == 202 and done.json()["job"]["state"] == "succeeded"
    assert (
        person("POST", f"{file}/take?wait=true", {"groups": ["new"]}, Idempotency_Key="once").json()
        == done.json()
    )
    assert person("GET", file).json()["taken"] == 1
    assert person("POST", f"{file}/take", {"groups": ["new"]}).status_code == 409
    assert person("POST", f"{mine}/imports", {"text": "# 空"}).status_code == 400
