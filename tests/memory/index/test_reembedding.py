"""Another embedder: the former one's vectors serve until all new ones are made, then they go."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from accounts.acting import acting
from config import checkup
from memory import jobs, queue
from memory.choices import IndexState, JobState
from memory.choices.documents import DocumentState
from memory.errors import EmbedderUnavailable
from memory.models import Document, Job, Memory, PassageVector, Vector
from memory.policy import WORK
from memory.providers.embedding import Vectors, get_embedder
from memory.write import indexing
from tests.cast import Api, Cast, hashed_terms, system_of
from tests.hash_embedder import HashEmbedder, OtherEmbedder
from tests.memory.knowledge.files import HANDBOOK
from tests.memory.knowledge.shelf import look, pipeline, put
from tests.memory.wire import body_of, propose, recall, texts

OTHER = "tests.hash_embedder.build_other"
FORMER = "tests.hash_embedder.build"
KAYAK = "Alice keeps a red kayak in the boathouse by the lake 皮划艇"
CELLO = "Alice plays the cello on Thursdays 大提琴"


@contextmanager
def changed(*, before: str = FORMER) -> Iterator[None]:
    """Run with the other embedder; ``before`` names the one that serves still."""
    with hashed_terms(EMBEDDER=OTHER, EMBEDDER_BEFORE=before):
        yield


def models(cast: Cast) -> dict[int, int]:
    """Return how many vectors of each model Alice has."""
    with acting(system_of(cast.alice)):
        found = list(Vector.objects.values_list("model", flat=True))
    return {model: found.count(model) for model in set(found)}


def state_of(cast: Cast, memory: object) -> str:
    with acting(system_of(cast.alice)):
        return Memory.objects.get(id=uuid.UUID(str(memory))).index_state


def reembed(cast: Cast) -> Job:
    """Do Alice's job once, and return how it stands."""
    job, _ = queue.reembed_job(tenant_id=cast.acme.id, subject_id=cast.alice.id)
    jobs.run_job(job.id)
    job.refresh_from_db()
    return job


def by_meaning(answer: dict[str, Any]) -> list[str]:
    return [one["text"] for one in answer["memories"] if "meaning" in one["why"]]


def test_the_former_vectors_serve_until_all_new_ones_are_made(api: Api, cast: Cast) -> None:
    kayak = propose(api, KAYAK)["id"]
    with changed():
        answer = recall(api, "red kayak 皮划艇")
        assert (answer["status"], answer["degraded"]) == ("found", [])
        assert by_meaning(answer) == [KAYAK]

        cello = propose(api, CELLO)["id"]  # waits, and is found by words at once
        assert state_of(cast, cello) == IndexState.PENDING
        assert (state_of(cast, kayak), models(cast)) == (IndexState.READY, {9_001: 1, 9_002: 1})
        answer = recall(api, "the cello 大提琴 on Thursdays")
        assert texts(answer["memories"]) == [CELLO] and by_meaning(answer) == []

        job = reembed(cast)
        assert (job.state, job.done, job.total) == (JobState.SUCCEEDED, 2, 2)
        assert models(cast) == {9_002: 2}
        assert state_of(cast, cello) == state_of(cast, kayak) == IndexState.READY
        for question, text in (("red kayak 皮划艇", KAYAK), ("cello 大提琴 Thursdays", CELLO)):
            answer = recall(api, question)
            assert (answer["degraded"], by_meaning(answer)) == ([], [text])


def test_without_the_former_embedder_words_find_and_the_answer_says_so(
    api: Api, cast: Cast
) -> None:
    propose(api, KAYAK)
    with changed(before=""):
        answer = recall(api, "a red kayak in a boathouse 皮划艇")
        assert (answer["status"], answer["degraded"]) == ("degraded", ["other_model"])
        assert texts(answer["memories"]) == [KAYAK] and by_meaning(answer) == []
        nothing = recall(api, "prime numbers 质数")
        assert (nothing["status"], nothing["degraded"]) == ("degraded", ["other_model"])
        reembed(cast)
        answer = recall(api, "red kayak 皮划艇")
        assert (answer["degraded"], by_meaning(answer)) == ([], [KAYAK])
        assert recall(api, "prime numbers 质数")["status"] == "nothing_relevant"


def test_a_former_embedder_that_does_not_load_leaves_the_words(api: Api, cast: Cast) -> None:
    propose(api, KAYAK)
    with changed(before="tests.memory.knowledge.shelf.away"):
        answer = recall(api, "red kayak boathouse 皮划艇")
        assert (answer["degraded"], texts(answer["memories"])) == (["other_model"], [KAYAK])


