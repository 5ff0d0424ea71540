"""The outputs, with their scores and judgements, behind one number of a report."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from numpy.typing import NDArray

from corpora.models import Study
from evaluation.comparability.report_split import split_of
from evaluation.imported_metrics import is_metric, metric_of
from evaluation.models import BaselineScore, MetricScore, ReportChoice
from evaluation.snapshot import UNORDERED, CriterionJudgements, Units
from evaluation.snapshot_builder.build import StudyReading, count_judgements, read_study
from evaluation.snapshot_builder.judgements import VARIANTS, JudgementTable
from evaluation.snapshot_builder.texts import StudyTexts, texts_of
from evaluation.statistics import named
from evaluation.statistics.mean_rank import RankStatistic
from foundation.errors import UserError

# The rows behind a number of a report: the outputs that it was made from, each with its score or judgements.
#
# A number is asked for by its cell's `rows` (`evaluation.table_parts.contents.traced`). The judgements and texts read
# here are those that count in the report, with the stored scores.

Mask = NDArray[np.bool_]
NUMBERS = {"length": "words", "concepts": "concepts", "apart": "apart"}
NAMES = {"domain": "domains", "split": "splits", "section": "sections"}
ASKED = {"system", "metric", "criterion", "variant", "by", "low", "high", "direction", "mean", *NAMES}
WORDS = {
    "domain": gettext_noop("domain"), "split": gettext_noop("split"), "section": gettext_noop("section"),
    "length": gettext_noop("words"), "concepts": gettext_noop("concepts"), "apart": gettext_noop("edit distance"),
    "low": gettext_noop("from"), "high": gettext_noop("below"),
}  # fmt: skip
"""What a page calls the part of a study that a number is about."""


def units_asked_for(units: Units, asked: Mapping[str, str]) -> Mask:
    """The units that the number is about."""
    inside = np.ones(len(units.ids), dtype=bool)
    for key, column in NAMES.items():
        if asked.get(key):
            inside &= np.array(getattr(units, column), dtype=object) == asked[key]
    if asked.get("direction"):
        place = _read(asked, "direction", 0)
        if place not in range(len(units.directions)):
            raise UserError("There is no such direction.", where="direction")
        inside &= units.direction == place
    if asked.get("by") in NUMBERS:
        values = getattr(units, NUMBERS[asked["by"]])
        inside &= (values >= _read(asked, "low", -math.inf)) & (values < _read(asked, "high", math.inf))
    return inside


def within_report_split(study: Study, texts: StudyTexts, asked: Mapping[str, str]) -> Mapping[str, str]:
    """The request, in the split of the report where it names none."""
    choice = ReportChoice.objects.filter(study=study).first() or ReportChoice(study=study)
    split = split_of(choice.split, texts.units.splits, texts.rows[: len(texts.systems)])
    whole = not split or all(unit_split == split for unit_split in texts.units.splits)
    return asked if whole or "split" in asked else {**asked, "split": split}


def is_report_split(texts: StudyTexts, asked: Mapping[str, str], inside: Mask) -> bool:
    """Whether these are the units of which the score of the whole is kept: those of the report's split."""
    return bool((inside == units_asked_for(texts.units, {"split": asked.get("split", "")})).all())


def described_units(units: Units, asked: Mapping[str, str]) -> Iterator[str]:
    """The units that a number is about, in words."""
    if asked.get("direction"):
        source, target = units.directions[int(_read(asked, "direction", 0))]
        yield _("%(source)s to %(target)s") % {"source": source, "target": target}
    for key in NAMES:
        if asked.get(key):
            yield f"{_(WORDS[key])} {asked[key]}"
    if asked.get("by") in NUMBERS:
        ends = [f"{_(WORDS[key])} {asked[key]}" for key in ("low", "high") if asked.get(key)]
        yield " ".join([_(WORDS[asked["by"]]), *ends])
    if asked.get("variant", "raw") != "raw":
        yield str(VARIANTS[asked["variant"]])  # type: ignore[index]


def _read(asked: Mapping[str, str], key: str, without: float) -> float:
    try:
        return float(asked[key]) if asked.get(key) else without
    except ValueError:
        raise UserError("Expected a number.", where=key) from None


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
    worked out over all rows together, as most corpus scores are. `undefined` says why a metric has no value.
    """

    system: str
    label: str
    where: Sequence[str]
    judged: bool
    rows: Sequence[Row]
    value: float | None
    mean: float | None
    many: int
    undefined: str = ""

    @property
    def is_mean(self) -> bool:
        return self.value is not None and self.mean is not None and math.isclose(self.value, self.mean, abs_tol=1e-9)


def rows_behind(study: Study, asked: Mapping[str, str]) -> NumberRows:
    """The rows of a study's number. UserError if nothing is asked for, or the thing asked for is not there."""
    known = {key: value for key, value in asked.items() if key in ASKED}
    if bool(known.get("metric")) == bool(known.get("criterion")):
        raise UserError("Name the metric or the criterion of the number.")
    if known.get("variant", "raw") not in VARIANTS:
        raise UserError("Expected one of {variants}.", variants=", ".join(VARIANTS), where="variant")
    apart = known.get("by") == "apart"
    return _scored(study, known, apart) if known.get("metric") else _judged(study, known, apart)


