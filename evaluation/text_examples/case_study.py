"""One unit as every system has it, with what each output got (Luo et al. 2022, Tables 4 and 5)."""

from collections.abc import Sequence

import numpy as np

from evaluation.snapshot.study import StudySnapshot
from evaluation.table_parts.aspects import places_of
from evaluation.table_parts.cells import DASH, Cell
from evaluation.table_parts.contents import Table
from evaluation.text_examples.case_selection import SelectionMetric
from evaluation.text_examples.highlighting import HighlightedText, with_forms
from evaluation.text_examples.parallel_pairs import cell_of

LACKS = "Two systems, people aside, need scores of a metric that compares with references: {0}."
NAMES = "choose AScore or BLEU on the page Choose metrics, and make the report again"
NO_SCORES = LACKS.format(NAMES)
NO_OUTPUT = "It has no output of this."


def case_table(
    snapshot: StudySnapshot, title: str, unit: int, telling: SelectionMetric, notes: Sequence[str], first: int = -1
) -> Table:
    """Source, references with their full forms in brackets, and outputs; the system at `first` before the others."""
    units = snapshot.units
    forms = list(snapshot.context.forms_of(unit))
    rows = [[Cell("Source"), Cell(units.sources[unit])]]
    for number, text in enumerate(units.references[unit], start=1):
        marked = next(
            (highlighted for highlighted in (with_forms(text, each) for each in forms) if highlighted.marks),
            HighlightedText(text, []),
        )
        rows.append([Cell(f"Reference {number}"), cell_of(marked)])
    places = sorted(places_of(snapshot, "system"), key=lambda place: place != first)
    rows += [[Cell(snapshot.systems[place].name), _output(snapshot, place, unit, telling)] for place in places]
    about = f"Under an output stands its own {telling.label}, by which the example was chosen."
    return Table(title, ["From", "Text"], rows, [*notes, about], [None, None])


def _output(snapshot: StudySnapshot, place: int, unit: int, telling: SelectionMetric) -> Cell:
    text = snapshot.systems[place].outputs[unit]
    if not text:
        return Cell(DASH, why=NO_OUTPUT)
    scored = snapshot.scores[telling.metric][place]
    value = float("nan") if scored is None else float(scored.sentences[unit])
    return Cell(text, small="" if np.isnan(value) else f"{telling.label} {value:.2f}")
