"""Models that were trained with several seeds: mean and deviation of every number (Attal et al. 2023)."""

from collections.abc import Sequence

from evaluation.comparability.better_ends import measured
from evaluation.comparability.system_ranking import by_criterion
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import metric_label
from evaluation.table_parts.columns import ranking_notes
from evaluation.table_parts.contents import Cell, MissingContent, Table, missing_content, number
from evaluation.table_parts.model_rows import Family, best_models, families_of, marked_scores, seeds_cell
from evaluation.tables._base import TableOrFigure
from evaluation.tables.variants import UNJUDGED

TITLE = "Seeds"
NO_SEEDS = "No model has several seeds: give the systems that are its seeds one family, and the same options."
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


TABLE = TableOrFigure(title=TITLE, make=make, kind="study", order=4)
