"""What an older door let in passes the door of today."""

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.models import AuditEvent
from memory import jobs
from memory.choices import ErasureState, JobState, Role
from memory.forget import drive
from memory.models import Erasure, Event, Job, Memory, Session, Suppression
from memory.providers import deadline
from memory.rescan.begin import rescan_tenant
from memory.rescan.scan import scan
from memory.reviews.forgetting import erase_now
from memory.sessions.compaction import Summarised
from memory.sessions.points import Point
from memory.sessions.summaries import fold, stored
from memory.vault import Place, open_vault
from memory.write import redact
from tests.cast import Api, Cast, principal_of, system_of
from tests.memory.wire import body_of, listed, open_session, problem, propose, recall, tell, texts

SECRET = "Tulpe!99a"
TOLD = [
    f"书房的路由器在左边柜子里，wifi 密码是 {SECRET}，每月换一次。",
    f"The router stands in the study, the wifi password is {SECRET}, and it changes monthly.",
]
REACHED = [
    "打 13912345678 能找到我，晚上别打。",
    "Reach me under +1 415 555 0132, but not at night.",
]


@contextmanager
def older_door() -> Iterator[None]:
    """A door that knows neither secrets nor contact details yet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(redact, "without_secrets", lambda text: text)
        patch.setattr(redact, "contacts", lambda _: [])
        yield


def kept(api: Api, text: str, **fields: Any) -> dict[str, Any]:
    """Propose a memory and return it as it was kept."""
    made = propose(api, text, importance=0.8, **fields)["id"]
    return body_of(api("GET", f"memories/{made}"))


def rescanned(cast: Cast) -> dict[str, int]:
    """Let alice's things pass the door again; return what was done."""
    (job,) = rescan_tenant(cast.acme.id, user_id="alice")
    jobs.run_job(job.id)
    job.refresh_from_db()
    assert job.state == JobState.SUCCEEDED
    return dict(job.counts)


def erased_all() -> bool:
    """Whether every erasure that was begun has come to its end."""
    drive.sweep()
    over = (ErasureState.AWAITING_BACKUP_EXPIRY, ErasureState.COMPLETED, ErasureState.ERASED)
    return not Erasure.objects.exclude(state__in=over).exists()


def opened_events(cast: Cast) -> list[str]:
    principal = system_of(cast.alice)
    with acting(principal):
        vault = open_vault(principal)
        return [
            vault.unseal(Place(object_id=one.id), one.text)
            for one in Event.objects.order_by("occurred_at")
            if vault.holds(one.id)
        ]


# --- secrets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", TOLD)
def test_a_memory_with_a_secret_makes_way_for_one_without(api: Api, cast: Cast, said: str) -> None:
    with older_door():
        old = kept(api, said, attribute="home.note")
    assert SECRET in old["text"]
    assert rescanned(cast) == {"redacted_memories": 1}
    (new,) = listed(api)
    assert new["text"] == said.replace(SECRET, "[PASSWORD]") and new["id"] != old["id"]
    same = ("kind", "subtype", "attribute", "state", "trust", "origin", "confidence", "importance")
    assert [new[name] for name in same] == [old[name] for name in same]
    problem(api("GET", f"memories/{old['id']}"), 410, "gone")
    assert SECRET not in json.dumps(recall(api, said.replace(SECRET, "")), ensure_ascii=False)
    assert erased_all()


@pytest.mark.parametrize("said", [f"密码是 {SECRET}", f"My password is {SECRET}"])
def test_of_a_memory_that_is_nothing_but_a_secret_nothing_is_left(
    api: Api, cast: Cast, said: str
) -> None:
    with older_door():
        propose(api, said, importance=0.8)
    assert rescanned(cast) == {"erased_memories": 1}
    assert listed(api) == [] and erased_all()


@pytest.mark.parametrize("said", TOLD)
def test_a_message_with_a_secret_makes_way_and_keeps_its_place(
    api: Api, cast: Cast, said: str
) -> None:
    session = open_session(api)
    with older_door():
        tell(api, "早。Good morning.", said, "再见。Bye.", session=session)
    assert any(SECRET in text for text in opened_events(cast))
    assert rescanned(cast)["redacted_events"] == 1
    clean = said.replace(SECRET, "[PASSWORD]")
    shown = body_of(api("GET", f"sessions/{session}/messages"))["messages"]
    assert [one["content"] for one in shown] == ["早。Good morning.", clean, "再见。Bye."]
    assert erased_all()
    assert opened_events(cast).count(clean) == 1 and SECRET not in str(opened_events(cast))


