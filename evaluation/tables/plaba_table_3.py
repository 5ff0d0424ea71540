"""How near sources are to their references, as if they were outputs (Attal et al. 2023, Table 3)."""

from evaluation.metrics import METRICS
from evaluation.tables._base import Cell, Exhibit, Lacking, Table, number
from evaluation.tables._families import digits_of, not_chosen
from evaluation.tables._parts import lacking, no_metric
from evaluation.tables._record import Record, Scored
from foundation.papers import PLABA

TITLE = "Sources beside the references"
COLUMNS, IF_THERE = ("rouge_1", "rouge_2", "rouge_l", "bleu"), ("bertscore",)
FOIL = "copied_source"
NOTE = "The source is the candidate, and all references of a unit stand against it."
UNSCORED = "The sources have not been scored against the references yet: make the report again."


def make(record: Record) -> Table | Lacking:
    """One row: the scores of the source as the output for itself."""
    found = record.foils.get(FOIL, {})
    reasons = not_chosen(record, *COLUMNS)
    if not reasons and not any(found[name].corpus is not None for name in COLUMNS if name in found):
        reasons = list(dict.fromkeys(found[name].undefined for name in COLUMNS if name in found)) or [UNSCORED]
    if reasons:
        return lacking(TITLE, *reasons)
    names = [*COLUMNS, *IF_THERE]
    cells = [_cell(record, name, found.get(name)) for name in names]
    notes = [f"{METRICS[name].label}: {cell.why}" for name, cell in zip(names, cells, strict=True) if cell.why]
    return Table(
        TITLE, ["Texts", *(METRICS[name].label for name in names)], [[Cell("Sources"), *cells]], [NOTE, *notes]
    )


def _cell(record: Record, name: str, found: Scored | None) -> Cell:
    if found is not None:
        return number(found.corpus, digits_of(name), found.undefined)
    return number(None, why=no_metric(name) if name not in record.scores else UNSCORED)


TABLE = Exhibit(title=TITLE, make=make, paper=PLABA, number="Table 3", order=330)
