"""The classifier beside the rules: what it keeps, what it leaves alone, and when it is silent."""

from collections.abc import Sequence
from functools import cache

import pytest

from memory.errors import EmbedderUnavailable
from memory.providers import embedding
from memory.providers.e5 import build_e5s_use_896
from memory.providers.embedding import Embedder, Vectors, get_embedder
from memory.write import worth
from tests.cast import Api, Cast
from tests.hash_embedder import HashEmbedder
from tests.memory.wire import listed, outcomes, tell, texts

# No table of the rules knows these.
UNREAD = ("我戴助听器，右耳听不太清。", "I swim laps before breakfast, winter or summer.")


@cache
def real() -> Embedder:
    """The embedder that comes with the product, loaded once."""
    return build_e5s_use_896()


@pytest.fixture(autouse=True)
def _real_embedder(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "_loaded", real())


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that is embedded."""
    asked: list[str] = []
    model = get_embedder()
    passage = model.passage

    def counted(texts: Sequence[str]) -> Vectors:
        asked.extend(texts)
        return passage(texts)

    monkeypatch.setattr(model, "passage", counted)
    return asked


@pytest.mark.parametrize("said", UNREAD)
def test_what_no_rule_reads_is_kept_as_it_was_said(api: Api, said: str) -> None:
    assert outcomes(tell(api, said)) == [("accepted", ["stated", "recognised"])]
    (found,) = listed(api)
    assert (found["text"], found["attribute"], found["origin"]) == (said, None, "person")
    assert (found["importance"], found["confidence"]) == (0.55, 0.6)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("我戴助听器，右耳听不太清。", "semantic"),
        ("I'm deaf in my left ear.", "semantic"),
        ("我孙子昨天会走路了。", "episodic"),
        ("My grandson took his first steps on Sunday.", "episodic"),
    ],
)
def test_what_lasts_is_a_fact_and_the_rest_an_event(api: Api, said: str, kind: str) -> None:
    tell(api, said)
    assert [one["kind"] for one in listed(api)] == [kind]


@pytest.mark.parametrize("said", ["我把这句再看一下。", "I have the same one open here."])
def test_what_it_sees_nothing_in_is_refused_with_its_word(api: Api, said: str) -> None:
    assert outcomes(tell(api, said)) == [("refused", ["unremarkable"])]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("别记：我戴助听器。", "do_not_remember"),
        ("Don't remember this: I swim laps.", "do_not_remember"),
        ("我女儿是不是左撇子？", "question"),
        ("Do I swim laps or play tennis?", "question"),
        ("如果我是左撇子，就买左手剪刀。", "hypothetical"),
        ("If I were left-handed, I would buy other scissors.", "hypothetical"),
        ("写一个故事，主角戴着助听器。", "fiction"),
        ("Write a short story about a left-handed pilot.", "fiction"),
        ("我的密码是 Tulpe!99a", "secret"),
        ("My password is Tulpe!99a", "secret"),
    ],
)
def test_what_the_rules_refuse_for_a_reason_it_is_not_asked(
    api: Api, embedded: list[str], said: str, reason: str
) -> None:
    assert {one for _, found in outcomes(tell(api, said)) for one in found} == {reason}
    assert (listed(api), embedded) == ([], [])


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
@pytest.mark.parametrize("said", UNREAD)
def test_it_reads_only_what_the_person_says(
    api: Api, embedded: list[str], role: str, said: str
) -> None:
    tell(api, {"role": role, "content": said})
    assert (listed(api), embedded) == ([], [])


@pytest.mark.parametrize("said", UNREAD)
def test_a_message_costs_one_vector_also_when_it_is_stored(
    api: Api, embedded: list[str], said: str
) -> None:
    tell(api, said)
    assert embedded == [said]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("嗯嗯，是啊！我从小学就开始画画，到现在没断过。", "我从小学就开始画画，到现在没断过。"),
        ("Wow, congrats! I swim laps before breakfast, winter or summer.", "I swim laps before breakfast, winter or summer."),
    ],
)  # fmt: skip
def test_of_a_message_the_sentence_about_the_person_is_kept(api: Api, said: str, kept: str) -> None:
    tell(api, said)
    assert texts(listed(api)) == [kept]


@pytest.mark.parametrize("said", UNREAD)
def test_with_another_embedder_the_rules_decide_alone(
    api: Api, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setattr(embedding, "_loaded", HashEmbedder())
    assert outcomes(tell(api, said)) == [("refused", ["not_useful"])]


@pytest.mark.parametrize("said", UNREAD)
def test_while_the_embedder_is_down_the_rules_decide_alone(
    api: Api, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    def down(_: Sequence[str]) -> Vectors:
        raise EmbedderUnavailable("down")

    monkeypatch.setattr(get_embedder(), "passage", down)
    assert outcomes(tell(api, said)) == [("refused", ["not_useful"])]
    assert texts(listed(api)) == []


def test_the_weights_belong_to_the_embedder_that_comes_with_the_product() -> None:
    known = worth.classifier()
    model: Embedder = get_embedder()
    assert known is not None and known.model == model.id
    assert len(known.weights) == len(known.mean) + model.dim + 1
