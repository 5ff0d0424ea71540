"""The main comparison of a human study, by the rules that it has."""

from collections import defaultdict
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import fmean
from typing import Any

from annotation.scales import SCALES
from annotation.task_types import Material
from annotation.task_types.rank import CRITERION as RANK
from corpora.models import Sentence
from evaluation.human_studies.any_looks import decision, is_any_time
from evaluation.human_studies.fields import NO_CORRECTION
from evaluation.human_studies.open_queue import weights_of
from evaluation.human_studies.sample import material_drawn
from evaluation.human_studies.with_metric import WithMetric, population, scores_of, with_metric
from evaluation.human_studies.workers import Place, Worker, exclusions_of, uncounted_checks
from evaluation.models import HumanStudy
from evaluation.numerics import Mean, Test
from evaluation.significance import draws_for
from evaluation.statistics import STATISTICS
from evaluation.statistics._base import ResamplingTest
from foundation.polarity import better_end
from foundation.side_process import in_side_process
from foundation.text_keys import text_key
from foundation.translation import translatable

# The parts of a human study that a criterion is compared in: all sentences, or those of each direction.


def parts_compared(
    human_study: HumanStudy, criterion: str, sentence_ids: Collection[int]
) -> list[tuple[str, frozenset[int] | None]]:
    """All of these sentences together, or those of each direction if the criterion's good end differs by direction.

    Args:
        human_study: The study.
        criterion: The name of one of its criteria, or of a kind of work without a scale, such as "rank".
        sentence_ids: The primary keys of the sentences that are judged.

    Returns:
        Pairs of the direction, "informal to formal", and its sentences; one of "" and None where all are one part.
    """
    scale = next((entry["scale"] for entry in human_study.criteria if entry["name"] == criterion), "")
    poles = SCALES[scale].poles if scale else None
    if poles is None:
        return [("", None)]
    fields = ("pk", "direction__source_style", "direction__target_style")
    by_direction: dict[tuple[str, str], set[int]] = defaultdict(set)
    for pk, source, target in Sentence.objects.filter(pk__in=sentence_ids).values_list(*fields):
        by_direction[source, target].add(pk)
    ends = {better_end(poles, target, human_study.study.poles) for _, target in by_direction}
    if len(ends) < 2:
        return [("", None)]
    return [(" to ".join(of), frozenset(inside)) for of, inside in by_direction.items()]


AT_ANY_MOMENT = translatable("Valid at any moment.")
Said = tuple[int, str, str, float]
"""A judgement: the sentence, the person, the system and the value."""
BESIDE = (" source", " reference")  # names that no system has


@dataclass(frozen=True)
class SystemComparison:
    """A system against the baseline: both means over the sentences that both have, their difference, its test, and
    its p after the correction.

    `difference` is in the criterion's own unit, whatever the test's statistic is. In a plan that decides at any moment
    the test is that of betting, with its confidence sequence, and the correction e-BH. `with_metric` holds the
    estimates of people and the plan's metric together. Where the criterion has another good end in each direction, a
    system stands once for each, and its name says it. `win_rate` is that of people alone (`_won`).
    """

    system: str
    mean: float | None
    baseline: float | None
    difference: float | None
    test: Test
    corrected: float | None
    with_metric: WithMetric | None = None
    win_rate: Mean | None = None

    def differs(self, alpha: float) -> bool:
        return self.corrected is not None and self.corrected < alpha


@dataclass
class Values:
    """People's ratings of a system: the mean of each sentence, with the sentence.

    `weights` are those of sentences that do not stand for themselves alone (`open_queue`).
    """

    values: list[float]
    sentences: list[int]
    weights: Mapping[int, float] = field(default_factory=dict)

    @property
    def mean(self) -> float | None:
        weights = [self.weights.get(sentence, 1.0) for sentence in self.sentences]
        return fmean(self.values, weights) if any(weights) else None

    def of(self, inside: Container[int] | None) -> "Values":
        """Those of some sentences alone."""
        if inside is None:
            return self
        inside_places = [place for place, sentence in enumerate(self.sentences) if sentence in inside]
        return Values(
            [self.values[place] for place in inside_places], [self.sentences[place] for place in inside_places],
            self.weights,
        )  # fmt: skip


