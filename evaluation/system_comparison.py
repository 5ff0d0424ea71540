"""Two systems beside each other, over the sentences that both have: measures, pairs of outputs, who is the better."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from corpora.models import Study
from evaluation.aggregation import TEST, Mask, correct_p_values, judgement_sums, method, score_sums
from evaluation.comparability.better_ends import better_in, by_direction
from evaluation.comparability.report_split import CHOICES, in_split
from evaluation.metric_contract import Floats
from evaluation.models import ReportChoice
from evaluation.pair_values import EQUAL, PairValues
from evaluation.resampling import SufficientStatistics
from evaluation.significance import draws_for
from evaluation.snapshot import CorpusCounts, CriterionJudgements, StudySnapshot, Variant
from evaluation.snapshot_builder.build import CountedJudgements, count_judgements, read_study
from evaluation.snapshot_builder.scores import imported_metrics_of, scores_of
from evaluation.table_parts.aspects import metric_label
from foundation.errors import UserError
from foundation.text_keys import text_key

# Each measure's values of two systems: by unit, and over all units that both have values for.


@dataclass(frozen=True)
class Measure:
    """A criterion or metric of two systems, `first` and `second`.

    `values` are theirs by unit, (n,) each, NaN where there is none; `shared` (n,) are the units that count for both,
    and `alone` says how many more units each has. `sums` are those that each one's number over the shared units is
    computed from. `better` is True where high is good, False where low is, None where neither end is.
    """

    key: str
    label: str
    judged: bool
    better: bool | None
    values: tuple[Floats, Floats]
    shared: Mask
    alone: tuple[int, int]
    sums: tuple[SufficientStatistics, SufficientStatistics]

    @property
    def difference(self) -> Floats:
        """The first's value less the second's, (n,); NaN where one has none."""
        apart = self.values[0] - self.values[1]
        return np.where(np.abs(apart) <= EQUAL, 0.0, apart)

    @property
    def shared_count(self) -> int:
        return int(self.shared.sum())

    @property
    def numbers(self) -> tuple[float, float]:
        """Both systems' numbers over the shared units."""
        first, second = (float(sums.value_of(sums.rows.sum(axis=0))) for sums in self.sums)
        return first, second

    @property
    def of_sentences(self) -> bool:
        """Whether it gives each output a value, and not only all of them together."""
        return bool(np.isfinite(self.difference).any())


def measures_of(snapshot: StudySnapshot, first: int, second: int, where: Mask) -> list[Measure]:
    """The measures with values of both systems over the same units, criteria first.

    Args:
        snapshot: The study.
        first: The place of the one system.
        second: The place of the other.
        where: bool (n,), the units that are meant.

    Returns:
        The measures; one that lacks something of either system is left out.
    """
    judged = [
        _judged(snapshot, judgements, (first, second), where)
        for judgements in snapshot.judgements[snapshot.variant].values()
    ]
    scored = [_scored(snapshot, key, (first, second), where) for key in snapshot.scores]
    return [measure for measure in [*judged, *scored] if measure is not None]


def left_out(snapshot: StudySnapshot, measures: Sequence[Measure]) -> list[str]:
    """The labels of the measures by which the two are not compared."""
    there = {measure.key for measure in measures}
    every = [
        (_criterion_key(one.name), one.label) for one in snapshot.judgements[snapshot.variant].values()
    ] + [(_metric_key(key), metric_label(snapshot, key)) for key in snapshot.scores]  # fmt: skip
    return [label for key, label in every if key not in there]


def _criterion_key(name: str) -> str:
    return f"criterion:{name}"


def _metric_key(name: str) -> str:
    return f"metric:{name}"


def _judged(
    snapshot: StudySnapshot, judged: CriterionJudgements, places: tuple[int, int], where: Mask
) -> Measure | None:
    values = tuple(mean_judgements(snapshot, judged, place, where) for place in places)
    shared = np.isfinite(values[0]) & np.isfinite(values[1])
    sums = judgement_sums(snapshot, judged, _homes(snapshot, shared) if judged.is_rank else shared)
    return _measure(
        _criterion_key(judged.name), judged.label, True, better_in(snapshot, judged), values, shared,
        (sums[places[0]], sums[places[1]]),
    )  # fmt: skip


def mean_judgements(snapshot: StudySnapshot, judged: CriterionJudgements, place: int, where: Mask) -> Floats:
    """The mean judgement of each output of a system, (n,); for ranks the mean place among all systems."""
    units = len(snapshot.units.ids)
    means = np.full(units, np.nan)
    if judged.is_rank:
        homes = snapshot.units.home[judged.unit]
        ranks = method("mean_rank").by_sentence(homes, judged.rater, judged.system, judged.value)
        sources, values = ranks.get(place, (np.empty(0, dtype=np.intp), np.empty(0)))
        means[np.asarray(sources, dtype=np.intp)] = values
    else:
        here = judged.system == place
        counts = np.bincount(judged.unit[here], minlength=units)
        sums = np.bincount(judged.unit[here], judged.value[here], units)
        np.divide(sums, counts, out=means, where=counts > 0)
    return np.where(where, means, np.nan)


