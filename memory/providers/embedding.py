"""What every embedder offers, and the one this process uses.

An embedder turns text into unit vectors whose dot product says how close two texts are in meaning.
Its ``id`` names the model *and* its calibration. It is stored with every vector, and vectors of two
ids are never compared: another model, or another calibration of the same model, is another id.
"""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, cast

import numpy as np
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string
from numpy.typing import NDArray

from memory.errors import EmbedderUnavailable

type Vectors = NDArray[np.float32]

# Stands for a text without content. Models answer something for "" as well, but endpoints refuse it.
BLANK = "."


class Embedder(Protocol):
    """Text to vectors. Safe to call from several threads."""

    @property
    def id(self) -> int:
        """Smallint that names model and calibration."""
        ...

    @property
    def name(self) -> str:
        """The model's name, for logs and the operator's page."""
        ...

    @property
    def dim(self) -> int:
        """Numbers in a vector."""
        ...

    @property
    def calibrated(self) -> bool:
        """Whether its cosines stand on the scale of the policy's thresholds by themselves.

        If not, ``manage.py calibrate`` measures what they mean.
        """
        ...

    def query(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape ``(len(texts), dim)``, each of length 1.

        Raises `EmbedderUnavailable` when the model cannot answer now.
        """
        ...

    def passage(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found, same shape and errors as `query`."""
        ...


# Setting EMBEDDER -> the function that builds it, by path: only the chosen model's packages are
# imported, and a path of your own may stand in the setting instead of a name.
EMBEDDERS: dict[str, str] = {
    "e5s-use-896": "memory.providers.e5.build_e5s_use_896",
    "e5s-384": "memory.providers.e5.build_e5s_384",
    "openai-compatible": "memory.providers.openai_compatible.build",
}

# Setting EMBEDDER_BEFORE -> the same; an endpoint may have offered another model then.
EMBEDDERS_BEFORE = EMBEDDERS | {
    "openai-compatible": "memory.providers.openai_compatible.build_former"
}

_lock = threading.Lock()
_loaded: Embedder | None = None
_former: Embedder | None = None


def get_embedder() -> Embedder:
    """The embedder of the setting ``EMBEDDER``, loaded once per process at its first use.

    Raises `ImproperlyConfigured` for a name nobody knows or an incomplete endpoint, and
    `EmbedderUnavailable` when the model's files cannot be loaded on this machine.
    """
    global _loaded  # noqa: PLW0603 - the cache of this process
    loaded = _loaded
    if loaded is None:
        with _lock:
            loaded = _loaded = _loaded or _build(settings.EMBEDDER, EMBEDDERS)
    return loaded


def get_former_embedder() -> Embedder | None:
    """The embedder of the setting ``EMBEDDER_BEFORE``, whose vectors serve until new ones are made.

    None if there was no other. Loaded and raising as `get_embedder` does.
    """
    global _former  # noqa: PLW0603 - the cache of this process
    if not settings.EMBEDDER_BEFORE:
        return None
    now, former = get_embedder(), _former
    if former is None:
        with _lock:
            former = _former = _former or _build(settings.EMBEDDER_BEFORE, EMBEDDERS_BEFORE)
    return None if former.id == now.id else former


def reset_embedder() -> None:
    """Forget the loaded embedders; the next `get_embedder` reads the settings anew."""
    global _loaded, _former, _lock  # noqa: PLW0603 - the cache of this process
    _loaded = _former = None
    _lock = threading.Lock()


# A child starts without a model: an engine's threads do not survive a fork, and a lock that another
# thread held at that moment would stay locked for ever.
os.register_at_fork(after_in_child=reset_embedder)


def _build(name: str, known: Mapping[str, str]) -> Embedder:
    path = known.get(name, name)
    if "." not in path:
        names = ", ".join(known)
        raise ImproperlyConfigured(f"The embedder {name!r} is unknown. Known are: {names}")
    build = cast("Callable[[], Embedder]", import_string(path))
    try:
        return build()
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbedderUnavailable(
            f"The model of the embedder {name} does not load: {error}"
        ) from error


def prepared(text: str, *, limit: int) -> str:
    """``text`` as every model accepts it: valid UTF-8 without NUL, not blank, ``limit`` characters.

    Of a longer text the first and the last half of ``limit`` stay: what a long message is about
    usually stands in its opening, and what it asks in its last lines.
    """
    if len(text) > limit:
        text = f"{text[: limit // 2]} {text[-(limit - limit // 2 - 1) :]}"
    text = text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8").strip()
    return text or BLANK


def unit(vectors: NDArray[np.floating]) -> Vectors:
    """Each row of ``vectors``, shape ``(n, dim)``, divided by its length; a zero row stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32, copy=False)
    return scaled
