"""What people and metrics say of each system."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from evaluation.aggregation.system_sums import mean_of_judgements
from evaluation.comparability.better_ends import metric_named
from evaluation.numerics.results import Mean
from evaluation.snapshot.judgements import RANK, UNORDERED, CriterionJudgements
from evaluation.snapshot.study import StudySnapshot
from evaluation.snapshot_builder.build import BuiltSnapshot
from evaluation.statistics import STATISTICS

Json = dict[str, Any]
REFERENCES = "references"
NO_RANK = Mean(None, None, None, 0, "There are no judgements.")


def systems(built: BuiltSnapshot) -> list[Json]:
    """A row a system; `human` are the means of the leading variant, `variants` those of all three."""
    snapshot = built.snapshot
    unordered = {name: _counted(snapshot, judged) for name, judged in snapshot.unordered.items()}
    means = {variant: _means(snapshot, judged) | unordered for variant, judged in snapshot.judgements.items()}
    return [_system(built, place, means) for place in range(len(snapshot.systems))]


def _system(built: BuiltSnapshot, place: int, means: Mapping[str, Mapping[str, list[Mean]]]) -> Json:
    snapshot, row = built.snapshot, built.snapshot.systems[place]
    outputs = sum(text is not None for text in row.outputs)
    variants = {
        variant: {name: vars(means_of_systems[place]) for name, means_of_systems in by_name.items()}
        for variant, by_name in means.items()
    }
    return {
        "name": row.name,
        "family": row.family,
        "seed": row.seed,
        "is_human": row.is_human,
        "role": row.role,
        "outputs": outputs,
        "missing": len(row.outputs) - outputs,
        "human": variants[snapshot.variant],
        "variants": variants,
        "metrics": {name: _metric(built, place, name) for name in snapshot.scores},
    }


def _means(snapshot: StudySnapshot, judged: Mapping[str, CriterionJudgements]) -> dict[str, list[Mean]]:
    """The systems' means by criterion; identical outputs are judged once and count for every system."""
    return {
        name: ranks_of(snapshot, judgements) if name == RANK else _values(snapshot, judgements)
        for name, judgements in judged.items()
    }


def _counted(snapshot: StudySnapshot, judged: CriterionJudgements) -> list[Mean]:
    """How many judgements each system has where these have no mean."""
    counts = np.bincount(judged.system, minlength=len(snapshot.systems))
    return [Mean(None, None, None, int(n), UNORDERED) for n in counts]


def _values(snapshot: StudySnapshot, judged: CriterionJudgements) -> list[Mean]:
    here = [judged.system == place for place in range(len(snapshot.systems))]
    return [mean_of_judgements(snapshot, judged, rows) for rows in here]


def ranks_of(snapshot: StudySnapshot, judged: CriterionJudgements) -> list[Mean]:
    """The mean rank of each system, computed as in the paper."""
    homes = snapshot.units.home[judged.unit]
    ranks = STATISTICS["mean_rank"].ranks(homes, judged.rater, judged.system, judged.value)
    return [ranks.get(place, NO_RANK) for place in range(len(snapshot.systems))]


def _metric(built: BuiltSnapshot, place: int, name: str) -> Json:
    scored = built.snapshot.scores[name][place]
    if scored is not None:
        n = int(np.sum(scored.there)) or None  # of what was judged beside the systems the whole alone is kept
        return {"score": scored.corpus, "signature": scored.signature, "undefined": scored.undefined, "n": n}
    return {"score": None, "signature": "", "undefined": _why_no_score(built, place, name), "n": 0}


def _why_no_score(built: BuiltSnapshot, place: int, name: str) -> str:
    if not any(built.snapshot.systems[place].outputs):
        return "It has no outputs yet."
    if REFERENCES in metric_named(name).needs:
        if built.texts.are_references(place):
            return "Its outputs are the references themselves."
        return "No source that it has an output for has a reference."
    return "It has not been computed yet."
