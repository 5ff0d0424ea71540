"""The effect of excluding one person: judgements, agreement and order of systems with and without them."""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from statistics import fmean

from annotation.scales import SCALES
from annotation.task_types.rank import CRITERION as RANK
from evaluation.human_studies.exclusions import exclusions_of
from evaluation.human_studies.kept_checks import kept_checks
from evaluation.human_studies.main_comparison import values_of
from evaluation.human_studies.workers import Worker
from evaluation.models import HumanStudy
from evaluation.statistics import STATISTICS
from foundation.polarity import better_end


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
    """What changes where `person`, a pseudonym, is left out by hand, or taken `back`."""
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
    controls = {(check.sentence, check.key) for check in kept_checks(human_study)}
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