def main_comparison(
    human_study: HumanStudy, left_out: Mapping[str, str], workers: Mapping[str, Worker]
) -> list[SystemComparison]:
    """Each system of the comparison against its baseline, without those who are left out; [] where none is planned."""
    asked = human_study.comparison
    if not asked:
        return []
    said = list(_said(human_study, asked["criterion"], _left_in(workers, left_out)))
    values = _values(human_study, asked["criterion"], said)
    if is_any_time(human_study):
        rows = _with_metric(human_study, values, _at_any_moment(human_study, left_out, values))
        return _with_win_rates(human_study, said, rows)
    parts = parts_compared(human_study, asked["criterion"], human_study.sentence_ids)
    family = len(parts) * len(_others(asked, values))
    compared = [
        (label, comparison)
        for label, inside in parts
        for comparison in _compared(asked, {k: v.of(inside) for k, v in values.items()}, family)
    ]
    p = [comparison.test.p for _, comparison in compared]
    corrected = p
    if asked["correction"] != NO_CORRECTION:
        corrected = STATISTICS[asked["correction"]].adjust(p)  # type: ignore[attr-defined]  # a Correction, by its name
    labelled = [
        replace(comparison, system=f"{comparison.system} ({label})" if label else comparison.system, corrected=after)
        for (label, comparison), after in zip(compared, corrected, strict=True)
    ]
    if len(parts) > 1:
        return labelled
    return _with_win_rates(human_study, said, _with_metric(human_study, values, labelled))


def _with_win_rates(
    human_study: HumanStudy, said: Sequence[Said], rows: list[SystemComparison]
) -> list[SystemComparison]:
    """Each row with the rate at which people put its system above the baseline."""
    asked = human_study.comparison
    by_page: dict[tuple[int, str], dict[str, float]] = defaultdict(dict)
    for sentence, person, name, value in said:
        by_page[sentence, person][name] = value
    sign = 1.0 if _is_high_better(human_study, asked["criterion"]) else -1.0
    return [replace(row, win_rate=_won(by_page, row.system, asked["baseline"], sign)) for row in rows]


def _won(
    by_page: Mapping[tuple[int, str], Mapping[str, float]], system: str, baseline: str, sign: float
) -> Mean | None:
    """The share of pairs that the system won against the baseline among one person's values of one source.

    Ties are halves. A source counts once, whoever judged it; the interval is over sources and people.
    """
    pages = [(*page, of) for page, of in by_page.items() if system in of and baseline in of]
    if not pages:
        return None
    sentences, people = [page[0] for page in pages], [page[1] for page in pages]
    apart = [sign * (of[system] - of[baseline]) for *_, of in pages]
    wins = [0.5 if not difference else float(difference > 0) for difference in apart]
    mean_interval = STATISTICS["mean_interval"].mean  # type: ignore[attr-defined]  # which this entry alone has
    mean: Mean = in_side_process(mean_interval, wins, sentences, people, sentences)
    return mean


def _at_any_moment(
    human_study: HumanStudy, left_out: Mapping[str, str], values: Mapping[str, Values]
) -> list[SystemComparison]:
    asked, rows = human_study.comparison, []
    base = values.get(asked["baseline"], Values([], []))
    for compared in decision(human_study, left_out).compared:
        system = values.get(compared.system, Values([], []))
        first, second = system.of(set(base.sentences)), base.of(set(system.sentences))
        found = compared.sequence
        test = Test(
            found.mean, None if found.mean is None else min(1.0, 1 / found.e), found.n,
            undefined="" if found.n else "No source was judged for both.",
            low=found.low if found.n else None, high=found.high if found.n else None, note=AT_ANY_MOMENT,
        )  # fmt: skip
        p = compared.corrected if found.n else None
        rows.append(SystemComparison(compared.system, first.mean, second.mean, test.statistic, test, p))
    return rows


def _with_metric(
    human_study: HumanStudy, values: Mapping[str, Values], rows: list[SystemComparison]
) -> list[SystemComparison]:
    """Each row with the estimates of people and the plan's metric together, where it has one."""
    asked = human_study.comparison
    if not (metric := asked.get("proxy", "")):
        return rows
    systems = [system for system in human_study.systems.all() if system.name in values]
    scores = scores_of(systems, metric, population(human_study))
    people = {name: dict(zip(of.sentences, of.values, strict=True)) for name, of in values.items()}
    base, better = asked["baseline"], _is_high_better(human_study, asked["criterion"])

    def of(given: Mapping[str, dict[int, float]], name: str) -> tuple[dict[int, float], dict[int, float]]:
        return given.get(name, {}), given.get(base, {})

    return [
        replace(
            row, with_metric=with_metric(metric, of(people, row.system), of(scores, row.system), high_is_better=better)
        )
        for row in rows
    ]


def _others(asked: Mapping[str, Any], values: Mapping[str, Values]) -> list[str]:
    return asked["systems"] or [name for name in values if name != asked["baseline"]]


