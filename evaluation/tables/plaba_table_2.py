"""How long sources, references and outputs are (Attal et al. 2023, Table 2)."""

from collections.abc import Sequence

from evaluation.corpus_statistics.token_counts import HOW_WORDS, words_and_sentences
from evaluation.snapshot.study import StudySnapshot
from evaluation.table_parts.cells import Cell, number
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.model_rows import families_of
from evaluation.tables._base import TableOrFigure
from foundation.papers import PLABA

TITLE = "Average words and sentences"
NO_REFERENCES = "No source has a reference: add references to the study."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row for sources, references, and each model with the texts of all its seeds."""
    references = [text for given in snapshot.units.references for text in given]
    if not references:
        return missing_content(TITLE, NO_REFERENCES)
    named = [("Sources", snapshot.units.sources), ("References", references)]
    for family in families_of(snapshot):
        texts = [text for place in family.places for text in snapshot.systems[place].outputs if text is not None]
        named.append((family.name, texts))
    rows = [_row(name, texts, snapshot.language) for name, texts in named]
    unit = f"A text is a {snapshot.unit}'s."
    return Table(TITLE, ["Texts", "Words a text", "Sentences a text", "Number of texts"], rows, [unit, HOW_WORDS])


def _row(name: str, texts: Sequence[str], language: str) -> list[Cell]:
    words, sentences = words_and_sentences(texts, language) or (None, None)
    why = "It has no outputs."
    return [Cell(name), number(words, 2, why), number(sentences, 2, why), number(len(texts), 0)]


TABLE = TableOrFigure(title=TITLE, make=make, paper=PLABA, number="Table 2", order=320)
