"""MedLane's Table 3 with FKGL, and the references' own (Luo et al. 2022, Table 6)."""

from evaluation.corpus_statistics.fkgl import FKGL, fkgl_of_references
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts import model_rows
from evaluation.table_parts.cells import Cell, number
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from evaluation.tables.medlane_table_3 import columns_of, reasons_of, score_column, table_of
from evaluation.tables.plaba_table_2 import NO_REFERENCES
from foundation.papers import MEDLANE

TITLE = "Systems and references by FKGL"
TRUTH = "References are not scored against themselves."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """Table 3's rows and columns, a column of FKGL, and above them the references, which are the ground truth."""
    models, truth = model_rows.families_of(snapshot), fkgl_of_references(snapshot)
    if reasons := [*reasons_of(snapshot, models, FKGL), *([] if truth else [NO_REFERENCES])]:
        return missing_content(TITLE, *reasons)
    assert truth is not None
    names = [*columns_of(snapshot), FKGL]
    table = table_of(snapshot, TITLE, names, models, [score_column(snapshot, name, models) for name in names])
    unscored = [number(None, why=TRUTH) for _ in names[:-1]]
    first = [Cell("Ground truth"), *unscored, number(truth.corpus, 2, truth.undefined)]
    return Table(table.title, table.head, [first, *table.rows], table.notes, table.better)


TABLE = TableOrFigure(title=TITLE, make=make, paper=MEDLANE, number="Table 6", order=460)
