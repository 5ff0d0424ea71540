"""The bias card of a judge: whether length, position, its own outputs or style alone win it over, and its calibration.

Wang et al. 2023, Large Language Models are not Fair Evaluators (position); Zheng et al. 2023, Judging LLM-as-a-Judge
(length, position, own outputs); Panickssery et al. 2024 (own outputs). Intervals are 95% percentiles of 1,000 bootstrap
samples of sources, so the outputs of a source go together.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.llm_judge.judging import Cell, Judged
from foundation.seeds import generator

DRAWS = 1000
FEWEST = 10  # outputs, or pairs, below which a number would say nothing
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Finding:
    """A number with its interval and its n; `undefined` says why there is none."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    undefined: str = ""


def none(why: str, n: int = 0) -> Finding:
    return Finding(undefined=why, n=n)


@dataclass(frozen=True)
class Outputs:
    """The judged outputs, a row each: its `unit`, the `judge`'s score, the `people`'s mean (NaN: none), both
    so that more is better; its `length` in characters, and whether the judge's own model wrote it (`own`)."""

    unit: NDArray[np.int64]
    judge: Floats
    people: Floats
    length: Floats
    own: NDArray[np.bool_]

    def of(self, rows: NDArray[Any]) -> "Outputs":
        return Outputs(self.unit[rows], self.judge[rows], self.people[rows], self.length[rows], self.own[rows])


def card_of(outputs: Outputs, pairs: Judged | None, contrast: Mapping[str, Floats], seed: int) -> dict[str, Any]:
    """The findings by name, as they are stored. `contrast` holds the judge's scores of degenerate outputs by kind."""
    both = outputs.of(~np.isnan(outputs.people))
    return {
        "agreement": asdict(_over_sources(both, _agreement, seed)),
        "length": asdict(_over_sources(both, _length, seed)),
        "own": asdict(_own(both, seed)),
        "offset": asdict(_over_sources(both, _offset, seed)) if pairs is None else asdict(none("pairs have no scale")),
        "slope": asdict(_over_sources(both, _slope, seed)),
        "position": asdict(_position(pairs, seed) if pairs else none("only pairs have an order")),
        "first": asdict(_first(pairs, seed) if pairs else none("only pairs have an order")),
        "contrast": {name: asdict(_mean(values, seed)) for name, values in contrast.items()},
    }


def _over_sources(outputs: Outputs, number: Callable[[Outputs], float], seed: int) -> Finding:
    """A number of the outputs that people judged, with its bootstrap interval over sources."""
    n = len(outputs.unit)
    if n < FEWEST:
        return none("people judged fewer than 10 of these outputs", n)
    value = number(outputs)
    if np.isnan(value):
        return none("one of the two does not vary", n)
    units, places = np.unique(outputs.unit, return_inverse=True)
    rows = [np.flatnonzero(places == place) for place in range(len(units))]
    draws = []
    for drawn in generator(seed, "bias card").integers(0, len(units), (DRAWS, len(units))):
        draws.append(number(outputs.of(np.concatenate([rows[place] for place in drawn]))))
    low, high = np.nanquantile(draws, (0.025, 0.975))
    return Finding(float(value), float(low), float(high), n)


def _correlation(x: Floats, y: Floats) -> float:
    """Pearson's; NaN where one does not vary."""
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(np.corrcoef(x, y)[0, 1])


def _agreement(outputs: Outputs) -> float:
    return _correlation(outputs.judge, outputs.people)


def _length(outputs: Outputs) -> float:
    """The partial correlation of the judge's score with the length of the output, given the people's mean."""
    ones = np.column_stack([np.ones_like(outputs.people), outputs.people])
    left = [one - ones @ np.linalg.lstsq(ones, one, rcond=None)[0] for one in (outputs.judge, np.log1p(outputs.length))]
    return _correlation(*left) if all(np.std(one) > 1e-12 for one in left) else float("nan")


def _offset(outputs: Outputs) -> float:
    """The judge's score minus the people's, in steps of the scale."""
    return float(np.mean(outputs.judge - outputs.people))


def _slope(outputs: Outputs) -> float:
    """By how much the people's mean rises with the judge's score: 1 if it is calibrated, below where it exaggerates."""
    variance = np.var(outputs.judge)
    centred = outputs.people - outputs.people.mean()
    return float(np.mean((outputs.judge - outputs.judge.mean()) * centred) / variance) if variance else float("nan")


def _own(outputs: Outputs, seed: int) -> Finding:
    """How much further above the people the judge stands on its own outputs than on those of others."""
    if not outputs.own.any() or outputs.own.all():
        return none("no system is known to be the judge's own model", int(outputs.own.sum()))

    def gap(some: Outputs) -> float:
        above = some.judge - some.people
        if not some.own.any() or some.own.all():
            return float("nan")
        return float(above[some.own].mean() - above[~some.own].mean())

    return _over_sources(outputs, gap, seed)


def _orders(judged: Judged) -> list[tuple[float, float]]:
    """The share of each pair's win that its first output got when it stood first, and when it stood second."""
    seen = set[frozenset[Cell]]()
    found = []
    for (one, other), value in judged.values.items():
        turned = judged.values.get((other, one))
        if turned is not None and frozenset((one, other)) not in seen:
            seen.add(frozenset((one, other)))
            found.append((value, 1 - turned))
    return found


def _position(judged: Judged, seed: int) -> Finding:
    """The share of pairs of which the judge prefers the other output when they change places."""
    return _mean(np.array([float(abs(one - other) > 0.5) for one, other in _orders(judged)]), seed)


def _first(judged: Judged, seed: int) -> Finding:
    """The share of the wins that go to the output that stands first: 0.5 without a bias of position."""
    return _mean(np.array([(one + 1 - other) / 2 for one, other in _orders(judged)]), seed)


def _mean(values: Floats, seed: int) -> Finding:
    """A mean with its bootstrap interval."""
    n = len(values)
    if n < FEWEST:
        return none("there are fewer than 10 of them", n)
    draws = values[generator(seed, "bias card").integers(0, n, (DRAWS, n))].mean(axis=1)
    low, high = np.quantile(draws, (0.025, 0.975))
    return Finding(float(values.mean()), float(low), float(high), n)


def contrast_scores(scores: Mapping[Cell, float], names: Sequence[str]) -> dict[str, Floats]:
    """The judge's scores of each kind of degenerate output."""
    return {name: np.array([value for (kind, _), value in scores.items() if kind == name]) for name in names}
