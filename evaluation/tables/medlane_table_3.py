"""Systems by MedLane's twelve columns, and what the best of them gains (Luo et al. 2022, Table 3)."""

from collections.abc import Sequence

import numpy as np

from evaluation.comparability.better_ends import end_of
from evaluation.comparability.system_ranking import by_metric
from evaluation.metrics import METRICS
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts import model_rows
from evaluation.table_parts.aspects import metric_of
from evaluation.table_parts.cells import Cell, number
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.paper_scales import HUNDREDTH, OURS, scale_notes
from evaluation.table_parts.signatures import signature_notes
from evaluation.table_parts.system_tables import ranking_notes
from evaluation.tables._base import TableOrFigure
from evaluation.tables.plaba_table_5 import NO_SYSTEM
from foundation.papers import MEDLANE

TITLE = "Systems by BLEU, HIT, CWR and AScore"
REQUIRED = ("bleu_1", "bleu_2", "bleu_3", "bleu", "bleu_mean", "rouge_l", "cider", "sari", "hit", "cwr", "ascore")
METEOR = ("meteor_1_5", "meteor")
LEADING = "ascore"
HEADS = {"bleu": "BLEU-4", "bleu_mean": "BLEU"}
SCALES = dict.fromkeys(REQUIRED[:5], HUNDREDTH)
NOTE = (
    "BLEU is the mean of BLEU-1 to BLEU-4; of METEOR 1.5 is taken where it is chosen, else NLTK's. "
    "AScore grows with CWR, of which neither end is the better one by itself."
)


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a model, the best of each column marked, and a last row with the gain of the model of the best AScore."""
    models, columns = model_rows.families_of(snapshot), columns_of(snapshot)
    if reasons := reasons_of(snapshot, models):
        return missing_content(TITLE, *reasons)
    return table_of(snapshot, TITLE, columns, models, [score_column(snapshot, name, models) for name in columns])


def columns_of(snapshot: StudySnapshot) -> list[str]:
    """The metrics in the paper's order."""
    return [*REQUIRED[:5], metric_of(snapshot, *METEOR) or METEOR[0], *REQUIRED[5:]]


def reasons_of(snapshot: StudySnapshot, models: Sequence[model_rows.Family], *more: str) -> list[str]:
    """What is lacking; METEOR needs Java or WordNet, and may be."""
    return [*model_rows.not_chosen(snapshot, *REQUIRED, *more), *([] if models else [NO_SYSTEM])]


def score_column(snapshot: StudySnapshot, name: str, models: Sequence[model_rows.Family]) -> list[Cell]:
    """Scores with the best marked, on the paper's scale."""
    return model_rows.marked_scores(snapshot, name, models, scale=SCALES.get(name, OURS))[0]


def table_of(
    snapshot: StudySnapshot,
    title: str,
    names: Sequence[str],
    models: Sequence[model_rows.Family],
    columns: Sequence[Sequence[Cell]],
) -> Table:
    """Models under the metrics' heads, and the row of gains."""
    better = [end_of(snapshot, name) for name in names]
    gains = [True if name == "cwr" else end for name, end in zip(names, better, strict=True)]  # AScore grows with CWR
    rows = [list(row) for row in zip([Cell(model.name) for model in models], *columns, strict=True)]
    rankings = {name: by_metric(snapshot, name) for name in names if name in snapshot.scores}
    ranked = [
        [model_rows.ranked_mean(model, rankings[name]) if name in rankings else None for model in models]
        for name in names
    ]
    known = [-np.inf if value is None else value for value in ranked[names.index(LEADING)]]
    heads = [HEADS.get(name, METRICS[name].label) for name in names]
    over = ranking_notes([(METRICS[name].label, ranking) for name, ranking in rankings.items()])
    notes = [NOTE, *over, *scale_notes(SCALES, zip(names, heads, strict=True))]
    if len(models) > 1 and max(known) > -np.inf:
        first = int(np.argmax(known))
        rows.append([Cell("↑"), *(_gain(*column, first) for column in zip(ranked, gains, strict=True))])
        notes.append(f"↑ is what {models[first].name}, of the best AScore, has more than the best of the others.")
    return Table(title, ["System", *heads], rows, [*notes, *signature_notes(snapshot, names)], [None, *better])


def _gain(column: Sequence[float | None], better: bool | None, first: int) -> Cell:
    """In percent of the best other value."""
    own = column[first]
    others = [value for place, value in enumerate(column) if place != first and value is not None]
    if better is None or own is None or not others:
        return number(None, why="Neither end is the better one." if better is None else "A score is lacking.")
    best = max(others) if better else min(others)
    if best == 0:
        return number(None, why="The best of the others is 0.")
    gain = 100 * (own - best) / abs(best)
    return Cell(f"{gain:+.1f}%", gain)


TABLE = TableOrFigure(title=TITLE, make=make, paper=MEDLANE, number="Table 3", order=430)