@pytest.mark.parametrize("said", [f"记住：{TOLD[0]}", f"Remember: {TOLD[1]}"])
def test_what_rests_on_such_a_message_rests_on_what_is_left_of_it(
    api: Api, cast: Cast, said: str
) -> None:
    with older_door():
        tell(api, said)
    assert rescanned(cast) == {"redacted_events": 1, "redacted_memories": 1}
    assert erased_all()
    (memory,) = listed(api)
    (evidence,) = body_of(api("GET", f"memories/{memory['id']}/evidence"))["evidence"]
    assert SECRET not in evidence["quote"] and "[PASSWORD]" in evidence["quote"]
    original = body_of(api("GET", f"events/{evidence['event_id']}"))
    assert original["content"] == said.replace(SECRET, "[PASSWORD]")


def test_a_former_wording_with_a_secret_stays_without_it(api: Api, cast: Cast) -> None:
    """The history used to go with the secret; each wording keeps its number, author and times."""
    with older_door():
        old = kept(api, TOLD[0])
    reworded = {"text": "路由器在书房 The router is in the study."}
    answer = api("PATCH", f"memories/{old['id']}", reworded, If_Match='"1"')
    assert answer.status_code == 200, answer.content
    before = body_of(api("GET", f"memories/{old['id']}/versions"))["versions"]
    rescanned(cast)
    (new,) = listed(api)
    assert new["text"] == "路由器在书房 The router is in the study." and new["id"] != old["id"]
    versions = body_of(api("GET", f"memories/{new['id']}/versions"))["versions"]
    assert SECRET not in json.dumps(versions, ensure_ascii=False) and erased_all()
    cut = json.dumps(before, ensure_ascii=False).replace(SECRET, "[PASSWORD]")
    assert json.dumps(versions, ensure_ascii=False) == cut
    known = min(one["recorded_at"] for one in versions)
    past = recall(api, TOLD[0].replace(SECRET, ""), known_at=known)["memories"]
    assert texts(past) == [TOLD[0].replace(SECRET, "[PASSWORD]")]
    body_of(api("PATCH", f"memories/{new['id']}", {"text": "路由器在客厅。"}, If_Match='"2"'))


def test_a_board_is_written_anew(api: Api, cast: Cast) -> None:
    state = {
        "goal": "连上网 Get online",
        "notes": [f"密码是 {SECRET}", "再问房东 ask the landlord"],
    }
    with older_door():
        made = api("PUT", "tasks/net/state", {"user_id": "alice", "state": state})
        assert made.status_code in (200, 201), made.content
    assert rescanned(cast) == {"redacted_boards": 1}
    board = body_of(api("GET", "tasks/net/state?user_id=alice"))
    assert board["state"]["notes"][1] == "再问房东 ask the landlord"
    assert SECRET not in json.dumps(board) and board["version"] == 2


@pytest.mark.parametrize(
    ("said", "done"), [(TOLD[0], {"erased_summaries": 1}), ("路由器 router", {})]
)
def test_a_summary_whose_turns_are_gone_goes_with_its_secret(
    api: Api, cast: Cast, said: str, done: dict[str, int]
) -> None:
    session_id, principal = uuid.UUID(open_session(api)), system_of(cast.alice)
    point = Point(event_id=uuid.uuid4(), start=0, role=Role.USER, text=said, weight=1.0)
    with acting(principal):
        session = Session.objects.get(id=session_id)
        assert fold(principal, session, Summarised(points=[point]))
    assert rescanned(cast) == done
    with acting(principal):
        kept_points = stored(principal, open_vault(principal), session).points
    assert [one.text for one in kept_points] == ([] if done else [said])


# --- levels --------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", REACHED)
def test_what_is_more_sensitive_than_its_level_is_held_closer(
    api: Api, cast: Cast, said: str
) -> None:
    with older_door():
        old = kept(api, said)
    assert old["sensitivity"] < 30
    assert rescanned(cast) == {"raised": 1}
    with acting(system_of(cast.alice)):
        memory = Memory.objects.get(id=uuid.UUID(old["id"]))
        line = AuditEvent.objects.get(code=AuditCode.RESCANNED)
    assert (memory.sensitivity, memory.version, memory.index_state) == (30, 1, "ready")
    assert (str(line.object_id), line.sensitivity, line.reason) == (old["id"], 30, "raised")
    assert not recall(api, "13912345678 4155550132")["memories"]


