"""What every model makes of one text (Attal et al. 2023, Table 7)."""

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.cells import DASH, Cell, joined
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.model_rows import families_of
from evaluation.tables._base import TableOrFigure
from evaluation.tables.plaba_table_1 import named
from evaluation.tables.plaba_table_5 import NO_SYSTEM
from evaluation.text_examples import Passage, drawn, passages_of
from foundation.papers import PLABA

TITLE = "Adaptations of one text by every model"
NO_OUTPUT = "No system has outputs of a whole text: upload some on the page Upload outputs, or run a model."
NONE = "It has no output of the whole text."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """Rows for the question, the source, the reference, and each model, of several seeds the first."""
    models = families_of(snapshot)
    first = [min(family.places) for family in models]
    chosen = _chosen(snapshot, first) if models else None
    if chosen is None:
        return missing_content(TITLE, NO_OUTPUT if models else NO_SYSTEM)
    references = chosen.references(snapshot)
    about = [("Question", chosen.question), ("Source", chosen.joined(snapshot.units.sources))]
    rows = [[Cell(name), Cell(text)] for name, text in [*about, ("Reference", next(iter(references), ""))] if text]
    for model, place in zip(models, first, strict=True):
        text = chosen.joined(snapshot.systems[place].outputs)
        rows.append([Cell(model.name), Cell(text) if text else Cell(DASH, why=NONE)])
    where = named(chosen) if chosen.code or chosen.title else ""
    notes = [joined(where, "drawn at random from the texts of which most models have an output") + ".",
             *(["Of a model of several seeds the first is shown."] if any(len(family.places) > 1 for family in models)
               else [])]  # fmt: skip
    return Table(TITLE, ["From", "Text"], rows, [note[0].upper() + note[1:] for note in notes], [None, None])


def _chosen(snapshot: StudySnapshot, places: list[int]) -> Passage | None:
    """One of the passages of which most of these systems have all outputs; None where none has any."""
    every = passages_of(snapshot)
    counts = [sum(bool(passage.joined(snapshot.systems[place].outputs)) for place in places) for passage in every]
    fullest = max(counts, default=0)
    if not fullest:
        return None
    fullest_passages = [number for number, count in enumerate(counts) if count == fullest]
    return every[drawn(snapshot, "one text", fullest_passages, 1)[0]]


TABLE = TableOrFigure(title=TITLE, make=make, paper=PLABA, number="Table 7", order=370)
