"""Outputs against the references (Attal et al. 2023, Table 5)."""

import numpy as np

from evaluation.aggregation import correct_p_values, correction_note, method, significance_star
from evaluation.comparability.better_ends import end_of
from evaluation.metrics import METRICS
from evaluation.ngrams.rouge import PRINTED, PUNKT, REFERENCES
from evaluation.snapshot import Floats, StudySnapshot
from evaluation.table_parts import model_rows
from evaluation.table_parts.cells import Cell
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content, no_metric
from evaluation.table_parts.paper_scales import HUNDREDTH, OURS, scale_notes
from evaluation.table_parts.program_settings import program_notes
from evaluation.table_parts.system_tables import ranking_notes
from evaluation.tables._base import TableOrFigure
from foundation.papers import PLABA

TITLE = "Outputs against the references"
REQUIRED, IF_THERE = ("rouge_1", "rouge_2", "rouge_l", "bleu", "sari"), ("bertscore",)
COLUMNS = ("rouge_1", "rouge_2", "rouge_l", "bleu", "bertscore", "sari")
SCALES = {"bleu": HUNDREDTH}
ROUGE_PROGRAM = {
    name: {"of": "f1", "stem": "porter", "refs": REFERENCES[PRINTED], "sentences": PUNKT} for name in COLUMNS[:3]
}
PROGRAM = {**ROUGE_PROGRAM, "sari": {"like": "hf"}}
NO_SYSTEM = "There is no system: add one, with its outputs."
SEEDS = "Of a model with several seeds the mean over seeds, and the deviation (n - 1)."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a model: mean and deviation over its seeds, the best marked, stars against the baseline."""
    models = model_rows.families_of(snapshot)
    if reasons := [*model_rows.not_chosen(snapshot, *REQUIRED), *([] if models else [NO_SYSTEM])]:
        return missing_content(TITLE, *reasons)
    base = model_rows.family_at(models, snapshot.baseline)
    columns = [
        model_rows.marked_scores(snapshot, name, models, stars_of(snapshot, name, models, base), SCALES.get(name, OURS))
        for name in COLUMNS
    ]
    over = ranking_notes([(METRICS[name].label, ranking) for name, (_, ranking) in zip(COLUMNS, columns, strict=True)])
    names = [Cell(model.name) for model in models]
    rows = [list(row) for row in zip(names, *(cells for cells, _ in columns), strict=True)]
    left = [no_metric(name) for name in IF_THERE if name not in snapshot.scores]
    heads = [METRICS[name].label for name in COLUMNS]
    set_as = [*scale_notes(SCALES, zip(COLUMNS, heads, strict=True)), *program_notes(snapshot, PROGRAM)]
    notes = [SEEDS, *set_as, *([star_note(snapshot, base)] if base else []), *over, *left]
    head = ["System", *heads]
    return Table(TITLE, head, rows, notes, [None, *(end_of(snapshot, name) for name in COLUMNS)])


def stars_of(
    snapshot: StudySnapshot, metric: str, models: list[model_rows.Family], base: model_rows.Family | None
) -> list[str]:
    """By Wilcoxon's test over the sources that both have, each with the mean over seeds."""
    if base is None or metric not in snapshot.scores:
        return [""] * len(models)
    other = model_rows.sentence_scores(snapshot, metric, base)
    tests = [
        None if model == base else _p(snapshot, model_rows.sentence_scores(snapshot, metric, model), other)
        for model in models
    ]
    return [significance_star(snapshot, p) for p in correct_p_values(snapshot, tests)]


def _p(snapshot: StudySnapshot, these: Floats, those: Floats) -> float | None:
    both = np.isfinite(these) & np.isfinite(those)
    homes = snapshot.units.home[both]
    p: float | None = method("wilcoxon").compare(these[both], those[both], homes).p
    return p


def star_note(snapshot: StudySnapshot, base: model_rows.Family) -> str:
    """What a star means."""
    by_column = correction_note(snapshot)
    return f"* differs from {base.name} with p < {snapshot.alpha:g}{by_column}, by Wilcoxon's signed-rank test."


TABLE = TableOrFigure(title=TITLE, make=make, paper=PLABA, number="Table 5", order=350)
