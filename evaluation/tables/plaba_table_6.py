"""Outputs against their sources: how much of them is kept (Attal et al. 2023, Table 6)."""

from evaluation.corpus_statistics.signed_settings import rouge_settings
from evaluation.metrics import METRICS, MetricInput
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts import model_rows
from evaluation.table_parts.cells import Cell, number
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.paper_scales import HUNDREDTH, scale_notes
from evaluation.table_parts.program_settings import program_notes
from evaluation.tables._base import TableOrFigure
from evaluation.tables.plaba_table_5 import NO_SYSTEM, ROUGE_PROGRAM, SEEDS
from foundation.papers import PLABA

TITLE = "Outputs against their sources"
ROUGE, BLEU = ("rouge_1", "rouge_2", "rouge_l"), "self_bleu"
NOTES = (
    "The source is the one reference. A copy has the highest scores, so that neither end is the better one.",
    "ROUGE is worked out for this table, with the settings of the study's own; BLEU is the report's Self-BLEU.",
    SEEDS,
)
NO_OUTPUTS = "It has no outputs."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a model."""
    models = model_rows.families_of(snapshot)
    if reasons := [*model_rows.not_chosen(snapshot, *ROUGE, BLEU), *([] if models else [NO_SYSTEM])]:
        return missing_content(TITLE, *reasons)
    columns = [
        *([_cell(snapshot, name, model) for model in models] for name in ROUGE),
        model_rows.score_column(snapshot, BLEU, models, scale=HUNDREDTH),
    ]
    rows = [list(row) for row in zip([Cell(model.name) for model in models], *columns, strict=True)]
    notes = [*NOTES, *scale_notes({BLEU: HUNDREDTH}, [(BLEU, "BLEU")]), *program_notes(snapshot, ROUGE_PROGRAM)]
    return Table(TITLE, ["System", *(METRICS[name].label for name in ROUGE), "BLEU"], rows, notes)


def _cell(snapshot: StudySnapshot, name: str, model: model_rows.Family) -> Cell:
    scores = [_score(snapshot, name, place) for place in model.places]
    values = [score for score in scores if score is not None]
    return model_rows.seeds_cell(values, len(scores), 4) if values else number(None, why=NO_OUTPUTS)


def _score(snapshot: StudySnapshot, name: str, place: int) -> float | None:
    """A system's; None without outputs."""
    outputs = snapshot.systems[place].outputs
    pairs = [(text, [source]) for text, source in zip(outputs, snapshot.units.sources, strict=True) if text is not None]
    if not pairs:
        return None
    texts, sources = (list(column) for column in zip(*pairs, strict=True))
    batch = MetricInput([], texts, sources, language=snapshot.language)
    return METRICS[name].score(batch, **rouge_settings(snapshot, name)).corpus


TABLE = TableOrFigure(title=TITLE, make=make, paper=PLABA, number="Table 6", order=360)
