"""Sentinels: predictors of judgements that see the source, the output or the reference alone.

None of them can know how good an output is for its source. One that agrees with people shows that the test set leaks:
a metric may agree with them for the same reason. They are ridge regressions on the characters of a text, each fitted
on judgements of other sources (Perrella et al. 2024, "Guardians of the Machine Translation Meta-Evaluation").
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from evaluation.correlation import correlate_all
from evaluation.learned_scorers.cross_fitting import fold_of
from evaluation.numerics import Floats
from evaluation.reporting.kept_parts import KeptParts
from evaluation.resampling import Bootstrap
from evaluation.snapshot import Places, StudySnapshot
from evaluation.statistics import STATISTICS
from foundation.lazy_import import lazy_import
from foundation.seeds import generator

linalg = lazy_import("scipy.linalg")

Json = dict[str, Any]
Predictors: TypeAlias = "dict[tuple[tuple[str, ...], bytes], Predictor]"  # by texts and their folds
SEES = ("source", "output", "reference")
FEWEST_SOURCES = 30
MOST = 1_000  # outputs that are predicted; of more, whole sources are drawn
FEATURES, PENALTY = 2**12, 1.0
ALIKE = 1e-9  # the deviation of logarithms of lengths that are the same but for rounding
OF_THE_OUTPUT = frozenset({"fluency", "style", "simplicity"})
"""Aspects that the output alone shows: to predict them from it is no leak."""


def sentinels(
    snapshot: StudySnapshot, aspect: str, points: tuple[Places, Places], human: Floats, bootstrap: Bootstrap,
    predictors: "Predictors", kept: KeptParts,
) -> list[Json]:  # fmt: skip
    """How far each sentinel agrees with people.

    Args:
        snapshot: The study.
        aspect: What the judgements are of.
        points: Judged outputs, by system and unit, (p,) both.
        human: float64 (p,), their judgements.
        bootstrap: The samples of the report.
        predictors: Shared by criteria of the same outputs.
        kept: Of earlier reports.

    Returns:
        For each what it `sees`, its correlation over the outputs, and whether it shows a leak.
    """
    chosen = _drawn(snapshot, points[1])
    systems, units, values = points[0][chosen], points[1][chosen], human[chosen]
    homes = snapshot.units.home[units]
    texts = {sees: _texts(snapshot, sees, systems, units) for sees in SEES}
    of_homes = [snapshot.units.sources[home] for home in np.unique(homes)]

    def made() -> list[Json]:
        found = {sees: _agreement(texts[sees], values, homes, snapshot, bootstrap, predictors) for sees in SEES}
        return [_row(aspect, sees, agreement) for sees, agreement in found.items()]

    rows: list[Json] = kept.of("sentinels", [aspect, texts, of_homes, values, homes, bootstrap], made)
    return rows


def _row(aspect: str, sees: str, found: Json) -> Json:
    leaks = found["low"] is not None and found["low"] > 0 and not (sees == "output" and aspect in OF_THE_OUTPUT)
    return {"sees": sees, **found, "leaks": leaks}


def _drawn(snapshot: StudySnapshot, units: Places) -> Places:
    """The places of the outputs of sources in a drawn order, as long as there are at most MOST."""
    homes, column = np.unique(snapshot.units.home[units], return_inverse=True)
    order = generator(snapshot.seed, "sentinels", len(homes)).permutation(len(homes))
    upto = np.searchsorted(np.cumsum(np.bincount(column)[order]), MOST, side="right") if len(units) else 0
    return np.flatnonzero(np.isin(column, order[:upto]))


def _texts(snapshot: StudySnapshot, sees: str, systems: Places, units: Places) -> list[str | None]:
    if sees == "source":
        return [snapshot.units.sources[unit] for unit in units]
    if sees == "output":
        return [snapshot.systems[system].outputs[unit] for system, unit in zip(systems, units, strict=True)]
    return [next(iter(snapshot.units.references[unit]), None) for unit in units]


def _agreement(
    texts: Sequence[str | None], values: Floats, homes: Places, snapshot: StudySnapshot, bootstrap: Bootstrap,
    predictors: Predictors,
) -> Json:  # fmt: skip
    here = np.array([text is not None for text in texts], dtype=bool)
    sources = np.unique(homes[here])
    nothing: Json = {"value": None, "low": None, "high": None, "p": None, "n": int(here.sum())}
    if len(sources) < FEWEST_SOURCES:
        why = f"It needs judgements of {FEWEST_SOURCES} sources or more with such a text, and there are {len(sources)}."
        return {**nothing, "undefined": why}
    fold_by_home = {home: fold_of(snapshot.units.sources[home]) for home in sources}
    folds = np.array([fold_by_home[home] for home in homes[here]])
    seen = tuple(text for text in texts if text is not None)
    key = seen, folds.tobytes()
    predictor = predictors.get(key) or predictors.setdefault(key, Predictor(seen, folds))
    predicted = predictor.predict(values[here])
    method: Mapping[str, Any] = {"pearson": STATISTICS["pearson"]}
    found = vars(correlate_all({"": predicted}, {"": values[here]}, homes[here], method, bootstrap)["", "", "pearson"])
    return {key: found[key] for key in (*nothing, "undefined")}


class Predictor:
    """Predicts each text's value by a ridge regression that was fitted on the texts of the other folds.

    Equal texts of a fold are one with the mean of their values, which as many judgements of it make so much the surer.
    The roots are of texts alone: all criteria share them.
    """

    def __init__(self, texts: Sequence[str], folds: Places) -> None:
        """The n texts, and the fold of each (n,)."""
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        at = np.array([places[text] for text in texts], dtype=np.intp)
        names, fold = np.unique(folds, return_inverse=True)
        cells, self._cell, self._counts = np.unique(at * len(names) + fold, return_inverse=True, return_counts=True)
        chosen, self._folds = np.divmod(cells, len(names))
        self._kernel = _kernel(list(places), np.bincount(at))[np.ix_(chosen, chosen)]
        _ = linalg.cho_factor  # what is loaded later has threads of its own
        with threadpool_limits(1):
            self._roots = [self._root(self._folds != name) for name in range(len(names))]

    def _root(self, outside: NDArray[np.bool_]) -> Any:
        """Cholesky's of the texts of the other folds."""
        part = self._kernel[np.ix_(outside, outside)]
        part[np.diag_indices_from(part)] += PENALTY / self._counts[outside]
        return linalg.cho_factor(part, lower=True, overwrite_a=True, check_finite=False) if outside.any() else None

    def predict(self, values: Floats) -> Floats:
        """The values (n,) as they are predicted by those of other folds."""
        means = np.bincount(self._cell, values) / self._counts
        predicted = np.empty(len(means))
        for name, root in enumerate(self._roots):
            if root is None:
                return np.full(len(values), values.mean())
            inside, outside = self._folds == name, self._folds != name
            middle = float(values[outside[self._cell]].mean())
            weights = linalg.cho_solve(root, means[outside] - middle, check_finite=False)
            predicted[inside] = middle + self._kernel[np.ix_(inside, outside)] @ weights
        return predicted[self._cell]


def _kernel(texts: Sequence[str], counts: Places) -> Floats:
    """How alike different texts are, (n, n); `counts` (n,) says how often each is there.

    The characters of a word are looked at once, and a text is the sum of its words.
    """
    from scipy.sparse import csr_array
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.preprocessing import normalize

    places: dict[str, int] = {}
    words = [[places.setdefault(word, len(places)) for word in text.lower().split()] for text in texts]
    ends = np.cumsum([0, *map(len, words)])
    held = csr_array((np.ones(ends[-1]), np.concatenate(words).astype(np.intp), ends), (len(texts), len(places)))
    vectors = HashingVectorizer(
        analyzer="char_wb", ngram_range=(1, 3), n_features=FEATURES, alternate_sign=False, norm=None, lowercase=False
    )
    features = normalize(held @ vectors.transform(list(places))) if places else csr_array((len(texts), FEATURES))
    length = np.log1p([len(text) for text in texts])
    length = length - np.average(length, weights=counts)
    spread = float(np.sqrt(np.average(length**2, weights=counts)))
    length = length / spread if spread > ALIKE else np.zeros(len(texts))
    return np.asarray((features @ features.T).toarray() + 0.1 * np.outer(length, length))
