"""Rebuild ``memory/providers/calibration/e5_ldr.npz``: what tells languages apart in raw e5 vectors.

    python -m scripts.build_calibration [--output FILE] [--compare FILE]

Texts of one meaning in many languages differ in their language only, so the differences between the
languages' mean vectors span the directions to take out. Two sources, each embedded as query and as
passage, since e5 places the two kinds apart:

- Django's own translations in 21 languages: all messages of a sentence's length without
  placeholders that all 21 have. They cover many languages, but speak of forms and passwords.
- ``calibration_texts.py``, Chinese and English only, which speak as people do to an agent.

``mu`` is the mean of both sources, each half. ``D`` is the first nine right singular vectors of the
languages' means minus their source's mean (nine carry 78 % of their variance). Takes about two minutes.

Any change of the file changes every vector: give the embedders of ``memory/providers/e5.py`` new ids.
"""

import argparse
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import django
import numpy as np

from memory.providers.e5 import CALIBRATION
from memory.providers.e5_nano import NanoEngine
from memory.providers.embedding import Vectors
from scripts.calibration_texts import QUESTIONS, STATEMENTS

DIRECTIONS = 9
SHORTEST = 20  # characters of the English message: single words of a form say little
MARKUP = "%<{"
# The sixteen languages USE was trained on, and five more with large catalogues of their own kind.
LANGUAGES = (
    "ar cs de en es fr hi id it ja ko nl pl pt ru th tr uk vi zh_Hans zh_Hant".split()  # noqa: SIM905 - reads better
)

type Embed = Callable[[list[str]], Vectors]


def main() -> None:
    """Build the file, write it, and say how close it is to another one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", type=Path, default=CALIBRATION)
    parser.add_argument("--compare", type=Path, help="an older file to compare with")
    options = parser.parse_args()
    old = dict(np.load(options.compare)) if options.compare else None
    mu, directions = build()
    np.savez(options.output, mu=mu, D=directions)
    print(f"{options.output}: mu {mu.shape}, D {directions.shape}")  # noqa: T201 - a command's output
    if old is not None:
        overlap, cosine = compare(mu, directions, old["mu"], old["D"])
        print(f"mean singular value of D Dᵀ {overlap:.3f}, cosine of mu {cosine:.4f}")  # noqa: T201 - a command's output


def build() -> tuple[Vectors, Vectors]:
    """``mu``, shape ``(384,)``, and ``D``, shape ``(9, 384)`` with orthonormal rows."""
    engine = NanoEngine(threads=1)
    catalogues = shared_messages()
    django_means = [_means(embed, catalogues) for embed in (engine.passage, engine.query)]
    own_means = [
        _means(engine.passage, _columns(STATEMENTS)),
        _means(engine.query, _columns(QUESTIONS)),
    ]
    means = [*django_means, *own_means]
    differences = np.concatenate(
        [of_languages - of_languages.mean(axis=0) for of_languages in means]
    )
    centres = [
        np.mean([group.mean(axis=0) for group in source], axis=0)
        for source in (django_means, own_means)
    ]
    directions = np.linalg.svd(differences, full_matrices=False)[2][:DIRECTIONS]
    return np.mean(centres, axis=0).astype(np.float32), directions.astype(np.float32)


def shared_messages() -> list[list[str]]:
    """For each of `LANGUAGES` the same messages in the same order."""
    catalogues = {language: _catalogue(language) for language in LANGUAGES if language != "en"}
    known = set.intersection(*(set(catalogue) for catalogue in catalogues.values()))
    chosen = sorted(
        message for message in known if len(message) >= SHORTEST and not set(message) & set(MARKUP)
    )
    catalogues["en"] = {message: message for message in chosen}
    return [[catalogues[language][message] for message in chosen] for language in LANGUAGES]


def compare(
    mu: Vectors, directions: Vectors, old_mu: Vectors, old_directions: Vectors
) -> tuple[float, float]:
    """How alike two calibrations are: mean cosine between the spans of ``D``, and cosine of ``mu``."""
    overlap = np.linalg.svd(directions @ old_directions.T, compute_uv=False).mean()
    return float(overlap), float(mu @ old_mu / np.linalg.norm(mu) / np.linalg.norm(old_mu))


def _means(embed: Embed, languages: list[list[str]]) -> Vectors:
    """Mean vector of each language's texts, shape ``(languages, 384)``."""
    return np.array([embed(texts).mean(axis=0) for texts in languages])


def _columns(pairs: list[tuple[str, str]]) -> list[list[str]]:
    return [list(column) for column in zip(*pairs, strict=True)]


def _catalogue(language: str) -> dict[str, str]:
    """English → ``language`` in all of Django's catalogues; plural and empty messages left out."""
    files = sorted(Path(django.__file__).parent.glob(f"**/locale/{language}/LC_MESSAGES/django.mo"))
    messages = (pair for file in files for pair in _messages(file.read_bytes()))
    return {
        source.split("\x04")[-1]: target
        for source, target in messages
        if source and target and "\0" not in source
    }


def _messages(mo: bytes) -> Iterator[tuple[str, str]]:
    """Source and translation of each message in a GNU ``.mo`` file (little-endian, as Django's are).

    https://www.gnu.org/software/gettext/manual/html_node/MO-Files.html
    """
    count, sources, targets = struct.unpack_from("<3I", mo, 8)
    for row in range(0, 8 * count, 8):
        yield _string(mo, sources + row), _string(mo, targets + row)


def _string(mo: bytes, at: int) -> str:
    length, offset = struct.unpack_from("<2I", mo, at)
    return mo[offset : offset + length].decode()


if __name__ == "__main__":
    main()