def test_a_job_that_dies_goes_on_where_it_was(
    api: Api, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in (KAYAK, CELLO, "Alice grows tomatoes on the balcony 番茄"):
        propose(api, text)
    real, made = OtherEmbedder.passage, 0

    def passage(self: OtherEmbedder, given: Sequence[str]) -> Vectors:
        nonlocal made
        made += len(given)
        if made == 2:
            raise EmbedderUnavailable
        return real(self, given)

    one_by_one = type(WORK)(batch=1)
    with changed():
        monkeypatch.setattr(OtherEmbedder, "passage", passage)
        monkeypatch.setattr(indexing, "WORK", one_by_one)
        job = reembed(cast)
        assert (job.state, job.done, job.total) == (JobState.PENDING, 1, 3)
        assert models(cast) == {9_001: 3, 9_002: 1}
        assert by_meaning(recall(api, "red kayak 皮划艇")) == [KAYAK]
        again = reembed(cast)
        assert (again.id, again.state, again.done) == (job.id, JobState.SUCCEEDED, 3)
        assert (models(cast), made) == ({9_002: 3}, 4)


def test_what_is_erased_while_the_embedder_works_gets_no_vector(
    api: Api, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = propose(api, KAYAK)["id"]
    real = OtherEmbedder.passage

    def passage(self: OtherEmbedder, given: Sequence[str]) -> Vectors:
        body_of(api("DELETE", f"memories/{memory}"))
        return real(self, given)

    with changed():
        monkeypatch.setattr(OtherEmbedder, "passage", passage)
        assert reembed(cast).state == JobState.SUCCEEDED
        assert models(cast) == {}


def test_past_wordings_are_embedded_anew_too(api: Api, cast: Cast) -> None:
    memory = propose(api, KAYAK)["id"]
    body_of(api("PATCH", f"memories/{memory}", {"text": CELLO}, If_Match='"1"'))
    with changed():
        assert reembed(cast).done == 2
        answer = recall(Api(cast.keys["alice"]), "red kayak 皮划艇", include_history=True)
        assert KAYAK in by_meaning(answer)


def test_the_person_sees_how_far_the_job_is(api: Api, cast: Cast) -> None:
    propose(api, KAYAK)
    with changed():
        job = reembed(cast)
        seen = body_of(Api(cast.keys["alice"])("GET", f"jobs/{job.id}"))
        assert (seen["kind"], seen["done"], seen["total"]) == ("reembed", 1, 1)
        assert api("GET", f"jobs/{job.id}").status_code == 404  # the agent did not ask for it


def test_documents_are_embedded_anew_and_served_meanwhile(cast: Cast) -> None:
    document = put(cast.acme, "handbook.md", HANDBOOK)
    question = "days of leave a year"
    before = look(cast.acme, question)
    with changed(before=""):
        without = look(cast.acme, question)
        assert list(without.degraded) == ["other_model"]
        assert list(look(cast.acme, "质数").degraded) == ["other_model"]
        assert all(one.cosine is None for one in without.passages)
    with changed():
        served = look(cast.acme, question)
        assert [one.cosine for one in served.passages] == [one.cosine for one in before.passages]
        put(cast.acme, "lake.md", "# Lake\n\nKayaks 皮划艇 are lent at the boathouse.")
        assert look(cast.acme, "Kayaks 皮划艇 boathouse").passages[0].cosine is None
        job, _ = queue.reembed_job(tenant_id=cast.acme.id, subject_id=None)
        jobs.run_job(job.id)
        job.refresh_from_db()
        assert (job.state, job.done, job.total) == (JobState.SUCCEEDED, 5, 5)
        after = look(cast.acme, question)
        assert not after.degraded and after.passages[0].document_id == document
        assert look(cast.acme, "Kayaks 皮划艇 boathouse").passages[0].cosine
        with acting(pipeline(cast.acme)):
            assert set(PassageVector.objects.values_list("model", flat=True)) == {9_002}
            assert set(Document.objects.values_list("state", flat=True)) == {DocumentState.READY}


@pytest.mark.django_db(transaction=True, databases=["default", "console"])
def test_the_command_finds_everybody_and_doctor_says_what_is_left(
    api: Api, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    propose(api, KAYAK)
    put(cast.acme, "handbook.md", HANDBOOK)
    assert checkup.vectors() == "all of hashed terms"

    def say() -> str:
        out = StringIO()
        call_command("reembed", stdout=out)
        return out.getvalue().strip()

    with changed():
        with pytest.raises(checkup.Unwell, match="2 people or document sets"):
            checkup.vectors()
        assert say() == "other hashed terms: 2 new jobs, 0 under way"
        assert say() == "other hashed terms: 0 new jobs, 2 under way"
        assert checkup.vectors() == "2 being made anew"
        for job_id in queue.due_jobs():
            jobs.run_job(job_id)
        assert checkup.vectors() == "all of other hashed terms"
        assert say() == "other hashed terms: 0 new jobs, 0 under way"
        call_command("reembed", "--wait", stdout=StringIO())


def test_one_embedder_under_two_names_is_no_change(api: Api, cast: Cast) -> None:
    propose(api, KAYAK)
    with hashed_terms(EMBEDDER_BEFORE=FORMER):
        answer = recall(api, "red kayak 皮划艇")
        assert (answer["degraded"], by_meaning(answer)) == ([], [KAYAK])
        assert get_embedder().id == HashEmbedder.id


def test_a_story_of_a_change_can_be_played(tmp_path: Any, db: None) -> None:
    from tests.memory.evaluation import stories

    step = {"op": "config", "set": {"embedding": {"model": "another", "dim": "other"}}}
    stories.passes(
        tmp_path,
        stories.story(
            "change",
            setup=[stories.write("m1", "我的护照放在书房保险柜。"), step, {"op": "restart"}],
            action=stories.recall("护照在哪里"),
            expect=[
                {"check": "warning_mentions", "any": ["model"]},
                stories.then({"op": "maintain", "job": "reindex"}, {"check": "reindexed", "eq": 1}),
                stories.then(
                    stories.recall("护照在哪里"), {"check": "result_top", "all": ["护照"]}
                ),
            ],
        ),
    )
