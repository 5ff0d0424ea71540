"""Sentinels: predictors of judgements that see the source, the output or the reference alone.

None of them can know how good an output is for its source. One that agrees with people shows that the test set leaks:
a metric may agree with them for the same reason. They are ridge regressions on the characters of a text, each fitted
on judgements of other sources (Perrella et al. 2024, "Guardians of the Machine Translation Meta-Evaluation").
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from evaluation.correlation import correlate_all
from evaluation.learned_scorers.cross_fitting import fold_of
from evaluation.numerics import Floats
from evaluation.resampling import Bootstrap
from evaluation.snapshot import Places, StudySnapshot
from evaluation.statistics import STATISTICS
from foundation.seeds import generator

Json = dict[str, Any]
Kept: TypeAlias = "dict[tuple[tuple[str, ...], bytes], Predictor]"  # by texts and their folds
SEES = ("source", "output", "reference")
FEWEST_SOURCES = 30
MOST = 1_000  # outputs that are predicted; of more, whole sources are drawn
FEATURES, PENALTY = 2**12, 1.0
OF_THE_OUTPUT = frozenset({"fluency", "style", "simplicity"})
"""Aspects that the output alone shows: to predict them from it is no leak."""


def sentinels(
    snapshot: StudySnapshot, aspect: str, points: tuple[Places, Places], human: Floats, bootstrap: Bootstrap,
    kept: "Kept | None" = None,
) -> list[Json]:  # fmt: skip
    """How far each sentinel agrees with people.

    Args:
        snapshot: The study.
        aspect: What the judgements are of.
        points: Judged outputs, by system and unit, (p,) both.
        human: float64 (p,), their judgements.
        bootstrap: The samples of the report.
        kept: Predictors that further criteria of the study share, where they judge the same outputs.

    Returns:
        For each what it `sees`, its correlation over the outputs, and whether it shows a leak.
    """
    chosen = _drawn(snapshot, points[1])
    systems, units, values = points[0][chosen], points[1][chosen], human[chosen]
    homes = snapshot.units.home[units]
    rows = []
    for sees in SEES:
        texts = _texts(snapshot, sees, systems, units)
        found = _agreement(texts, values, homes, snapshot, bootstrap, kept if kept is not None else {})
        leaks = found["low"] is not None and found["low"] > 0 and not (sees == "output" and aspect in OF_THE_OUTPUT)
        rows.append({"sees": sees, **found, "leaks": leaks})
    return rows


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
    kept: Kept,
) -> Json:  # fmt: skip
    here = np.array([text is not None for text in texts], dtype=bool)
    sources = np.unique(homes[here])
    nothing: Json = {"value": None, "low": None, "high": None, "p": None, "n": int(here.sum())}
    if len(sources) < FEWEST_SOURCES:
        why = f"It needs judgements of {FEWEST_SOURCES} sources or more with such a text, and there are {len(sources)}."
        return {**nothing, "undefined": why}
    folds = np.array([fold_of(snapshot.units.sources[home]) for home in homes[here]])
    seen = tuple(text for text in texts if text is not None)
    predictor = kept.get((seen, folds.tobytes())) or kept.setdefault((seen, folds.tobytes()), Predictor(seen, folds))
    predicted = predictor.predict(values[here])
    method: Mapping[str, Any] = {"pearson": STATISTICS["pearson"]}
    found = vars(correlate_all({"": predicted}, {"": values[here]}, homes[here], method, bootstrap)["", "", "pearson"])
    return {key: found[key] for key in (*nothing, "undefined")}


class Predictor:
    """Predicts each text's value by a ridge regression that was fitted on the texts of the other folds.

    A prediction is a sum of the others' values, weighted by what the texts alone say: whatever is judged, it is
    worked out once.
    """

    def __init__(self, texts: Sequence[str], folds: Places) -> None:
        """The n texts, and the fold of each (n,)."""
        self._folds = folds
        self._weights = np.zeros((len(texts), len(texts)))
        kernel = _kernel(texts)
        for inside, outside in self._parts():
            if outside.any():
                part = kernel[np.ix_(outside, outside)] + PENALTY * np.eye(int(outside.sum()))
                self._weights[np.ix_(inside, outside)] = np.linalg.solve(part, kernel[np.ix_(outside, inside)]).T

    def predict(self, values: Floats) -> Floats:
        """The values (n,) as they are predicted by those of other folds."""
        predicted = np.empty(len(values))
        for inside, outside in self._parts():
            if not outside.any():
                return np.full(len(values), values.mean())
            middle = values[outside].mean()
            predicted[inside] = middle + self._weights[np.ix_(inside, outside)] @ (values[outside] - middle)
        return predicted

    def _parts(self) -> list[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
        return [(self._folds == fold, self._folds != fold) for fold in np.unique(self._folds)]


def _kernel(texts: Sequence[str]) -> Floats:
    """How alike the texts are, (n, n); each different one is looked at once."""
    from sklearn.feature_extraction.text import HashingVectorizer

    different = list(dict.fromkeys(texts))
    place = {text: at for at, text in enumerate(different)}
    vectors = HashingVectorizer(analyzer="char_wb", ngram_range=(1, 3), n_features=FEATURES, alternate_sign=False)
    features = vectors.transform(different)
    at = np.array([place[text] for text in texts])
    length = np.log1p([len(text) for text in texts])
    length = (length - length.mean()) / (length.std() or 1.0)
    return np.asarray((features @ features.T).toarray()[np.ix_(at, at)] + 0.1 * np.outer(length, length))
