"""How near sources are to their references, as if they were outputs (Attal et al. 2023, Table 3)."""

from evaluation.metrics import METRICS
from evaluation.snapshot import ScoredOutputs, StudySnapshot
from evaluation.table_parts.cells import Cell, number
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content, no_metric
from evaluation.table_parts.model_rows import digits_of, not_chosen
from evaluation.table_parts.paper_scales import OURS, scale_notes
from evaluation.table_parts.program_settings import program_notes
from evaluation.tables._base import TableOrFigure
from evaluation.tables.plaba_table_5 import ROUGE_PROGRAM, SCALES
from foundation.papers import PLABA

TITLE = "Sources beside the references"
COLUMNS, IF_THERE = ("rouge_1", "rouge_2", "rouge_l", "bleu"), ("bertscore",)
FOIL = "copied_source"
NOTE = "The source is the candidate, and all references of a unit stand against it."
UNSCORED = "The sources have not been scored against the references yet: make the report again."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """One row: the scores of the source as the output for itself."""
    scores = snapshot.baselines.get(FOIL, {})
    reasons = not_chosen(snapshot, *COLUMNS)
    if not reasons and not any(scores[name].corpus is not None for name in COLUMNS if name in scores):
        reasons = list(dict.fromkeys(scores[name].undefined for name in COLUMNS if name in scores)) or [UNSCORED]
    if reasons:
        return missing_content(TITLE, *reasons)
    names = [*COLUMNS, *IF_THERE]
    cells = [_cell(snapshot, name, scores.get(name)) for name in names]
    heads = [METRICS[name].label for name in names]
    lacking = [f"{head}: {cell.why}" for head, cell in zip(heads, cells, strict=True) if cell.why]
    scales, program = scale_notes(SCALES, zip(names, heads, strict=True)), program_notes(snapshot, ROUGE_PROGRAM)
    return Table(TITLE, ["Texts", *heads], [[Cell("Sources"), *cells]], [NOTE, *scales, *program, *lacking])


def _cell(snapshot: StudySnapshot, name: str, scored: ScoredOutputs | None) -> Cell:
    if scored is not None:
        scale = SCALES.get(name, OURS)
        return number(scale.of(scored.corpus), digits_of(name) + scale.digits, scored.undefined)
    return number(None, why=no_metric(name) if name not in snapshot.scores else UNSCORED)


TABLE = TableOrFigure(title=TITLE, make=make, paper=PLABA, number="Table 3", order=330)
