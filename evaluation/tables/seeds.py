"""Models that were trained with several seeds: mean and deviation of every number (Attal et al. 2023)."""

from collections.abc import Sequence
from typing import Any

from evaluation.comparability.better_ends import measured
from evaluation.comparability.system_ranking import by_criterion
from evaluation.snapshot import StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.statistics.almost_stochastic_order import FEWEST_SEEDS
from evaluation.table_parts.aspects import metric_label
from evaluation.table_parts.columns import ranking_notes
from evaluation.table_parts.contents import Cell, MissingContent, Table, missing_content, number
from evaluation.table_parts.model_rows import Family, best_models, families_of, marked_scores, seeds_cell
from evaluation.tables._base import TableOrFigure
from evaluation.tables.variants import UNJUDGED
from foundation.translation import translatable

TITLE = "Seeds"
NO_SEEDS = translatable(
    "No model has several seeds: give the systems that are its seeds one family, and the same options."
)
NOTE = "The mean over seeds, and beneath it the standard deviation (n - 1) over those that have a number."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a model; criteria first, then metrics."""
    models = [model for model in families_of(snapshot) if len(model.places) > 1]
    if not models:
        return missing_content(TITLE, NO_SEEDS)
    judged = snapshot.judgements[snapshot.variant]
    better = [
        *(criterion.better for criterion in judged.values()),
        *(measured(snapshot, name).better for name in snapshot.scores),
    ]
    people = [(criterion, by_criterion(snapshot, criterion)) for criterion in judged.values()]
    metrics = [marked_scores(snapshot, name, models) for name in snapshot.scores]
    marked = [
        *(
            best_models(
                [_human(snapshot, criterion.name, model) for model in models], models, ranking, criterion.better
            )
            for criterion, ranking in people
        ),
        *(cells for cells, _ in metrics),
    ]
    first = [[Cell(model.name) for model in models], [number(len(model.places), 0) for model in models]]
    rows = [list(row) for row in zip(*first, *marked, strict=True)]
    labels = [
        *(criterion.label for criterion in judged.values()),
        *(metric_label(snapshot, name) for name in snapshot.scores),
    ]
    over = ranking_notes(list(zip(labels, [ranking for _, ranking in [*people, *metrics]], strict=True)))
    return Table(TITLE, ["Model", "Seeds", *labels], rows, [NOTE, *over], [None, None, *better])


def _human(snapshot: StudySnapshot, criterion: str, model: Family) -> Cell:
    by_name = {row["name"]: row["human"][criterion]["mean"] for row in snapshot.report["systems"]}
    means: Sequence[float | None] = [by_name[snapshot.systems[place].name] for place in model.places]
    values = [mean for mean in means if mean is not None]
    return seeds_cell(values, len(model.places), 2) if values else number(None, why=UNJUDGED)


# Whether a model's scores over seeds are above another's: almost stochastic order (Dror et al. 2019).

ORDER_TITLE = "Models over seeds, in order"
TWO_MODELS = translatable(
    "There are no two models with {fewest} seeds or more: give systems that are seeds of a model one family."
)
ORDER_NOTE = (
    "How far the first model is from being above the second at every quantile of their seeds' numbers: an upper bound "
    "of the violation ratio (almost stochastic order, level {alpha:.2g} after Bonferroni over {pairs} comparisons). "
    "0: it is above everywhere; below 0.5: rather above than below. Few seeds give a wide bound."
)


def make_order(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row an ordered pair of models; criteria first, then metrics of which one end is good."""
    models = [model for model in families_of(snapshot) if len(model.places) >= FEWEST_SEEDS]
    if len(models) < 2:
        return missing_content(ORDER_TITLE, TWO_MODELS.format(fewest=FEWEST_SEEDS))
    rows = {row["name"]: row for row in snapshot.report["systems"]}
    measures = [
        (criterion.label, "human", name, "mean", criterion.better)
        for name, criterion in snapshot.judgements[snapshot.variant].items()
    ] + [
        (metric_label(snapshot, name), "metrics", name, "score", measured(snapshot, name).better)
        for name in snapshot.scores
    ]
    measures = [measure for measure in measures if measure[-1] is not None]
    pairs = [(first, second) for first in models for second in models if first is not second]
    alpha = snapshot.alpha / len(pairs)

    def cell(first: Family, second: Family, kind: str, name: str, field: str, better: bool | None) -> Cell:
        sides = [
            [rows[snapshot.systems[place].name][kind][name][field] for place in model.places]
            for model in (first, second)
        ]
        sign = 1 if better else -1
        turned = [[sign * value for value in side if value is not None] for side in sides]
        compare: Any = STATISTICS["almost_stochastic_order"]
        found = compare.compare(*turned, alpha, snapshot.draws, snapshot.seed)
        return number(found.epsilon, 2, found.undefined, parts={"violation": found.violation})

    body = [
        [Cell(first.name), Cell(second.name), *(cell(first, second, *measure[1:]) for measure in measures)]
        for first, second in pairs
    ]
    head = ["Model", "Above", *(label for label, *_ in measures)]
    note = ORDER_NOTE.format(alpha=alpha, pairs=len(pairs))
    return Table(ORDER_TITLE, head, body, [note], [None, None, *(False for _ in measures)])


ENTRIES = {
    "seeds": TableOrFigure(title=TITLE, make=make, kind="study", order=4),
    "seeds_order": TableOrFigure(title=ORDER_TITLE, make=make_order, kind="study", order=10),
}
