"""Readability of outputs beside sources and human adaptations (Attal et al. 2023, Table 4)."""

from collections.abc import Sequence

import numpy as np

from evaluation.aggregation.significance_stars import correct_p_values, correction_note, significance_star
from evaluation.aggregation.system_sums import method
from evaluation.corpus_statistics.fkgl import FKGL, fkgl_of_references, fkgl_of_sources
from evaluation.snapshot.arrays import Floats
from evaluation.snapshot.study import StudySnapshot
from evaluation.table_parts import model_rows
from evaluation.table_parts.cells import Cell, number, p_text
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from evaluation.tables.plaba_table_2 import NO_REFERENCES
from foundation.papers import PLABA

TITLE = "FKGL of outputs, sources and human adaptations"
HEAD = ["System", "FKGL", "Against the sources", "Against the references"]
OWN = "These are the texts that the others are held against."
FEW = "There is no test: one of the two has no scores, or all are the same."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row for sources, references and each model, and how far each is from the first two."""
    references = fkgl_of_references(snapshot)
    if references is None or FKGL not in snapshot.scores:
        no_references = "" if references else NO_REFERENCES
        return missing_content(TITLE, *model_rows.not_chosen(snapshot, FKGL), no_references)
    sources, models = fkgl_of_sources(snapshot), model_rows.families_of(snapshot)
    given = [
        sources.sentences,
        references.sentences,
        *(model_rows.sentence_scores(snapshot, FKGL, model) for model in models),
    ]
    names = [Cell(name) for name in ("Sources", "References", *(model.name for model in models))]
    own = [number(scores.corpus, 2, scores.undefined) for scores in (sources, references)]
    own += model_rows.score_column(snapshot, FKGL, models)
    columns = [_against(snapshot, given, place) for place in (0, 1)]
    rows = [list(row) for row in zip(names, own, *columns, strict=True)]
    return Table(TITLE, HEAD, rows, [_note(snapshot)])


def _against(snapshot: StudySnapshot, given: Sequence[Floats], place: int) -> list[Cell]:
    """Each group of scores against the one at `place`."""
    tests = {group: _tau(scores, given[place]) for group, scores in enumerate(given) if group != place}
    p = dict(zip(tests, correct_p_values(snapshot, [test and test[1] for test in tests.values()]), strict=True))
    return [
        number(None, why=OWN)
        if group == place
        else _cell(tests[group], p[group], significance_star(snapshot, p[group]))
        for group in range(len(given))
    ]


def _tau(these: Floats, those: Floats) -> tuple[float, float] | None:
    """tau-b of which group a text is of (1 these, 0 those) with its score, and p."""
    first, second = these[np.isfinite(these)], those[np.isfinite(those)]
    values = np.concatenate((first, second))
    if not len(first) or not len(second) or values.min() == values.max():
        return None
    correlation: tuple[float, float] = method("kendall").point(np.repeat([1.0, 0.0], [len(first), len(second)]), values)
    return correlation


def _cell(correlation: tuple[float, float] | None, p: float | None, stars: str) -> Cell:
    if correlation is None:
        return number(None, why=FEW)
    return number(correlation[0], 2, small=p_text(p), parts={"p": p}, stars=stars)


def _note(snapshot: StudySnapshot) -> str:
    return (
        "Kendall's tau-b between a text's score and whose it is; above 0 the row's texts have the higher grades. "
        f"* p < {snapshot.alpha:g}{correction_note(snapshot)}. Of several seeds a text's score is the mean."
    )


TABLE = TableOrFigure(title=TITLE, make=make, paper=PLABA, number="Table 4", order=340)