def _homes(snapshot: StudySnapshot, shared: Mask) -> Mask:
    """All units of the sources that are shared: a ranking stands at the first of them."""
    return np.asarray(shared[snapshot.units.home], dtype=bool)


def _scored(snapshot: StudySnapshot, key: str, places: tuple[int, int], where: Mask) -> Measure | None:
    scores = [snapshot.scores[key][place] for place in places]
    if any(scored is None or scored.corpus is None for scored in scores):
        return None
    there = [scored.there & where for scored in scores if scored is not None]
    shared = there[0] & there[1]
    values = tuple(np.where(where, scored.sentences, np.nan) for scored in scores if scored is not None)
    sums = score_sums(snapshot, key, shared)
    return _measure(
        _metric_key(key), metric_label(snapshot, key), False, better_in(snapshot, key), values, shared,
        (sums[places[0]], sums[places[1]]), there,
    )  # fmt: skip


def _measure(
    key: str, label: str, judged: bool, better: bool | None, values: tuple[Floats, ...], shared: Mask,
    sums: tuple[SufficientStatistics | None, SufficientStatistics | None], there: Sequence[Mask] | None = None,
) -> Measure | None:  # fmt: skip
    if not shared.any() or sums[0] is None or sums[1] is None:
        return None
    has = there or [np.isfinite(of) for of in values]
    alone = int((has[0] & ~shared).sum()), int((has[1] & ~shared).sum())
    return Measure(key, label, judged, better, (values[0], values[1]), shared, alone, (sums[0], sums[1]))


# Counts of which of two systems is the better one by each measure, and tests of their numbers.

FIRST, TIE, SECOND = OUTCOMES = ("first", "tie", "second")


@dataclass(frozen=True)
class HeadToHead:
    """Two systems by one measure: how many of the shared sentences each wins, over all of them their numbers, and the
    paired test of these: p, p corrected over all measures of the comparison, or why there is none.

    Without a better end "to win" is to have the higher value. `counts` is None where there is no value by sentence.
    """

    measure: Measure
    counts: tuple[int, int, int] | None
    difference: float | None
    p: float | None
    corrected: float | None
    differs: bool
    undefined: str


def outcome_masks(measure: Measure | PairValues) -> tuple[Mask, Mask, Mask]:
    """The units (n,) that the first wins, in which both are equal, and that the second wins."""
    apart = measure.difference if measure.better is not False else -measure.difference
    return apart > 0, apart == 0, apart < 0


def head_to_head(snapshot: StudySnapshot, measures: Sequence[Measure]) -> list[HeadToHead]:
    """A row for each measure; the test is the one of the leaderboard, over the shared sources."""
    draws = draws_for(len(measures), snapshot.alpha, snapshot.draws)
    tests = method(TEST).compare_many([measure.sums for measure in measures], draws, snapshot.seed)
    corrected = correct_p_values(snapshot, [test.p for test in tests])
    return [
        HeadToHead(
            measure, _counts(measure), test.statistic, test.p, p, p is not None and p < snapshot.alpha, test.undefined
        )
        for measure, test, p in zip(measures, tests, corrected, strict=True)
    ]


def _counts(measure: Measure) -> tuple[int, int, int] | None:
    if not measure.of_sentences:
        return None
    first, tie, second = (int(np.sum(mask)) for mask in outcome_masks(measure))
    return first, tie, second


# Two systems of a study compared output by output, over the sentences that both have.


def comparison_snapshot(study: Study, split: str = "", *, scores: bool = True) -> StudySnapshot:
    """A snapshot for comparisons of outputs, which read no corpus counts, baselines, concepts or stored report.

    Args:
        study: The study.
        split: A split, "all", or "" for the one that the report is about.
        scores: Whether those of metrics are read.

    Returns:
        The snapshot; measures with poles stand once for each direction, with the better end there.

    Raises:
        UserError: There is no such split.
    """
    check_split(split)
    read = read_study(study, apart=False)
    counted = count_judgements(study, read)
    choice = ReportChoice.objects.filter(study=study).first() or ReportChoice(study=study)
    imported = imported_metrics_of(study) if scores else {}
    metrics = [*(chosen.metric for chosen in study.metric_choices.all()), *imported] if scores else []
    snapshot = StudySnapshot(
        study=study.slug, title=study.title, styles=study.styles, unit=study.unit,  # type: ignore[arg-type]
        units=read.texts.units, systems=read.texts.rows, judgements=_leading(counted, choice),
        raters=counted.raters, scores=scores_of(study, read.texts, metrics), baselines={}, counts=CorpusCounts(),
        baseline=None, alpha=choice.alpha, correction=choice.correction, variant=choice.variant,  # type: ignore[arg-type]
        report={}, meant=study.poles, averaging=choice.averaging,  # type: ignore[arg-type]
        language=read.texts.language, imported=imported,
    )  # fmt: skip
    return by_direction(in_split(snapshot, split or choice.split))


def check_split(split: str) -> None:
    if split not in CHOICES:
        raise UserError("Expected one of {choices}.", choices=", ".join(one for one in CHOICES if one), where="split")


