"""How long sources, references and outputs are (Attal et al. 2023, Table 2)."""

from collections.abc import Sequence

from evaluation.tables._base import Cell, Exhibit, Lacking, Table, number
from evaluation.tables._counting import HOW_WORDS, words_and_sentences
from evaluation.tables._families import families_of
from evaluation.tables._parts import lacking
from evaluation.tables._record import Record
from foundation.papers import PLABA

TITLE = "Average words and sentences"
NO_REFERENCES = "No source has a reference: add references to the study."


def make(record: Record) -> Table | Lacking:
    """A row for sources, references, and each model with the texts of all its seeds."""
    references = [text for given in record.units.references for text in given]
    if not references:
        return lacking(TITLE, NO_REFERENCES)
    rows = [_row("Sources", record.units.sources), _row("References", references)]
    for family in families_of(record):
        texts = [text for place in family.places for text in record.systems[place].outputs if text is not None]
        rows.append(_row(family.name, texts))
    unit = f"A text is a {record.unit}'s."
    return Table(TITLE, ["Texts", "Words a text", "Sentences a text", "Number of texts"], rows, [unit, HOW_WORDS])


def _row(name: str, texts: Sequence[str]) -> list[Cell]:
    words, sentences = words_and_sentences(texts) or (None, None)
    why = "It has no outputs."
    return [Cell(name), number(words, 2, why), number(sentences, 2, why), number(len(texts), 0)]


TABLE = Exhibit(title=TITLE, make=make, paper=PLABA, number="Table 2", order=320)
