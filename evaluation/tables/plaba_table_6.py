"""Outputs against their sources: how much of them is kept (Attal et al. 2023, Table 6)."""

from collections.abc import Sequence

from evaluation.metrics import METRICS, Batch
from evaluation.tables import _families as rows_of
from evaluation.tables._base import Cell, Exhibit, Lacking, Table, number
from evaluation.tables._parts import lacking
from evaluation.tables._record import Record
from evaluation.tables.plaba_table_5 import NO_SYSTEM, SEEDS
from foundation.papers import PLABA

TITLE = "Outputs against their sources"
ROUGE, BLEU = ("rouge_1", "rouge_2", "rouge_l"), "self_bleu"
NOTE = "The source is the one reference. A copy has the highest scores, so that neither end is the better one."
NO_OUTPUTS = "It has no outputs."


def make(record: Record) -> Table | Lacking:
    """A row a model. ROUGE is computed here, where the study chose it against the references."""
    models = rows_of.families_of(record)
    if reasons := [*rows_of.not_chosen(record, *ROUGE, BLEU), *([] if models else [NO_SYSTEM])]:
        return lacking(TITLE, *reasons)
    columns = [*(_column(record, name, models) for name in ROUGE), rows_of.score_column(record, BLEU, models)]
    rows = [list(row) for row in zip([Cell(one.name) for one in models], *columns, strict=True)]
    return Table(TITLE, ["System", *(METRICS[name].label for name in ROUGE), "BLEU"], rows, [NOTE, SEEDS])


def _column(record: Record, metric: str, models: Sequence[rows_of.Family]) -> list[Cell]:
    return [_cell([_score(record, metric, place) for place in one.places], len(one.places)) for one in models]


def _score(record: Record, metric: str, place: int) -> float | None:
    pairs = zip(record.units.sources, record.systems[place].outputs, strict=True)
    given = [(source, output) for source, output in pairs if output is not None]
    if not given:
        return None
    return METRICS[metric].score(Batch([], [output for _, output in given], [[source] for source, _ in given])).corpus


def _cell(scores: Sequence[float | None], seeds: int) -> Cell:
    values = [one for one in scores if one is not None]
    return rows_of.seeds_cell(values, seeds, 4) if values else number(None, why=NO_OUTPUTS)


TABLE = Exhibit(title=TITLE, make=make, paper=PLABA, number="Table 6", order=360)