def _scored(study: Study, asked: Mapping[str, str], apart: bool) -> NumberRows:
    name = asked["metric"]
    if not is_metric(name):
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
    value = math.nan
    if inside.any() and not stored.undefined:
        value = float(metric_of(name).corpus_of(stored.sufficient_statistics[inside].sum(axis=0)))
    value = value if mean is None or not asked.get("mean") else mean
    behind = _behind(texts, asked, metric_of(name).label, rows, _number(value), mean, len(scored))
    return replace(behind, undefined=stored.undefined)


def _whole(study: Study, asked: Mapping[str, str], apart: bool) -> NumberRows:
    """The rows of the source or the reference, of which only the score of the whole is kept."""
    texts, name = read_study(study, apart=apart).texts, asked["metric"]
    place = _place(texts, asked)
    stored = BaselineScore.objects.filter(study=study, baseline=texts.rows[place].role, metric=name).first()
    if stored is None:
        raise UserError("This metric has no scores.", where="metric")
    asked = within_report_split(study, texts, asked)
    inside = units_asked_for(texts.units, asked)
    written = [unit for unit, text in enumerate(texts.rows[place].outputs) if text is not None and inside[unit]]
    rows = [_row(texts, place, unit, None) for unit in written]
    value = stored.corpus if is_report_split(texts, asked, inside) else None
    return replace(_behind(texts, asked, metric_of(name).label, rows, value, None, 0), undefined=stored.undefined)


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
    ranks = _ranks(texts.units, judgements, place, inside) if judgements.is_rank else {}
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
    """The places of each unit's judgements."""
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
    by_system = named(RankStatistic, "mean_rank").by_sentence(
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


# The texts that two raters judged, those on which they differ most first.


@dataclass(frozen=True)
class JudgedByTwo:
    """A text that both judged: its source, the text, and both values. The system is not told."""

    source: str
    text: str
    values: tuple[float, float]

    @property
    def apart(self) -> float:
        return abs(self.values[0] - self.values[1])


def judged_by_two(study: Study, asked: Mapping[str, str]) -> list[JudgedByTwo]:
    """The texts, by `criterion` and the numbers `a` and `b` of two raters, who go by those of the report.

    Raises:
        UserError: Nobody judged the criterion, or there is no such rater.
    """
    read = read_study(study, apart=False)
    given = count_judgements(study, read).judgement_table
    if asked.get("criterion", "") not in given.criteria:
        raise UserError("Nobody judged '{asked}'.", asked=asked.get("criterion", "")[:100], where="criterion")
    criterion = given.criterion == given.criteria.index(asked["criterion"])
    first, second = (_values(given, criterion, _rater(given, asked, name)) for name in ("a", "b"))
    both = np.flatnonzero(np.isfinite(first) & np.isfinite(second)).tolist()
    points = {place: given.texts[place][:2] for place in both}
    written = _written(read.texts, set(points.values()))
    rows = [
        JudgedByTwo(read.texts.units.sources[point[0]], written[point], (float(first[place]), float(second[place])))
        for place, point in points.items()
    ]
    return sorted(rows, key=lambda row: -row.apart)


def _rater(given: JudgementTable, asked: Mapping[str, str], name: str) -> int:
    number = asked.get(name, "")
    if not number.isdecimal() or len(number) > 9 or not 1 <= int(number) <= len(given.raters):
        raise UserError("There is no rater '{number}'.", number=number[:20], where=name)
    return int(number) - 1


def _values(given: JudgementTable, criterion: np.ndarray, rater: int) -> np.ndarray:
    """The rater's values by text, NaN where there is none."""
    values = np.full(len(given.texts), np.nan)
    rows = criterion & (given.rater == rater)
    values[given.text[rows]] = given.value[rows]
    return values


def _written(texts: StudyTexts, wanted: set[tuple[int, str]]) -> dict[tuple[int, str], str]:
    """Each judged text as some system wrote it, or as its key has it if no system has it any more."""
    found = {point: point[1] for point in wanted}
    outputs: Sequence[Sequence[str | None]] = [row.outputs for row in texts.rows]
    for place in range(len(outputs)):
        for point, unit in texts.points(place).items():
            if point in found:
                found[point] = outputs[place][unit] or found[point]
    return found
