"""The main comparison of a human study, by the rules that it has."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

from evaluation.human.drawing import material_drawn
from evaluation.human.rules import NO_CORRECTION
from evaluation.human.workers import Place, Worker
from evaluation.models import HumanStudy
from evaluation.statistics import STATISTICS, Test
from foundation.text import text_key


@dataclass(frozen=True)
class Compared:
    """A system against the baseline: both means, the test of their difference, and its p after the correction."""

    system: str
    mean: float | None
    baseline: float | None
    test: Test
    corrected: float | None

    def differs(self, alpha: float) -> bool:
        return self.corrected is not None and self.corrected <= alpha


@dataclass
class Values:
    """A system's judgements with the sentences that they are of."""

    values: list[float]
    sentences: list[int]

    @property
    def mean(self) -> float | None:
        return fmean(self.values) if self.values else None


def main_comparison(
    human_study: HumanStudy, left_out: Mapping[str, str], workers: Mapping[str, Worker]
) -> list[Compared]:
    """Each system of the comparison against its baseline, without those who are left out; [] where none is planned."""
    asked = human_study.comparison
    if not asked:
        return []
    values = values_of(human_study, asked["criterion"], left_out, workers)
    others = asked["systems"] or [name for name in values if name != asked["baseline"]]
    empty = Values([], [])
    base = values.get(asked["baseline"], empty)
    test = STATISTICS[asked["test"]]
    tests = [
        test.compare(one.values, base.values, one.sentences, base.sentences)  # type: ignore[attr-defined]
        for one in (values.get(name, empty) for name in others)
    ]
    p = [one.p for one in tests]
    corrected = p if asked["correction"] == NO_CORRECTION else STATISTICS[asked["correction"]].adjust(p)  # type: ignore[attr-defined]
    return [
        Compared(name, values.get(name, empty).mean, base.mean, one, after)
        for name, one, after in zip(others, tests, corrected, strict=True)
    ]


def values_of(
    human_study: HumanStudy, criterion: str, left_out: Mapping[str, str], workers: Mapping[str, Worker]
) -> dict[str, Values]:
    """What people said on a criterion of each system's outputs; of one person's several of a text the last counts."""
    by_text: dict[Place, list[float]] = defaultdict(list)
    for person, worker in workers.items():
        said = worker.values.get(criterion, {}) if person not in left_out else {}
        for place, value in said.items():
            by_text[place].append(value)
    systems = list(human_study.systems.all())
    found = {one.name: Values([], []) for one in systems}
    for one in material_drawn(human_study, systems):
        for system, text in zip(systems, one.outputs, strict=True):
            given = by_text.get((one.sentence_id, text_key(text)), [])
            found[system.name].values += given
            found[system.name].sentences += [one.sentence_id] * len(given)
    return found