def test_what_the_person_holds_closer_stays_so(api: Api, cast: Cast) -> None:
    made = uuid.UUID(kept(api, "我周末去爬山。I hike at weekends.")["id"])
    with acting(system_of(cast.alice)):
        Memory.objects.filter(id=made).update(sensitivity=30)
    assert rescanned(cast) == {}
    with acting(system_of(cast.alice)):
        assert Memory.objects.get(id=made).sensitivity == 30


# --- the work itself -----------------------------------------------------------------------------


def test_a_second_time_there_is_nothing_to_do(api: Api, cast: Cast) -> None:
    with older_door():
        tell(api, *TOLD)
        propose(api, REACHED[0], importance=0.8)
    assert sum(rescanned(cast).values()) >= 3
    before = texts(listed(api))
    assert rescanned(cast) == {} and texts(listed(api)) == before


def test_stopped_anywhere_it_goes_on_from_there(
    api: Api, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    with older_door():
        tell(api, *TOLD)
    seen: list[str] = []

    def one_by_one(principal: Any, after: str) -> Iterator[tuple[str, str | None]]:
        seen.append(after)
        for done in scan(principal, after):
            yield done
            raise deadline.OutOfTime

    monkeypatch.setattr(jobs, "scan", one_by_one)
    (job,) = rescan_tenant(cast.acme.id, user_id="alice")
    for _ in range(20):
        jobs.run_job(job.id)
        job.refresh_from_db()
    assert job.state == JobState.SUCCEEDED and job.counts["redacted_events"] == 2
    assert len(set(seen)) == len(seen) > 2
    assert SECRET not in str(opened_events(cast))


def test_one_job_a_person_and_other_people_are_left_alone(api: Api, cast: Cast) -> None:
    everybody = rescan_tenant(cast.acme.id)
    assert {job.subject_id for job in everybody} == {cast.alice.id, cast.bob.id, None}
    assert rescan_tenant(cast.acme.id) == everybody
    assert not Job.objects.filter(subject_id=cast.charlie.id).exists()


def test_the_command_says_how_much_and_no_word_of_it(api: Api, cast: Cast) -> None:
    with older_door():
        propose(api, TOLD[1], importance=0.8)
    out = StringIO()
    call_command("rescan", "--tenant", cast.acme.name, "--user", "alice", stdout=out)
    assert out.getvalue().strip() == "people 1  redacted_memories 1"
    call_command("rescan", "--tenant", cast.acme.name, "--user", "alice", stdout=out)
    assert out.getvalue().splitlines()[1] == "people 1  nothing to do"
    with pytest.raises(CommandError, match="no organisation"):
        call_command("rescan", "--tenant", "nobody", stdout=out)


@pytest.mark.parametrize("said", ["我每天早上吃燕麦片。", "I eat oat porridge every morning."])
def test_what_was_learnt_against_the_persons_wish_is_erased(
    api: Api, person: Api, cast: Cast, said: str
) -> None:
    first = propose(api, said, importance=0.8)["id"]
    erase_now(principal_of(cast.keys["alice"], "alice"), uuid.UUID(first), never_again=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("memory.write.pipeline.suppressed", lambda *_: None)
        slipped = kept(api, said)
    other = propose(api, "Owns a kayak 皮划艇", importance=0.8)["id"]
    with acting(system_of(cast.alice)):
        said_at = Suppression.objects.get(basis="wording").created_at
        Suppression.objects.update(created_at=timezone.now())
    assert rescanned(cast) == {}  # what was known before they said so stays
    with acting(system_of(cast.alice)):
        Suppression.objects.update(created_at=said_at)
    assert rescanned(cast) == {"unwanted_memories": 1}
    assert [one["id"] for one in listed(person)] == [other]
    problem(api("GET", f"memories/{slipped['id']}"), 410, "gone")
    assert erased_all() and rescanned(cast) == {}
    line = AuditEvent.objects.get(code=AuditCode.RESCANNED)
    assert (line.reason, line.object_id) == ("unwanted_memories", uuid.UUID(slipped["id"]))
