"""Systems, and what metrics gave their outputs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.snapshot.arrays import Floats


@dataclass(frozen=True)
class SystemRow:
    """A system; `family` is its own name where it belongs to none. `outputs` (n) are None where it has none.

    Where people judged the source or a reference beside the systems, these have rows too, the last ones; their `role`
    says so. They compete with nobody, and their scores have no `sentences` and `rows`.
    """

    name: str
    family: str
    seed: int | None
    options: Mapping[str, Any]
    is_human: bool
    outputs: Sequence[str | None]
    role: Literal["system", "source", "reference"] = "system"


@dataclass(frozen=True)
class ScoredOutputs:
    """A metric's numbers for one system, or for a degenerate baseline (then without `sentences` and `rows`).

    `sentences` (n) by unit, NaN where it has none; `rows` (n, k) are the parts of the sums that `corpus_of` takes,
    zeros for units that were not scored; `there` (n) says which were.
    """

    corpus: float | None
    undefined: str
    signature: str
    details: Mapping[str, float]
    sentences: Floats
    rows: Floats
    corpus_of: Callable[[Floats], Floats]
    there: NDArray[np.bool_]


@dataclass(frozen=True)
class DirectedMetric:
    """A metric as a snapshot holds it: the metric's `name`, and the place of its `direction` (None: all of them).

    `better` is True where high is good there, False where low is, None where neither end is.
    """

    name: str
    better: bool | None
    direction: int | None = None