def _compared(asked: Mapping[str, Any], values: Mapping[str, Values], family: int) -> list[SystemComparison]:
    """Not corrected yet; `family` tests will be together."""
    empty = Values([], [])
    base = values.get(asked["baseline"], empty)
    test_asked = STATISTICS[asked["test"]]
    compare = test_asked.compare  # type: ignore[attr-defined]  # a PairedTest, by its name
    if isinstance(test_asked, ResamplingTest):
        compare = partial(compare, draws=draws_for(family, asked["alpha"]))
    compared = []
    for name in _others(asked, values):
        system = values.get(name, empty)
        first, second = system.of(set(base.sentences)), base.of(set(system.sentences))
        test = in_side_process(compare, first.values, second.values, first.sentences, second.sentences)
        apart = None if first.mean is None or second.mean is None else first.mean - second.mean
        compared.append(SystemComparison(name, first.mean, second.mean, apart, test, None))
    return compared


def values_of(
    human_study: HumanStudy, criterion: str, left_out: Mapping[str, str], workers: Mapping[str, Worker]
) -> dict[str, Values]:
    """People's ratings of each system's outputs on a criterion, the mean of each sentence.

    The last of one person's several ratings of a text counts. For ranks the mean is that of the places in each sentence
    among all texts judged, as in GYAFC's equation 1 and the report.
    """
    return _values(human_study, criterion, list(_said(human_study, criterion, _left_in(workers, left_out))))


def _left_in(workers: Mapping[str, Worker], left_out: Mapping[str, str]) -> dict[str, Worker]:
    return {worker: workers[worker] for worker in workers if worker not in left_out}


def _values(human_study: HumanStudy, criterion: str, said: Sequence[Said]) -> dict[str, Values]:
    weights = _weights(human_study)
    by_system = {system.name: Values([], [], weights.get(system.name, {})) for system in human_study.systems.all()}
    if criterion == RANK and said:
        said = _placed_once(human_study, said)
        by_sentence = STATISTICS["mean_rank"].by_sentence  # type: ignore[attr-defined]  # which this entry alone has
        for name, (sentences, ranks) in by_sentence(*zip(*said, strict=True)).items():
            by_system[name] = Values(ranks.tolist(), sentences.tolist())
        return {name: values for name, values in by_system.items() if name not in BESIDE}
    by_output: dict[tuple[str, int], list[float]] = defaultdict(list)
    for sentence, _, name, value in said:
        if name not in BESIDE:
            by_output[name, sentence].append(value)
    for (name, sentence), values in by_output.items():
        by_system[name].values.append(fmean(values))
        by_system[name].sentences.append(sentence)
    return by_system


def _placed_once(human_study: HumanStudy, said: Sequence[Said]) -> list[Said]:
    """One person's place of a system once a source, the first, as in the report (`snapshot_builder.judgements`).

    All places of a source stand under the sentence with which it comes first.
    """
    rows = Sentence.objects.filter(pk__in=human_study.sentence_ids).values_list("pk", "direction")
    directions, first = dict(rows), dict[tuple[int, str], int]()
    homes = {
        material.sentence_id: first.setdefault(
            (directions[material.sentence_id], text_key(material.source)), material.sentence_id
        )
        for material in material_drawn(human_study, list(human_study.systems.all()))
    }
    placed: dict[tuple[int, str, str], Said] = {}
    for sentence, person, name, value in said:
        home = homes[sentence]
        placed.setdefault((home, person, name), (home, person, name, value))
    return list(placed.values())


def _weights(human_study: HumanStudy) -> dict[str, dict[int, float]]:
    """The weights of each system's texts that are not 1, by sentence."""
    by_text = weights_of(human_study)
    if not by_text:
        return {}
    systems = list(human_study.systems.all())
    weights: dict[str, dict[int, float]] = defaultdict(dict)
    for material in material_drawn(human_study, systems):
        for system, text in zip(systems, material.outputs, strict=True):
            if (place := (material.sentence_id, text_key(text))) in by_text:
                weights[system.name][material.sentence_id] = by_text[place]
    return dict(weights)


def _said(human_study: HumanStudy, criterion: str, workers: Mapping[str, Worker]) -> Iterator[Said]:
    """Each judgement, source and reference included."""
    by_text: dict[Place, list[tuple[str, float]]] = defaultdict(list)
    for person, worker in workers.items():
        for place, value in worker.values.get(criterion, {}).items():
            by_text[place].append((person, value))
    systems, source_is_judged = list(human_study.systems.all()), _source_is_judged(human_study, criterion)
    for material in material_drawn(human_study, systems):
        pairs = enumerate(zip(systems, material.outputs, strict=True))
        named = [(system.name, text) for place, (system, text) in pairs if text or place in material.empty]
        for name, text in [*named, *_beside(human_study, material, by_text, source_is_judged)]:
            for person, value in by_text.get((material.sentence_id, text_key(text)), []):
                yield material.sentence_id, person, name, value


