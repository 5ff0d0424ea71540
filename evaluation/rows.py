"""The rows behind a number of a report: the outputs that it was made from, with what each of them got.

A number is asked for by what its cell's `rows` say (`evaluation.tables.traced`). What is read here is what counts in
the report: the same judgements of the same texts, and the stored scores.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from corpora.models import Study
from evaluation.metrics import METRICS
from evaluation.models import MetricScore
from evaluation.recording import Read, count_judgements, read_study
from evaluation.recording.texts import StudyTexts, texts_of
from evaluation.statistics import STATISTICS
from evaluation.tables import RANK, Judged
from evaluation.tables._record import Units
from foundation.errors import UserError

Mask = NDArray[np.bool_]
NUMBERS = {"length": "words", "concepts": "concepts", "apart": "apart"}
NAMES = {"domain": "domains", "split": "splits", "section": "sections"}
ASKED = {"system", "metric", "criterion", "variant", "by", "low", "high", "direction", *NAMES}
VARIANTS = ("raw", "z", "filtered")


@dataclass(frozen=True)
class Row:
    """An output with its source and references; `score` is the metric's, or the mean of the `given` judgements (number
    of the rater, value); where outputs were ranked, the mean of its places, equal ones sharing the best."""

    unit: int
    source: str
    output: str
    references: Sequence[str]
    score: float | None
    given: Sequence[tuple[int, float]] = field(default_factory=tuple)


@dataclass(frozen=True)
class Behind:
    """The rows of a number, the lowest first; `value` is the number, and `mean` that of the rows or of all judgements.

    `many` is of how many rows or judgements `mean` is. They are equal where the number is a mean; else `value` is
    worked out over all rows together, as most corpus scores are.
    """

    rows: Sequence[Row]
    value: float | None
    mean: float | None
    many: int

    @property
    def is_mean(self) -> bool:
        return self.value is not None and self.mean is not None and math.isclose(self.value, self.mean, abs_tol=1e-9)


def rows_behind(study: Study, asked: Mapping[str, str]) -> Behind:
    """The rows of a study's number. UserError where nothing is asked for, or what is asked for is not there."""
    known = {key: value for key, value in asked.items() if key in ASKED}
    if bool(known.get("metric")) == bool(known.get("criterion")):
        raise UserError("Name a metric or a criterion, whose number it is.")
    apart = known.get("by") == "apart"
    return _scored(study, known, apart) if known.get("metric") else _judged(study, known, apart)


def _scored(study: Study, asked: Mapping[str, str], apart: bool) -> Behind:
    name = asked["metric"]
    if name not in METRICS:
        raise UserError(f"There is no metric '{name}'.", where="metric")
    stored = MetricScore.objects.filter(system__study=study, system__name=asked.get("system", ""), metric=name).first()
    if stored is None:
        raise UserError("There are no scores by sentence of it.", where="system")
    texts = texts_of(study, apart=apart)
    place = _place(texts, asked)
    at = {pk: unit for unit, pk in enumerate(texts.units.ids)}
    units = np.array([at.get(pk, -1) for pk in stored.sentence_ids], dtype=np.intp)
    kept = (units >= 0) & _where(texts.units, asked)[units]
    scores = np.array(stored.sentences, dtype=np.float64)
    rows = [_row(texts, place, units[one], _number(scores[one])) for one in np.flatnonzero(kept)]
    value = float(METRICS[name].corpus_of(stored.statistics[kept].sum(axis=0))) if kept.any() else math.nan
    there = scores[kept & ~np.isnan(scores)]
    return Behind(_sorted(rows), _number(value), float(there.mean()) if len(there) else None, len(there))


def _judged(study: Study, asked: Mapping[str, str], apart: bool) -> Behind:
    read = read_study(study, apart=apart)
    found = _criterion(study, read, asked)
    texts, place = read.texts, _place(read.texts, asked)
    kept = (found.system == place) & _where(texts.units, asked)[found.unit]
    units, raters, values = found.unit[kept], found.rater[kept], found.value[kept]
    order = np.argsort(units, kind="stable")
    starts = np.flatnonzero(np.diff(units[order], prepend=-1))
    ranks = _ranks(texts.units, found, place, _where(texts.units, asked)) if found.name == RANK else {}
    rows = [
        _row(
            texts, place, units[at[0]], ranks.get(int(texts.units.home[units[at[0]]]), float(values[at].mean())),
            [(int(raters[one]) + 1, float(values[one])) for one in at],
        )
        for at in np.split(order, starts[1:])
        if len(at)
    ]  # fmt: skip
    mean = float(values.mean()) if len(values) else None
    if ranks:
        mean = float(np.mean(list(ranks.values())))
    return Behind(_sorted(rows), mean, mean, len(ranks) or len(values))


def _criterion(study: Study, read: Read, asked: Mapping[str, str]) -> Judged:
    variant = asked.get("variant", "raw")
    if variant not in VARIANTS:
        raise UserError(f"Expected one of {', '.join(VARIANTS)}.", where="variant")
    judgements = count_judgements(study, read).judgements[variant]  # type: ignore[index]
    if asked["criterion"] not in judgements:
        raise UserError(f"Nobody judged '{asked['criterion']}'.", where="criterion")
    return judgements[asked["criterion"]]


def _ranks(units: Units, judged: Judged, place: int, where: Mask) -> Mapping[int, float]:
    """By source the mean of its judges' places of the system, as the report works ranks out: among all systems."""
    at = where[judged.unit]
    homes = units.home[judged.unit[at]]
    found = STATISTICS["mean_rank"].by_sentence(homes, judged.rater[at], judged.system[at], judged.value[at])
    sources, means = found.get(place, ((), ()))
    return {int(source): float(mean) for source, mean in zip(sources, means, strict=True)}


def _place(texts: StudyTexts, asked: Mapping[str, str]) -> int:
    names = [row.name for row in texts.rows]
    if asked.get("system") not in names:
        raise UserError(f"There is no system '{asked.get('system', '')}'.", where="system")
    return names.index(asked["system"])


def _where(units: Units, asked: Mapping[str, str]) -> Mask:
    """The units that the number is about."""
    found = np.ones(len(units.ids), dtype=bool)
    for key, column in NAMES.items():
        if asked.get(key):
            found &= np.array(getattr(units, column), dtype=object) == asked[key]
    if asked.get("direction"):
        found &= units.direction == _read(asked, "direction", 0)
    if asked.get("by") in NUMBERS:
        values = getattr(units, NUMBERS[asked["by"]])
        found &= (values >= _read(asked, "low", -math.inf)) & (values < _read(asked, "high", math.inf))
    return found


def _read(asked: Mapping[str, str], key: str, without: float) -> float:
    try:
        return float(asked[key]) if asked.get(key) else without
    except ValueError:
        raise UserError("Expected a number.", where=key) from None


def _row(texts: StudyTexts, place: int, unit: int, score: float | None, given: Sequence[tuple[int, float]] = ()) -> Row:
    units, outputs = texts.units, texts.rows[place].outputs
    return Row(int(unit), units.sources[unit], outputs[unit] or "", units.references[unit], score, given)


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _sorted(rows: list[Row]) -> list[Row]:
    """The lowest first, those without a score last."""
    return sorted(rows, key=lambda row: (row.score is None, row.score or 0.0, row.unit))
