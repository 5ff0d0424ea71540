"""Parallel sentences with their concepts (Cao et al. 2020, Table 1)."""

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from evaluation.tables.plaba_table_2 import NO_REFERENCES
from evaluation.text_examples import HighlightedText, pairs_table, with_concepts
from foundation.papers import MSD

TITLE = "Parallel sentences with their concepts"
NOTES = (
    "In brackets: the identifier of the concept that the words before it were linked to, of several the nearest.",
    "Drawn at random, the same with every report, from the sources that have concepts, as their references have.",
)
NOT_LINKED = "No concepts are linked in the sources: link them on the page Texts."
NOTHING_FOUND = "None of the drawn sources has concepts on both sides: a larger set of concepts may find some."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a pair: what its document is about, and each text under its style."""
    units, linked = snapshot.units, snapshot.context.linked
    if not linked:
        some = any(concept > 0 for concept in units.concepts.tolist())
        return missing_content(
            TITLE, "" if any(units.references) else NO_REFERENCES, NOTHING_FOUND if some else NOT_LINKED
        )

    def texts(unit: int) -> tuple[HighlightedText, HighlightedText]:
        source, reference = linked[unit]
        return with_concepts(units.sources[unit], source), with_concepts(units.references[unit][0], reference)

    return pairs_table(snapshot, TITLE, list(linked), texts, lambda unit: _named(snapshot, unit), NOTES)


def _named(snapshot: StudySnapshot, unit: int) -> str:
    """'Pleural Effusion, Symptoms'; 'Sentence 17' where neither is known."""
    around, document = snapshot.context, snapshot.context.document_of(unit)
    title = around.titles[document] if document >= 0 else ""
    named = ", ".join(part for part in (title, snapshot.units.sections[unit]) if part)
    return named or f"{snapshot.unit.capitalize()} {unit + 1}"


TABLE = TableOrFigure(title=TITLE, make=make, paper=MSD, number="Table 1", order=201)
