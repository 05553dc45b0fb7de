"""The local embedder, and which embedder a process uses."""

import hashlib
import importlib
import os
import threading

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from memory.errors import EmbedderUnavailable
from memory.evaluation.handmade.sets import MEMORIES, PAIRS, QUESTIONS, UNRELATED
from memory.providers import embedding
from memory.providers.e5 import CALIBRATION, MAX_CHARS, E5Embedder, build_e5s_384
from memory.providers.embedding import (
    EMBEDDERS,
    Embedder,
    Vectors,
    get_embedder,
    prepared,
    reset_embedder,
)

# What ids 1 to 4 stand for. Another calibration needs other ids, or stored vectors would be compared
# with vectors of another kind.
CALIBRATION_OF_IDS_1_TO_4 = "3affa3c5fbf9bf88869efc877e5982a0707d951dc989dfe77bfc4158c29beef7"


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    reset_embedder()
    return get_embedder()


def cosines(embedder: Embedder, questions: list[str], texts: list[str]) -> Vectors:
    """Shape ``(questions, texts)``."""
    found: Vectors = embedder.query(questions) @ embedder.passage(texts).T
    return found


@pytest.fixture(scope="module")
def scores(embedder: Embedder) -> Vectors:
    """Every hand-made question against every memory."""
    return cosines(embedder, [question for _, question, _ in QUESTIONS], [*MEMORIES.values()])


def hit_rate(scores: Vectors, groups: set[str], *, k: int) -> float:
    """Share of the groups' questions with an answer among the first ``k``."""
    names = np.array([*MEMORIES])
    asked = [
        (row, set(answers.split()))
        for row, (group, _, answers) in zip(scores, QUESTIONS, strict=True)
        if group in groups
    ]
    return float(np.mean([bool(set(names[np.argsort(-row)[:k]]) & right) for row, right in asked]))


def test_default_is_the_joined_model(embedder: Embedder) -> None:
    assert (embedder.id, embedder.name, embedder.dim) == (4, "e5s-use-896", 896)
    assert embedder.calibrated
    assert get_embedder() is embedder


def test_vectors_are_unit_rows(embedder: Embedder) -> None:
    for vectors in (embedder.query(["猫", "cat"]), embedder.passage(["猫", "cat"])):
        assert vectors.shape == (2, 896)
        assert vectors.dtype == np.float32
        assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.query([]).shape == (0, 896)


def test_question_and_passage_differ(embedder: Embedder) -> None:
    assert not np.allclose(embedder.query(["我的猫"]), embedder.passage(["我的猫"]), atol=0.01)


def test_a_vector_does_not_depend_on_its_neighbours(embedder: Embedder) -> None:
    texts = ["我的猫叫豆包。", "I keep bees.", "x", "demo 要讲 dashboard", *"abcdefgh"]
    alone = np.concatenate([embedder.passage([text]) for text in texts])
    assert embedder.passage(texts) == pytest.approx(alone, abs=1e-5)


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\0", "\u200b", "\ud800", "🎉", "a\0猫"])
def test_texts_without_words_have_a_vector_too(embedder: Embedder, text: str) -> None:
    assert np.linalg.norm(embedder.passage([text])) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("word", ["猫", "cat "])
def test_a_long_text_keeps_its_start_and_end(word: str) -> None:
    text = f"START {word * MAX_CHARS} END"
    cut = prepared(text, limit=MAX_CHARS)
    assert len(cut) <= MAX_CHARS
    assert cut.startswith("START")
    assert cut.endswith("END")


def test_a_very_long_text_does_not_hold_the_engine(embedder: Embedder) -> None:
    text = "a cat, 一只猫, " * 100_000
    cut = prepared(text, limit=MAX_CHARS)
    assert embedder.passage([text]) == pytest.approx(embedder.passage([cut]), abs=1e-5)


def test_questions_find_what_was_said_in_the_other_language(scores: Vectors) -> None:
    assert hit_rate(scores, {"ze", "ez"}, k=3) >= 0.85


