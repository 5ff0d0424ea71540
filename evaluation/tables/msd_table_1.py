"""Parallel sentences with their concepts (Cao et al. 2020, Table 1)."""

from evaluation.snapshot.study import StudySnapshot
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from evaluation.tables.plaba_table_2 import NO_REFERENCES
from evaluation.text_examples.highlighting import Marked, with_concepts
from evaluation.text_examples.parallel_pairs import pairs_table
from foundation.papers import MSD

TITLE = "Parallel sentences with their concepts"
NOTES = (
    "In brackets: the identifier of the concept that the words before it were linked to, of several the nearest.",
    "Drawn at random, the same with every report, from the sources that have concepts, as their references have.",
)
NOT_LINKED = "No concepts are linked in the sources: link them on the page Texts."
NOTHING_FOUND = "None of the drawn sources has concepts on both sides: a larger set of concepts may find some."


def make(record: StudySnapshot) -> Table | MissingContent:
    """A row a pair: what its document is about, and each text under its style."""
    units, linked = record.units, record.around.linked
    if not linked:
        some = any(concept > 0 for concept in units.concepts.tolist())
        return missing_content(
            TITLE, "" if any(units.references) else NO_REFERENCES, NOTHING_FOUND if some else NOT_LINKED
        )

    def texts(one: int) -> tuple[Marked, Marked]:
        source, reference = linked[one]
        return with_concepts(units.sources[one], source), with_concepts(units.references[one][0], reference)

    return pairs_table(record, TITLE, list(linked), texts, lambda one: _named(record, one), NOTES)


def _named(record: StudySnapshot, one: int) -> str:
    """'Pleural Effusion, Symptoms'; 'Sentence 17' where neither is known."""
    around, document = record.around, record.around.document_of(one)
    title = around.titles[document] if document >= 0 else ""
    named = ", ".join(part for part in (title, record.units.sections[one]) if part)
    return named or f"{record.unit.capitalize()} {one + 1}"


TABLE = TableOrFigure(title=TITLE, make=make, paper=MSD, number="Table 1", order=201)
