"""What people and metrics say of each system."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from evaluation.comparability.better_ends import metric_named
from evaluation.numerics.results import Mean
from evaluation.recording.gathering import Gathered
from evaluation.snapshot.judgements import RANK, CriterionJudgements
from evaluation.snapshot.study import StudySnapshot
from evaluation.statistics import STATISTICS

Json = dict[str, Any]
REFERENCES = "references"
NO_RANK = Mean(None, None, None, 0, "There are no judgements.")


def systems(gathered: Gathered) -> list[Json]:
    """A row a system; `human` are the means of the leading variant, `variants` those of all three."""
    record = gathered.record
    means = {variant: _means(record, judged) for variant, judged in record.judgements.items()}
    return [_system(gathered, place, means) for place in range(len(record.systems))]


def _system(gathered: Gathered, place: int, means: Mapping[str, Mapping[str, list[Mean]]]) -> Json:
    record, row = gathered.record, gathered.record.systems[place]
    outputs = sum(text is not None for text in row.outputs)
    variants = {
        variant: {name: asdict(found[place]) for name, found in by_name.items()} for variant, by_name in means.items()
    }
    return {
        "name": row.name,
        "family": row.family,
        "seed": row.seed,
        "is_human": row.is_human,
        "role": row.role,
        "outputs": outputs,
        "missing": len(row.outputs) - outputs,
        "human": variants[record.variant],
        "variants": variants,
        "metrics": {name: _metric(gathered, place, name) for name in record.scores},
    }


def _means(record: StudySnapshot, judged: Mapping[str, CriterionJudgements]) -> dict[str, list[Mean]]:
    """The systems' means by criterion; identical outputs are judged once and count for every system."""
    return {name: ranks_of(record, one) if name == RANK else _values(record, one) for name, one in judged.items()}


def _values(record: StudySnapshot, judged: CriterionJudgements) -> list[Mean]:
    homes = record.units.home[judged.unit]
    here = [judged.system == place for place in range(len(record.systems))]
    return [STATISTICS["mean_interval"].mean(judged.value[at], homes[at]) for at in here]


def ranks_of(record: StudySnapshot, judged: CriterionJudgements) -> list[Mean]:
    """The mean rank of each system, worked out as in the paper."""
    homes = record.units.home[judged.unit]
    found = STATISTICS["mean_rank"].ranks(homes, judged.rater, judged.system, judged.value)
    return [found.get(place, NO_RANK) for place in range(len(record.systems))]


def _metric(gathered: Gathered, place: int, name: str) -> Json:
    found = gathered.record.scores[name][place]
    if found is not None:
        n = int(np.sum(found.there)) or None  # of what was judged beside the systems the whole alone is kept
        return {"score": found.corpus, "signature": found.signature, "undefined": found.undefined, "n": n}
    return {"score": None, "signature": "", "undefined": _why_no_score(gathered, place, name), "n": 0}


def _why_no_score(gathered: Gathered, place: int, name: str) -> str:
    if not any(gathered.record.systems[place].outputs):
        return "It has no outputs yet."
    if REFERENCES in metric_named(name).needs:
        if gathered.texts.are_references(place):
            return "Its outputs are the references themselves."
        return "No source that it has an output for has a reference."
    return "It has not been worked out yet."
