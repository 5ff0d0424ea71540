"""Where each degenerate baseline would stand among the systems by each metric: what fools the metric."""

from evaluation.baselines import BASELINES
from evaluation.comparability.better_ends import measured
from evaluation.comparability.system_ranking import by_metric, round_for_ranking
from evaluation.reporting.trust_groups import Json
from evaluation.snapshot.study import StudySnapshot


def baseline_places(snapshot: StudySnapshot) -> list[Json]:
    """Each degenerate baseline with each metric's score, and its place among the systems: 1 is the best of all."""
    return [
        {
            "name": name,
            "label": BASELINES[name].label,
            "about": BASELINES[name].about,
            "metrics": {
                metric: {
                    "score": scored.corpus,
                    "undefined": scored.undefined,
                    **_standing(snapshot, metric, scored.corpus),
                }
                for metric, scored in snapshot.baselines[name].items()
            },
        }
        for name in BASELINES
        if name in snapshot.baselines
    ]


def _standing(snapshot: StudySnapshot, metric: str, score: float | None) -> Json:
    """Its place among the systems that are ranked, `of` how many, itself counted; None where neither end is good."""
    better = measured(snapshot, metric).better
    others = [
        value for place, value in by_metric(snapshot, metric).values.items() if not snapshot.systems[place].is_human
    ]
    if better is None or score is None or not others:
        return {"place": None, "of": None}
    own = round_for_ranking(score)
    above = sum(other > own if better else other < own for other in others)
    return {"place": above + 1, "of": len(others) + 1}