def test_questions_find_what_was_said_in_the_same_language(scores: Vectors) -> None:
    assert hit_rate(scores, {"zz", "ee", "mx"}, k=3) >= 0.9


def test_best_cosine_tells_questions_from_small_talk(embedder: Embedder, scores: Vectors) -> None:
    known = scores.max(axis=1)
    unknown = cosines(embedder, UNRELATED, [*MEMORIES.values()]).max(axis=1)
    assert np.mean(known[:, None] > unknown[None, :]) >= 0.93


def test_duplicates_and_strangers_lie_apart(embedder: Embedder) -> None:
    pairs = np.sum(
        embedder.passage([one for _, one, _ in PAIRS])
        * embedder.passage([other for _, _, other in PAIRS]),
        axis=1,
    )
    kinds = np.array([kind for kind, _, _ in PAIRS])
    assert np.median(pairs[kinds == "dup"]) > 0.75
    assert np.median(pairs[kinds == "xdup"]) > 0.5
    assert pairs[kinds == "unrel"].max() < 0.25


def test_the_small_embedder_is_calibrated_too(settings: Settings) -> None:
    small = build_e5s_384()
    assert (small.id, small.name, small.dim) == (3, "e5s-384", 384)
    chinese, english, other = small.passage(["我对花生过敏", "I'm allergic to peanuts", "我怕黑"])
    assert chinese @ english > max(chinese @ other, english @ other)


def test_ids_stand_for_this_calibration() -> None:
    assert hashlib.sha256(CALIBRATION.read_bytes()).hexdigest() == CALIBRATION_OF_IDS_1_TO_4


def test_directions_are_orthonormal() -> None:
    with np.load(CALIBRATION) as stored:
        assert stored["mu"].shape == (384,)
        assert stored["D"] @ stored["D"].T == pytest.approx(np.eye(9), abs=1e-5)


def test_models_stay_on_one_thread(embedder: Embedder) -> None:
    embedder.query(["猫", "cat"])
    pools = importlib.import_module("threadpoolctl").threadpool_info()
    assert {pool["num_threads"] for pool in pools} == {1}


def test_threads_get_the_vectors_they_asked_for(embedder: Embedder) -> None:
    texts = [f"第{n}只猫 cat number {n}" for n in range(6)]
    alone = embedder.query(texts)
    together: dict[int, Vectors] = {}

    def work(n: int) -> None:
        together[n] = embedder.query([texts[n]])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.concatenate([together[n] for n in range(6)]) == pytest.approx(alone, abs=1e-5)


class Stub(E5Embedder):
    """Counts how often it is built."""

    built = 0

    def __init__(self) -> None:
        Stub.built += 1


@pytest.fixture
def stub(settings: Settings, monkeypatch: pytest.MonkeyPatch, embedder: Embedder) -> None:
    """Make `Stub` the process' embedder, and put the real one back afterwards."""
    settings.EMBEDDER = f"{__name__}.Stub"
    monkeypatch.setattr(embedding, "_loaded", None)
    Stub.built = 0


@pytest.mark.usefixtures("stub")
def test_many_threads_load_one_model() -> None:
    threads = [threading.Thread(target=get_embedder) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Stub.built == 1


@pytest.mark.usefixtures("stub")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_loads_its_own_even_if_the_lock_was_held() -> None:
    get_embedder()
    with embedding._lock:
        child = os.fork()
        if child == 0:
            get_embedder()
            os._exit(Stub.built)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2


@pytest.mark.usefixtures("stub")
def test_an_unknown_name_lists_the_known_ones(settings: Settings) -> None:
    settings.EMBEDDER = "nonesuch"
    with pytest.raises(ImproperlyConfigured, match=", ".join(EMBEDDERS)):
        get_embedder()


@pytest.mark.usefixtures("stub")
def test_a_model_that_does_not_load_is_unavailable(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMBEDDER = "e5s-384"

    def absent(*, threads: int) -> None:
        raise ImportError("compiled engine not found")

    monkeypatch.setattr("memory.providers.e5.load_e5", absent)
    with pytest.raises(EmbedderUnavailable, match="compiled engine"):
        get_embedder()
