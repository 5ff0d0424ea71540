"""Readability of outputs beside sources and human adaptations (Attal et al. 2023, Table 4)."""

from collections.abc import Sequence

import numpy as np

from evaluation.aggregation import correct_p_values, correction_note, method, significance_star
from evaluation.corpus_statistics.fkgl import (
    FKGL,
    fkgl_of_references,
    fkgl_of_sources,
    mean_grades_of_references,
    mean_of,
)
from evaluation.readability.textstat_counts import VERSION
from evaluation.snapshot import Floats, StudySnapshot
from evaluation.table_parts import model_rows
from evaluation.table_parts.cells import Cell, number, p_text, traced
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.program_settings import program_notes
from evaluation.tables._base import TableOrFigure
from evaluation.tables.plaba_table_2 import NO_REFERENCES
from foundation.papers import PLABA

TITLE = "FKGL of outputs, sources and human adaptations"
HEAD = ["System", "FKGL", "Against the sources", "Against the references"]
OWN = "These are the texts that the others are held against."
FEW = "There is no test: fewer than two texts have both grades, or all grades of one side are the same."
MEANS = (
    "FKGL is the mean of the texts' grades, as the authors' program takes it, whatever the metric itself pools. Of "
    "several references of a text their mean counts once."
)
PROGRAM = {FKGL: {"like": VERSION}}


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row for sources, references and each model, and how its grades go with those of the first two."""
    references = fkgl_of_references(snapshot)
    if references is None or FKGL not in snapshot.scores:
        no_references = "" if references else NO_REFERENCES
        return missing_content(TITLE, *model_rows.not_chosen(snapshot, FKGL), no_references)
    sources, models = fkgl_of_sources(snapshot), model_rows.families_of(snapshot)
    first = [sources.sentences, mean_grades_of_references(snapshot, references.sentences)]
    given = [*first, *(model_rows.sentence_scores(snapshot, FKGL, model) for model in models)]
    names = [Cell(name) for name in ("Sources", "References", *(model.name for model in models))]
    own = [_mean(grades, scores.undefined) for grades, scores in zip(first, (sources, references), strict=True)]
    own += [_of_seeds(snapshot, model) for model in models]
    columns = [_against(snapshot, given, place) for place in (0, 1)]
    rows = [list(row) for row in zip(names, own, *columns, strict=True)]
    return Table(TITLE, HEAD, rows, [MEANS, *program_notes(snapshot, PROGRAM), _note(snapshot)])


def _mean(grades: Floats, why: str) -> Cell:
    mean = mean_of(grades)
    return number(None if np.isnan(mean) else mean, 2, why)


def _of_seeds(snapshot: StudySnapshot, model: model_rows.Family) -> Cell:
    """The mean over its texts; of several seeds the mean of these, and the deviation beneath it."""
    scored = [snapshot.scores[FKGL][place] for place in model.places]
    means = [mean_of(outputs.sentences) for outputs in scored if outputs is not None]
    known = [mean for mean in means if not np.isnan(mean)]
    if not known:
        return number(None, why=model_rows.why_none(snapshot, FKGL, model.places[0]))
    if len(model.places) == 1:
        return number(
            known[0], 2, rows=traced(system=snapshot.systems[model.places[0]].name, metric=FKGL, mean="texts")
        )
    return model_rows.seeds_cell(known, len(model.places), 2)


def _against(snapshot: StudySnapshot, given: Sequence[Floats], place: int) -> list[Cell]:
    """Each group of grades with the one at `place`."""
    tests = {group: _tau(grades, given[place]) for group, grades in enumerate(given) if group != place}
    p = dict(zip(tests, correct_p_values(snapshot, [test and test[1] for test in tests.values()]), strict=True))
    return [
        number(None, why=OWN)
        if group == place
        else _cell(tests[group], p[group], significance_star(snapshot, p[group]))
        for group in range(len(given))
    ]


def _tau(these: Floats, those: Floats) -> tuple[float, float] | None:
    """tau-b of the grades that the same texts have on both sides, and p."""
    both = np.isfinite(these) & np.isfinite(those)
    if both.sum() < 2 or any(values.min() == values.max() for values in (these[both], those[both])):
        return None
    correlation: tuple[float, float] = method("kendall").point(these[both], those[both])
    return correlation


def _cell(correlation: tuple[float, float] | None, p: float | None, stars: str) -> Cell:
    if correlation is None:
        return number(None, why=FEW)
    return number(correlation[0], 2, small=p_text(p), parts={"p": p}, stars=stars)


def _note(snapshot: StudySnapshot) -> str:
    return (
        "Kendall's tau-b of a text's grade with that of its source, or of its references, as in the authors' program: "
        f"* p < {snapshot.alpha:g}{correction_note(snapshot)} says that the two rise together, and not which is the "
        "lower, which the paper reads from it. Of several seeds a text's grade is the mean."
    )


TABLE = TableOrFigure(title=TITLE, make=make, paper=PLABA, number="Table 4", order=340)
