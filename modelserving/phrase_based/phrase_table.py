"""The data of phrase-based translation: a phrase table as flat arrays, and the features that weights weigh."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foundation.errors import UserError
from foundation.options import option

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
WordIds = NDArray[np.int32]
Offsets = NDArray[np.int64]
Records = NDArray[np.void]

SCORES = ("p(t|s)", "lex(t|s)", "p(s|t)", "lex(s|t)")
REORDERING = (
    "after the one before: monotone", "after the one before: swap", "after the one before: apart",
    "before the one after: monotone", "before the one after: swap", "before the one after: apart",
)  # fmt: skip
FEATURES = (*SCORES, "phrases", "words", "language model", "distortion", "unknown", *REORDERING)
"""Natural logarithms, and four that count: phrases, words of the output (negative), words that the source is jumped
over (negative), and unknown words (negative). Weights are float64 in this order, (15,)."""

START = np.array([0.2] * 4 + [0.2, -1.0, 0.5, 0.3, 100.0] + [0.3] * 6)
"""The weights that a tuning starts from: those of Moses. That of unknown words is never tuned."""


@dataclass(frozen=True)
class DecoderOptions:
    """How a sentence is searched."""

    stack: int = option(100, "Hypotheses that are kept for each number of translated words", low=1, high=1000)
    distortion: int = option(6, "Words that may be jumped over", low=0, high=30)
    options: int = option(20, "Translations of a phrase that are tried", low=1, high=1000)
    cells: int = option(
        400, "Hypotheses that are looked at for each number of translated words", low=1, high=20_000, rare=True
    )
    threshold: float = option(
        1e-5, "Least score of a hypothesis, as a part of the best one's", low=0.0, high=1.0, rare=True
    )


@dataclass(frozen=True)
class PhraseTable:
    """s phrases of the source, each with its translations, m in all; both sides share one vocabulary of v words.

    Source phrase i is `source[source_offsets[i]:source_offsets[i + 1]]`, and no other is the same; its translations are
    those from `options[i]` to `options[i + 1]`. Translation j is `target[target_offsets[j]:target_offsets[j + 1]]`, of
    one word at least. `scores[j]` (m, 4) are its SCORES. `reordering[j]` (m, 6) are the logarithms of REORDERING, three
    for its orientation to the phrase before it in the output, three for that of the phrase after it; it is (0, 6) where
    reordering costs only by its distance.
    """

    words: Mapping[str, int]
    source: WordIds
    source_offsets: Offsets
    options: Offsets
    target: WordIds
    target_offsets: Offsets
    scores: Singles
    reordering: Singles

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def lexicalized(self) -> bool:
        return len(self.reordering) > 0

    @property
    def longest(self) -> int:
        """Words of the longest source phrase."""
        return int(np.diff(self.source_offsets).max(initial=0))

    def fixed(self) -> "PhraseTable":
        """The table with read-only arrays, as those of files are: code is compiled once for each of the two kinds."""
        arrays: Any = {
            field.name: read_only(getattr(self, field.name)) for field in fields(self) if field.name != "words"
        }
        return replace(self, **arrays)

    def check(self) -> None:
        """Raise a UserError where arrays do not fit together: compiled code reads them unchecked."""
        phrases, size = len(self.options) - 1, len(self.scores)
        good = (
            sorted(self.words.values()) == list(range(len(self.words)))
            and _offsets(self.source_offsets, phrases, len(self.source), least=1)
            and _offsets(self.options, phrases, size, least=1)
            and _offsets(self.target_offsets, size, len(self.target), least=1)
            and all(_within(side, len(self.words)) for side in (self.source, self.target))
            and _scores(self.scores, (size, len(SCORES)))
            and _scores(self.reordering, (size if self.lexicalized else 0, len(REORDERING)))
        )
        if not good:
            raise UserError("The phrase table is broken: its arrays do not fit together.")


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, read-only."""
    seen = array.view()
    seen.flags.writeable = False
    return seen


def _offsets(offsets: Offsets, count: int, end: int, least: int) -> bool:
    if count < 0 or offsets.dtype != np.int64 or offsets.shape != (count + 1,):
        return False
    return bool(offsets[0] == 0 and offsets[-1] == end and (np.diff(offsets) >= least).all())


def _within(words: WordIds, size: int) -> bool:
    return words.dtype == np.int32 and words.ndim == 1 and bool(((words >= 0) & (words < size)).all())


def _scores(scores: Singles, shape: tuple[int, int]) -> bool:
    return scores.dtype == np.float32 and scores.shape == shape and bool(np.isfinite(scores).all())
