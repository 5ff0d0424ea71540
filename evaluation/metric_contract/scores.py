"""What a metric computes, and what is stored of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CONTRACT = 4
"""The version of what `Scores` hold: raise it where that changes, so that stored scores are computed again."""


@dataclass(frozen=True)
class Scores:
    """The scores of a system's n outputs.

    Attributes:
        corpus: The score of the whole; None where there is none.
        sentences: float64 (n,), the score of each sentence, in the order of the input; NaN where it has none.
        details: Further numbers of the whole, such as precisions and lengths.
        signature: All that it takes to compute the scores again.
        sufficient_statistics: float64 (n, k), each sentence's part in the k sums that the metric's `corpus_of` takes.
        undefined: Why there is no corpus score, in one sentence.
    """

    corpus: float | None
    sentences: Floats
    details: dict[str, float]
    signature: str
    sufficient_statistics: Floats
    undefined: str = ""


@dataclass(frozen=True)
class Result:
    """What a metric computes of n sentences.

    Attributes:
        sentences: float64 (n,), NaN where a sentence has no score.
        details: Further numbers of the whole.
        sufficient_statistics: float64 (n, k), whose sums `corpus_of` takes; without them the corpus score is the mean
            of the sentences that have a score.
        undefined: Why there is no corpus score, in one sentence.
    """

    sentences: Floats
    details: Mapping[str, float] = field(default_factory=dict)
    sufficient_statistics: Floats | None = None
    undefined: str = ""
