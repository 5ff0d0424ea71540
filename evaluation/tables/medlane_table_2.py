"""A corpus in numbers: tokens, lengths and abbreviations (Luo et al. 2022, Table 2)."""

from evaluation.corpus_statistics.token_counts import HOW, distinct_tokens, mean_tokens
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.cells import Cell, number
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.subsets import direction_name
from evaluation.tables._base import TableOrFigure
from evaluation.tables.gyafc_table_2 import counted
from foundation.papers import MEDLANE

TITLE = "The corpus in numbers"
NOTES = (
    "Tokens are counted once each, as they are written. Source sentences are those that have a reference, target "
    "sentences all references, without brackets; sentences of documents that nobody worked on are in neither.",
    HOW,
    "Abbreviations are the full forms in brackets of a sentence's first reference, in the splits tune and test as in "
    "the paper. Which of the references it counted neither the paper nor its program says.",
)
NO_TEXTS = "No source has a reference: add references to the study."
NO_FORMS = "No sentence of the splits tune and test has a reference with full forms in brackets."
COUNTED_IN = ("tune", "test")


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a number, a column for each direction whose sources have references."""
    columns = {place: _column(snapshot, place) for place in range(len(snapshot.units.directions))}
    columns = {place: cells for place, cells in columns.items() if cells}
    if not columns:
        return missing_content(TITLE, NO_TEXTS)
    names = ["Tokens in the source sentences", "Tokens in the target sentences", "Tokens in both",
             "Average length of the source sentences", "Average length of the target sentences",
             "Average number of abbreviations"]  # fmt: skip
    rows = [[Cell(name), *cells] for name, *cells in zip(names, *columns.values(), strict=True)]
    return Table(TITLE, ["Counted", *(direction_name(snapshot, place) for place in columns)], rows, NOTES)


def _column(snapshot: StudySnapshot, place: int) -> list[Cell]:
    source, target = snapshot.units.directions[place]
    sources, targets = _annotated(snapshot, source, target)
    if not sources or not targets:
        return []
    these, those = (distinct_tokens(of, snapshot.language) for of in (sources, targets))
    lengths = [number(mean_tokens(of, snapshot.language), 1) for of in (sources, targets)]
    counts = [counted(len(of)) for of in (these, those, these & those)]
    return [*counts, *lengths, _abbreviations(snapshot, source, target)]


def _annotated(snapshot: StudySnapshot, source: str, target: str) -> tuple[list[str], list[str]]:
    parts = [part for (a, b, _), part in snapshot.counts.annotated.items() if (a, b) == (source, target)]
    return [text for part in parts for text in part[0]], [text for part in parts for text in part[1]]


def _abbreviations(snapshot: StudySnapshot, source: str, target: str) -> Cell:
    """A mean over units; one whose first line has no brackets has none."""
    forms = [n for split in COUNTED_IN for n in snapshot.counts.forms.get((source, target, split), ())]
    if not any(forms):
        return number(None, why=NO_FORMS)
    return number(sum(forms) / len(forms), 1, parts={"terms": sum(forms)})


TABLE = TableOrFigure(title=TITLE, make=make, paper=MEDLANE, number="Table 2", order=420, of_corpus=True)
