"""The rows behind a number of a report: the outputs that it was made from, with what each of them got.

A number is asked for by what its cell's `rows` say (`evaluation.table_parts.cells.traced`). What is read here is what
counts in the report: the same judgements of the same texts, and the stored scores.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from corpora.models import Study
from evaluation.drilldown.unit_filter import (
    ASKED,
    Mask,
    described_units,
    is_report_split,
    units_asked_for,
    within_report_split,
)
from evaluation.metrics import METRICS
from evaluation.models import FoilScore, MetricScore, ReportChoice
from evaluation.snapshot.judgements import RANK, UNORDERED, CriterionJudgements
from evaluation.snapshot.units import Units
from evaluation.snapshot_builder.build import StudyReading, count_judgements, read_study
from evaluation.snapshot_builder.texts import StudyTexts, texts_of
from evaluation.snapshot_builder.variants import VARIANTS
from evaluation.statistics import STATISTICS
from foundation.errors import UserError

Places = NDArray[np.intp]


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
class NumberRows:
    """The rows of a number, the lowest first; `value` is the number, and `mean` that of the rows.

    `label` is the metric's or criterion's, `where` says which of the study's units it is about, if not all, and
    `judged` whether people gave it. `mean` is that of the rows; `many` are they, or the judgements of them all: none
    where only the score of the whole is kept. Value and mean are equal where the number is a mean; else `value` is
    worked out over all rows together, as most corpus scores are.
    """

    system: str
    label: str
    where: Sequence[str]
    judged: bool
    rows: Sequence[Row]
    value: float | None
    mean: float | None
    many: int

    @property
    def is_mean(self) -> bool:
        return self.value is not None and self.mean is not None and math.isclose(self.value, self.mean, abs_tol=1e-9)


def rows_behind(study: Study, asked: Mapping[str, str]) -> NumberRows:
    """The rows of a study's number. UserError where nothing is asked for, or what is asked for is not there."""
    known = {key: value for key, value in asked.items() if key in ASKED}
    if bool(known.get("metric")) == bool(known.get("criterion")):
        raise UserError("Name a metric or a criterion, whose number it is.")
    if known.get("variant", "raw") not in VARIANTS:
        raise UserError("Expected one of {variants}.", variants=", ".join(VARIANTS), where="variant")
    apart = known.get("by") == "apart"
    return _scored(study, known, apart) if known.get("metric") else _judged(study, known, apart)


def _scored(study: Study, asked: Mapping[str, str], apart: bool) -> NumberRows:
    name = asked["metric"]
    if name not in METRICS:
        raise UserError("There is no metric '{name}'.", name=name, where="metric")
    systems = {system.name: system.pk for system in study.systems.all()}
    stored = MetricScore.objects.filter(system=systems.get(asked.get("system", "")), metric=name).first()
    if stored is None:
        return _whole(study, asked, apart)
    texts = texts_of(study, apart=apart)
    place = _place(texts, asked)
    unit_of = {pk: unit for unit, pk in enumerate(texts.units.ids)}
    units = np.array([unit_of.get(pk, -1) for pk in stored.sentence_ids], dtype=np.intp)
    asked = within_report_split(study, texts, asked)
    inside = (units >= 0) & units_asked_for(texts.units, asked)[units]
    scores = np.array(stored.sentences, dtype=np.float64)
    rows = [_row(texts, place, units[row], _number(scores[row])) for row in np.flatnonzero(inside)]
    scored = scores[inside & ~np.isnan(scores)]
    mean = float(scored.mean()) if len(scored) else None
    pooled = stored.sufficient_statistics[inside].sum(axis=0)
    value = float(METRICS[name].corpus_of(pooled)) if inside.any() else math.nan
    value = value if mean is None or not asked.get("mean") else mean
    return _behind(texts, asked, METRICS[name].label, rows, _number(value), mean, len(scored))


