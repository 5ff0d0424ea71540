"""The main comparison of a human study, by the rules that it has."""

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from typing import Any

from annotation.task_types import Material
from annotation.task_types.rank import CRITERION as RANK
from evaluation.human_studies.parts_compared import parts_compared
from evaluation.human_studies.plan_validation import NO_CORRECTION
from evaluation.human_studies.sample import material_drawn
from evaluation.human_studies.workers import Place, Worker
from evaluation.models import HumanStudy
from evaluation.numerics import Test
from evaluation.significance import draws_for
from evaluation.statistics import STATISTICS
from evaluation.statistics._base import ResamplingTest
from foundation.side_process import in_side_process
from foundation.text_keys import text_key

BESIDE = (" source", " reference")  # names that no system has


@dataclass(frozen=True)
class SystemComparison:
    """A system against the baseline: both means over the sentences that both have, the test of their difference, and
    its p after the correction.

    Where the criterion has another good end in each direction, a system stands once for each, and its name says it.
    """

    system: str
    mean: float | None
    baseline: float | None
    test: Test
    corrected: float | None

    def differs(self, alpha: float) -> bool:
        return self.corrected is not None and self.corrected < alpha


@dataclass
class Values:
    """What people said of a system: the mean of each sentence, with the sentence."""

    values: list[float]
    sentences: list[int]

    @property
    def mean(self) -> float | None:
        return fmean(self.values) if self.values else None

    def of(self, inside: Container[int] | None) -> "Values":
        """Those of some sentences alone."""
        if inside is None:
            return self
        inside_places = [place for place, sentence in enumerate(self.sentences) if sentence in inside]
        return Values(
            [self.values[place] for place in inside_places], [self.sentences[place] for place in inside_places]
        )


def main_comparison(
    human_study: HumanStudy, left_out: Mapping[str, str], workers: Mapping[str, Worker]
) -> list[SystemComparison]:
    """Each system of the comparison against its baseline, without those who are left out; [] where none is planned."""
    asked = human_study.comparison
    if not asked:
        return []
    values = values_of(human_study, asked["criterion"], left_out, workers)
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
    return [
        replace(comparison, system=f"{comparison.system} ({label})" if label else comparison.system, corrected=after)
        for (label, comparison), after in zip(compared, corrected, strict=True)
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
        compared.append(SystemComparison(name, first.mean, second.mean, test, None))
    return compared


def values_of(
    human_study: HumanStudy, criterion: str, left_out: Mapping[str, str], workers: Mapping[str, Worker]
) -> dict[str, Values]:
    """What people said on a criterion of each system's outputs, the mean of each sentence.

    Of one person's several of a text the last counts. Of ranks it is the mean place in each sentence among all that was
    judged, as GYAFC's equation 1 and the report have it.
    """
    said = list(
        _said(human_study, criterion, {worker: workers[worker] for worker in workers if worker not in left_out})
    )
    by_system = {system.name: Values([], []) for system in human_study.systems.all()}
    if criterion == RANK and said:
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


def _said(
    human_study: HumanStudy, criterion: str, workers: Mapping[str, Worker]
) -> Iterator[tuple[int, str, str, float]]:
    """The sentence, the person, the system and the value of each judgement; of source and reference too."""
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
    """Whether the source stood among what was judged on it: in rankings that have other criteria it takes no place."""
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
