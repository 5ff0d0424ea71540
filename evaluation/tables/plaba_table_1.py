"""Questions with abstracts that answer them and their adaptations (Attal et al. 2023, Table 1)."""

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.cells import Cell
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from evaluation.tables.plaba_table_2 import NO_REFERENCES
from evaluation.text_examples import Passage, drawn, passages_of
from foundation.papers import PLABA

TITLE = "Questions, abstracts and adaptations"
MOST = 3
NO_QUESTION = "No source comes from a document that answers a question: add questions with their documents."
NOT_WHOLE = "No document that answers a question has a reference for each of its sources."
NOTE = (
    "Drawn at random, the same with every report, from the documents all of whose sources have a reference; of several "
    "references the first is shown."
)


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a document."""
    asked = [passage for passage in passages_of(snapshot) if passage.question]
    whole = [passage for passage in asked if passage.references(snapshot)]
    if not whole:
        none = "" if any(snapshot.units.references) else NO_REFERENCES
        return missing_content(TITLE, none, NO_QUESTION if not asked else "" if none else NOT_WHOLE)
    chosen = [whole[number] for number in drawn(snapshot, "questions", range(len(whole)), MOST)]
    rows = [[Cell(text) for text in _texts(snapshot, passage)] for passage in chosen]
    return Table(TITLE, ["Document", "Question", "Source", "Reference"], rows, [NOTE], [None] * 4)


def named(passage: Passage) -> str:
    """Its code and its title, as far as they are there."""
    return ", ".join(part for part in (passage.code, passage.title) if part) or "A document"


def _texts(snapshot: StudySnapshot, passage: Passage) -> list[str]:
    return [named(passage), passage.question, passage.joined(snapshot.units.sources), passage.references(snapshot)[0]]


TABLE = TableOrFigure(title=TITLE, make=make, paper=PLABA, number="Table 1", order=310)