def _whole(study: Study, asked: Mapping[str, str], apart: bool) -> NumberRows:
    """Of the source and the reference only the score of the whole is kept."""
    texts, name = read_study(study, apart=apart).texts, asked["metric"]
    place = _place(texts, asked)
    stored = FoilScore.objects.filter(study=study, foil=texts.rows[place].role, metric=name).first()
    if stored is None:
        raise UserError("There are no scores of it.", where="metric")
    asked = within_report_split(study, texts, asked)
    inside = units_asked_for(texts.units, asked)
    written = [unit for unit, text in enumerate(texts.rows[place].outputs) if text is not None and inside[unit]]
    rows = [_row(texts, place, unit, None) for unit in written]
    value = stored.corpus if is_report_split(texts, asked, inside) else None
    return _behind(texts, asked, METRICS[name].label, rows, value, None, 0)


def _judged(study: Study, asked: Mapping[str, str], apart: bool) -> NumberRows:
    read = read_study(study, apart=apart)
    judgements = _criterion(study, read, asked)
    texts, place = read.texts, _place(read.texts, asked)
    asked = within_report_split(study, texts, asked)
    inside = units_asked_for(texts.units, asked)
    counted_rows = (judgements.system == place) & inside[judgements.unit]
    units, raters, values = (
        judgements.unit[counted_rows],
        judgements.rater[counted_rows],
        judgements.value[counted_rows],
    )
    ranks = _ranks(texts.units, judgements, place, inside) if judgements.name == RANK else {}
    rows = []
    for indices in _runs(units):
        given = [(int(raters[index]) + 1, float(values[index])) for index in indices]
        score = ranks.get(int(texts.units.home[units[indices[0]]]), float(values[indices].mean()))
        rows.append(_row(texts, place, units[indices[0]], score, given))
    counted = list(ranks.values()) if ranks else [row.score for row in rows if row.score is not None]
    if not ranks and ReportChoice.objects.filter(study=study, averaging="judgement").exists():
        counted = values.tolist()
    mean = float(np.mean(counted)) if counted else None
    return _behind(texts, asked, judgements.label, rows, mean, mean, len(ranks) or len(values))


def _runs(units: Places) -> list[Places]:
    """Where each unit stands among the judgements."""
    order = np.argsort(units, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(units[order])) + 1) if len(units) else []


def _behind(
    texts: StudyTexts, asked: Mapping[str, str], label: str, rows: list[Row], value: float | None, mean: float | None,
    many: int,
) -> NumberRows:  # fmt: skip
    judged = "criterion" in asked
    return NumberRows(
        asked["system"], label, list(described_units(texts.units, asked)), judged, _sorted(rows), value, mean, many
    )


def _criterion(study: Study, read: StudyReading, asked: Mapping[str, str]) -> CriterionJudgements:
    counted = count_judgements(study, read)
    judgements = counted.judgements[asked.get("variant", "raw")]  # type: ignore[index]
    if asked["criterion"] in counted.unordered:
        raise UserError(UNORDERED, where="criterion")
    if asked["criterion"] not in judgements:
        raise UserError("Nobody judged '{criterion}'.", criterion=asked["criterion"], where="criterion")
    return judgements[asked["criterion"]]


def _ranks(units: Units, judged: CriterionJudgements, place: int, where: Mask) -> Mapping[int, float]:
    """By source the mean of its judges' places of the system, as the report works ranks out: among all systems."""
    inside = where[judged.unit]
    homes = units.home[judged.unit[inside]]
    by_system = STATISTICS["mean_rank"].by_sentence(
        homes, judged.rater[inside], judged.system[inside], judged.value[inside]
    )
    sources, means = by_system.get(place, ((), ()))
    return {int(source): float(mean) for source, mean in zip(sources, means, strict=True)}


def _place(texts: StudyTexts, asked: Mapping[str, str]) -> int:
    names = [row.name for row in texts.rows]
    if asked.get("system") not in names:
        raise UserError("There is no system '{asked}'.", asked=asked.get("system", ""), where="system")
    return names.index(asked["system"])


def _row(texts: StudyTexts, place: int, unit: int, score: float | None, given: Sequence[tuple[int, float]] = ()) -> Row:
    units, outputs = texts.units, texts.rows[place].outputs
    return Row(int(unit), units.sources[unit], outputs[unit] or "", units.references[unit], score, given)


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _sorted(rows: list[Row]) -> list[Row]:
    """The lowest first, those without a score last."""
    return sorted(rows, key=lambda row: (row.score is None, row.score or 0.0, row.unit))