def _leading(counted: CountedJudgements, choice: ReportChoice) -> Mapping[Variant, Mapping[str, CriterionJudgements]]:
    """The judgements that lead in the report, alone."""
    return {choice.variant: counted.judgements[choice.variant]}  # type: ignore[index, dict-item]


ORDERS = ("difference", "first", "second")


@dataclass(frozen=True)
class OutputPair:
    """Both systems' outputs for a unit, whose `number` is its place in the split, from 1."""

    number: int
    unit: int
    source: str
    references: Sequence[str]
    outputs: tuple[str, str]

    @property
    def same(self) -> bool:
        """Whether both wrote the same text."""
        return text_key(self.outputs[0]) == text_key(self.outputs[1])

    def holds(self, words: Sequence[str]) -> bool:
        """Whether source, references and outputs hold all words, which are casefolded."""
        said = "\n".join([self.source, *self.references, *self.outputs]).casefold()
        return all(word in said for word in words)


@dataclass(frozen=True)
class Comparison:
    """Two systems, the units that both have an output for, and the measures that both have.

    `alone` is how many units only one of them has an output for, `same` in how many both wrote the same text.
    """

    snapshot: StudySnapshot
    names: tuple[str, str]
    places: tuple[int, int]
    shared: Mask
    alone: tuple[int, int]
    same: Mask
    measures: Sequence[Measure]
    left_out: Sequence[str]

    @property
    def split(self) -> str:
        """The split that it is about; "" for all units."""
        return self.snapshot.split

    @property
    def shared_count(self) -> int:
        return int(self.shared.sum())

    @property
    def same_count(self) -> int:
        return int(self.same.sum())

    def summary(self) -> list[HeadToHead]:
        return head_to_head(self.snapshot, self.measures)


def compare_systems(study: Study, first: str, second: str, split: str = "", direction: str = "") -> Comparison:
    """Two systems of a study.

    Args:
        study: The study.
        first: The name of the one system.
        second: That of the other.
        split: A split, "all", or "" for the one that the report is about.
        direction: The place of a direction; "" for all of them.

    Raises:
        UserError: One of them is no system of the study, both are the same, or there is no such split or direction.
    """
    check_different(first, second)
    snapshot = comparison_snapshot(study, split)
    names = [row.name for row in snapshot.systems if row.role == "system"]
    places = place_of(names, first, "first"), place_of(names, second, "second")
    where = _of_direction(snapshot, direction)
    has = [
        np.array([text is not None for text in snapshot.systems[place].outputs], dtype=bool) & where for place in places
    ]
    shared = has[0] & has[1]
    measures = measures_of(snapshot, *places, shared)
    alone = int((has[0] & ~shared).sum()), int((has[1] & ~shared).sum())
    return Comparison(
        snapshot, (first, second), places, shared, alone, _same(snapshot, places, shared), measures,
        left_out(snapshot, measures),
    )  # fmt: skip


def outcome_mask(measure: Measure | PairValues | None, outcome: str) -> Mask:
    if measure is None or outcome not in OUTCOMES:
        raise UserError("Name a measure, and one of {outcomes}.", outcomes=", ".join(OUTCOMES), where="outcome")
    return outcome_masks(measure)[OUTCOMES.index(outcome)]


def sorted_units(measure: Measure | PairValues, units: list[int], asked: Mapping[str, str]) -> list[int]:
    of = asked.get("of") or "difference"
    if of not in ORDERS:
        raise UserError("Expected one of {orders}.", orders=", ".join(ORDERS), where="of")
    if of == "difference":
        values = measure.difference
    else:
        values = (measure.values if isinstance(measure, Measure) else (measure.first, measure.second))[of == "second"]
    sign = -1 if asked.get("order", "highest") == "highest" else 1
    return sorted(units, key=lambda unit: (bool(np.isnan(values[unit])), sign * np.nan_to_num(values[unit]), unit))


def check_different(first: str, second: str) -> None:
    if first == second:
        raise UserError("Both are the same system: choose two different ones.", where="second")


def place_of(names: Sequence[str], name: str, where: str) -> int:
    if name not in names:
        raise UserError("There is no system '{name}'.", name=name[:100], where=where)
    return names.index(name)


def _of_direction(snapshot: StudySnapshot, direction: str) -> Mask:
    if not direction:
        return np.ones(len(snapshot.units.ids), dtype=bool)
    place = direction_place(direction, len(snapshot.units.directions))
    return np.asarray(snapshot.units.direction == place, dtype=bool)


def direction_place(direction: str, count: int) -> int:
    if not direction.isdecimal() or int(direction) not in range(count):
        raise UserError("There is no such direction.", where="direction")
    return int(direction)


def _same(snapshot: StudySnapshot, places: tuple[int, int], shared: Mask) -> Mask:
    first, second = (snapshot.systems[place].outputs for place in places)
    equal = [
        bool(here) and text_key(a or "") == text_key(b or "")
        for a, b, here in zip(first, second, shared.tolist(), strict=True)
    ]
    return np.array(equal, dtype=bool)


def number_or_none(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