def _source_is_judged(human_study: HumanStudy, criterion: str) -> bool:
    """Whether the source was judged on it: in rankings of plans with other criteria it takes no place."""
    if criterion != RANK:
        return human_study.rate_source
    ranked = human_study.campaigns.filter(task_type="rank").values_list("settings", flat=True)
    return any(settings.get("rate_source") for settings in ranked)


def _beside(
    human_study: HumanStudy, material: Material, judged: Container[Place], source_is_judged: bool
) -> Iterator[tuple[str, str]]:
    """The source and the one reference that were judged beside the outputs."""
    if source_is_judged:
        yield BESIDE[0], material.source
    chosen = [text for text in material.references if (material.sentence_id, text_key(text)) in judged]
    if human_study.rate_reference and chosen:
        yield BESIDE[1], chosen[0]


# The effect of excluding one person: judgements, agreement and order of systems with and without them.


@dataclass(frozen=True)
class Figures:
    """On one criterion: judgements of ordinary texts, Krippendorff's alpha, and the systems with their means, by mean.

    `systems` are empty where how they compare is withheld.
    """

    criterion: str
    judgements: int
    alpha: float | None
    systems: list[tuple[str, float]]


@dataclass(frozen=True)
class ExclusionEffect:
    """The figures of each criterion before and after; `people` are those who are left in. `withheld`: no systems."""

    people: tuple[int, int]
    criteria: list[tuple[Figures, Figures]]
    withheld: bool


def exclusion_effect(
    human_study: HumanStudy, person: str, workers: Mapping[str, Worker], *, back: bool = False
) -> ExclusionEffect:
    """The changes if `person`, a pseudonym, is left out by hand, or taken `back`."""
    now = exclusions_of(human_study, workers)
    before, excluded = (
        human_study.excluded,
        [exclusion for exclusion in human_study.excluded if exclusion["person"] != person],
    )
    human_study.excluded = excluded if back else [*excluded, {"person": person, "reason": ""}]
    then = exclusions_of(human_study, workers)
    human_study.excluded = before
    pairs = zip(_figures(human_study, workers, now), _figures(human_study, workers, then), strict=True)
    return ExclusionEffect((len(workers) - len(now), len(workers) - len(then)), list(pairs), human_study.withholds)


def _figures(human_study: HumanStudy, workers: Mapping[str, Worker], out: Mapping[str, str]) -> list[Figures]:
    levels = {criterion["name"]: SCALES[criterion["scale"]].measurement for criterion in human_study.criteria}
    asked = [
        *levels,
        *(name for name in ("rank", "best_worst") if any(name in worker.values for worker in workers.values())),
    ]
    controls = uncounted_checks(human_study)
    return [_of(human_study, workers, out, name, levels.get(name, "ordinal"), controls) for name in asked]


def _of(
    human_study: HumanStudy,
    workers: Mapping[str, Worker],
    out: Mapping[str, str],
    name: str,
    level: str,
    controls: Container[tuple[int, str]],
) -> Figures:
    rows = [
        (person, place, value)
        for person, worker in workers.items()
        if person not in out
        for place, value in worker.values.get(name, {}).items()
        if place not in controls
    ]
    alpha = None
    if rows:
        people, places, values = zip(*rows, strict=True)
        numbers = {place: number for number, place in enumerate(dict.fromkeys(places))}
        alpha = (
            STATISTICS["krippendorff_alpha"]
            .agree(  # type: ignore[attr-defined]  # an AgreementStatistic, by its name
                people, [numbers[place] for place in places], values, level
            )
            .value
        )
    return Figures(name, len(rows), alpha, [] if human_study.withholds else _order(human_study, workers, out, name))


def _order(
    human_study: HumanStudy, workers: Mapping[str, Worker], out: Mapping[str, str], name: str
) -> list[tuple[str, float]]:
    """The systems by their mean, the best first: a style scale's better end is the style that the direction goes to.

    None where the levels of the scale have no order.
    """
    if any(entry["name"] == name and not SCALES[entry["scale"]].is_ordered for entry in human_study.criteria):
        return []
    by_system = values_of(human_study, name, out, workers)
    means = [(system, fmean(values.values)) for system, values in by_system.items() if values.values]
    return sorted(means, key=lambda mean: -mean[1] if _is_high_better(human_study, name) else mean[1])


def _is_high_better(human_study: HumanStudy, name: str) -> bool:
    scale = next((SCALES[criterion["scale"]] for criterion in human_study.criteria if criterion["name"] == name), None)
    of = [human_study.direction] if human_study.direction else list(human_study.study.directions.all())
    if scale is None or len(of) != 1:
        return name != RANK
    return better_end(scale.poles, of[0].target_style, human_study.study.poles) is not False
