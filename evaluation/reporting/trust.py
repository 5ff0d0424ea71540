"""Which metric to trust: metrics by how far they agree with people, which of them do not differ, what fools each.

All metrics of one ranking stand over the same outputs (`evaluation.comparability.common_scores`), of the same systems.
"""

import numpy as np

from evaluation.comparability.better_ends import fit_together
from evaluation.comparability.common_scores import Mask, common_outputs, competing
from evaluation.comparability.incomplete_design import has_same_sources, without_effects_of_items
from evaluation.correlation.metric_permutation import MetricPermutations
from evaluation.numerics.distinct import count_distinct
from evaluation.reporting.baseline_places import baseline_places
from evaluation.reporting.correlations import Correlated, human_at, metric_at, points_of
from evaluation.reporting.sentence_level import COEFFICIENT, Floats, ScoreTables, score_table, sentence_level_rows
from evaluation.reporting.system_level import SystemLevelRanking
from evaluation.reporting.trust_groups import LEVELS, Json, group_metrics, sign_of
from evaluation.resampling.bootstrap import Bootstrap
from evaluation.significance.families import draws_for
from evaluation.snapshot.judgements import CriterionJudgements
from evaluation.snapshot.study import StudySnapshot

TEST = "perm_both"
MOST_DRAWS = 10_000  # each holds a number for every item


def trust(snapshot: StudySnapshot, correlated: Correlated, bootstrap: Bootstrap) -> Json:
    """For each criterion the metrics, the most trustworthy first, by sentence and by system; and the baselines."""
    points = points_of(snapshot)
    judged = snapshot.judgements[snapshot.variant]
    tables = ScoreTables(
        np.unique(points[1]),
        {name: score_table(snapshot, metric_at(snapshot, name, points), points) for name in snapshot.scores},
        {
            name: score_table(snapshot, human_at(snapshot, judgements, points), points)
            for name, judgements in judged.items()
        },
        {},
    )
    by_criterion = {
        name: _of_criterion(snapshot, judgements, tables, correlated, bootstrap) for name, judgements in judged.items()
    }
    return {
        "coefficient": COEFFICIENT,
        "test": TEST,
        "human_systems": snapshot.human_systems,
        "criteria": by_criterion,
        "foils": baseline_places(snapshot),
    }


def _of_criterion(
    snapshot: StudySnapshot,
    judged: CriterionJudgements,
    tables: ScoreTables,
    correlated: Correlated,
    bootstrap: Bootstrap,
) -> Json:
    sign = -1 if judged.better is False else 1
    turns = {name: sign_of(snapshot, name) for name in tables.metrics if fit_together(snapshot, name, judged)}
    human, here = tables.people[judged.name], competing(snapshot)[:, None]
    present = {name: np.isfinite(tables.metrics[name]) & np.isfinite(human) & here for name in turns}
    by_sentence = common_outputs(present)
    systemwise = SystemLevelRanking(snapshot, judged, correlated, list(turns), bootstrap)
    rows = {
        "sentence": sentence_level_rows(snapshot, judged, tables, by_sentence, correlated, bootstrap),
        "system": systemwise.rows(),
    }
    common = {"sentence": by_sentence, "system": systemwise.common}
    ranked = {}
    for level in LEVELS:
        mask = _judged_of(common[level].mask, tables)
        turned = {name: turns[name] * _within(tables.metrics[name], present[name] & mask) for name in turns}
        people = sign * human
        if level == "system":  # whose means stand over what each system has
            turned = {name: without_effects_of_items(scores) for name, scores in turned.items()}
            people = without_effects_of_items(_within(people, mask & here) if mask.size else people)
        draws = draws_for(max(len(turned) - 1, 1), snapshot.alpha, snapshot.draws, MOST_DRAWS)
        pairs = MetricPermutations(turned, people, draws, snapshot.seed)
        ranked[level] = group_metrics(snapshot, level, sign, turns, rows[level], pairs, common[level])
    narrowest = {level: shared.narrowest for level, shared in common.items()}
    uneven = _uneven(systemwise)
    return {**_basis(snapshot, judged, by_sentence.mask, tables), "narrowest": narrowest, "uneven": uneven, **ranked}


def _uneven(ranking: SystemLevelRanking) -> Json | None:
    """How many of the judged sources all systems were judged on, and of how many; None where on all.

    `compared` of the `systems` are those whose means the differences of pairs make comparable.
    """
    if not ranking.common.mask.size or has_same_sources(ranking.human_column):
        return None
    sources = [set(sums.groups.tolist()) for sums in ranking.human_column if sums is not None]
    compared = int(np.isfinite(ranking.human.values).sum())
    shared, judged = len(set.intersection(*sources)), len(set.union(*sources))
    return {"shared": shared, "judged": judged, "systems": len(sources), "compared": compared}


def _judged_of(mask: Mask, tables: ScoreTables) -> Mask:
    """Of a mask over all units, those of the tables."""
    return mask if mask.shape[1] in (0, len(tables.units)) else mask[:, tables.units]


def _within(values: Floats, mask: Mask) -> Floats:
    return np.where(mask, values, np.nan)


def _basis(snapshot: StudySnapshot, judged: CriterionJudgements, mask: Mask, tables: ScoreTables) -> Json:
    """What the agreement by sentence rests on: the outputs that are compared, and all that was said of them.

    An output that two systems gave is judged once, and counts once.
    """
    column = np.full(len(snapshot.units.ids), -1, dtype=np.intp)
    column[tables.units] = np.arange(len(tables.units))
    here = np.zeros(len(judged.unit), dtype=bool)
    if mask.size:
        here = mask[judged.system, column[judged.unit]]
    text, rater = judged.text[here], judged.rater[here]
    return {
        "judgements": count_distinct(text * (rater.max(initial=0) + 1) + rater),
        "outputs": count_distinct(text),
        "raters": count_distinct(rater),
        "systems": int(mask.any(axis=1).sum()) if mask.size else 0,
    }
