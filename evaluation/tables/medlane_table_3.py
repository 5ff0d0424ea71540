"""Systems by MedLane's twelve columns, and what the best of them gains (Luo et al. 2022, Table 3)."""

from collections.abc import Sequence

import numpy as np

from evaluation.comparing.measures import end_of
from evaluation.comparing.ranking import by_metric
from evaluation.metrics import METRICS
from evaluation.tables import _families as rows_of
from evaluation.tables._base import Cell, Exhibit, Lacking, Table, number
from evaluation.tables._columns import ranking_notes
from evaluation.tables._parts import lacking, metric_of
from evaluation.tables._record import Record
from evaluation.tables.plaba_table_5 import NO_SYSTEM
from foundation.papers import MEDLANE

TITLE = "Systems by BLEU, HIT, CWR and AScore"
REQUIRED = ("bleu_1", "bleu_2", "bleu_3", "bleu", "bleu_mean", "rouge_l", "cider", "sari", "hit", "cwr", "ascore")
METEOR = ("meteor_1_5", "meteor")
LEADING = "ascore"
HEADS = {"bleu": "BLEU-4", "bleu_mean": "BLEU"}
NOTE = (
    "BLEU is the mean of BLEU-1 to BLEU-4, all from 0 to 100; of METEOR 1.5 is taken where it is chosen, else NLTK's. "
    "AScore grows with CWR, of which neither end is the better one by itself."
)


def make(record: Record) -> Table | Lacking:
    """A row a model, the best of each column marked, and a last row with the gain of the model of the best AScore."""
    models, columns = rows_of.families_of(record), columns_of(record)
    if reasons := reasons_of(record, models):
        return lacking(TITLE, *reasons)
    return table_of(record, TITLE, columns, models, [score_column(record, name, models) for name in columns])


def columns_of(record: Record) -> list[str]:
    """The metrics in the paper's order."""
    return [*REQUIRED[:5], metric_of(record, *METEOR) or METEOR[0], *REQUIRED[5:]]


def reasons_of(record: Record, models: Sequence[rows_of.Family], *more: str) -> list[str]:
    """What is lacking; METEOR needs Java or WordNet, and may be."""
    return [*rows_of.not_chosen(record, *REQUIRED, *more), *([] if models else [NO_SYSTEM])]


def score_column(record: Record, name: str, models: Sequence[rows_of.Family]) -> list[Cell]:
    """Scores with the best marked."""
    return rows_of.marked_scores(record, name, models)[0]


def table_of(
    record: Record,
    title: str,
    names: Sequence[str],
    models: Sequence[rows_of.Family],
    columns: Sequence[Sequence[Cell]],
) -> Table:
    """Models under the metrics' heads, and the row of gains."""
    better = [end_of(record, name) for name in names]
    gains = [True if name == "cwr" else end for name, end in zip(names, better, strict=True)]  # AScore grows with CWR
    rows = [list(row) for row in zip([Cell(model.name) for model in models], *columns, strict=True)]
    rankings = {name: by_metric(record, name) for name in names if name in record.scores}
    ranked = [
        [rows_of.ranked_mean(model, rankings[name]) if name in rankings else None for model in models] for name in names
    ]
    known = [-np.inf if one is None else one for one in ranked[names.index(LEADING)]]
    notes = [NOTE, *ranking_notes([(METRICS[name].label, one) for name, one in rankings.items()])]
    if len(models) > 1 and max(known) > -np.inf:
        first = int(np.argmax(known))
        rows.append([Cell("↑"), *(_gain(*one, first) for one in zip(ranked, gains, strict=True))])
        notes.append(f"↑ is what {models[first].name}, of the best AScore, has more than the best of the others.")
    heads = [HEADS.get(name, METRICS[name].label) for name in names]
    return Table(title, ["System", *heads], rows, notes, [None, *better])


def _gain(column: Sequence[float | None], better: bool | None, first: int) -> Cell:
    """In percent of the best other value."""
    own = column[first]
    others = [one for at, one in enumerate(column) if at != first and one is not None]
    if better is None or own is None or not others:
        return number(None, why="Neither end is the better one." if better is None else "A score is lacking.")
    best = max(others) if better else min(others)
    if best == 0:
        return number(None, why="The best of the others is 0.")
    gain = 100 * (own - best) / abs(best)
    return Cell(f"{gain:+.1f}%", gain)


TABLE = Exhibit(title=TITLE, make=make, paper=MEDLANE, number="Table 3", order=430)
