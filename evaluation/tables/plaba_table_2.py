"""How long questions, sources, references and outputs are (Attal et al. 2023, Table 2)."""

from collections.abc import Sequence

from evaluation.corpus_statistics.token_counts import how_lengths_are_counted, words_and_sentences
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.cells import Cell, number
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.model_rows import families_of
from evaluation.tables._base import TableOrFigure
from evaluation.text_examples import passages_of
from foundation.papers import PLABA

TITLE = "Average words and sentences"
NO_OUTPUTS = "It has no outputs."
NO_REFERENCES = "No source has a reference: add references to the study."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row for questions, sources, references, and each model with the texts of all its seeds."""
    references = [text for given in snapshot.units.references for text in given]
    if not references:
        return missing_content(TITLE, NO_REFERENCES)
    questions = list(dict.fromkeys(passage.question for passage in passages_of(snapshot) if passage.question))
    named = [("Questions", questions)] if questions else []
    named += [("Sources", list(snapshot.units.sources)), ("References", references)]
    for family in families_of(snapshot):
        texts = [text for place in family.places for text in snapshot.systems[place].outputs if text is not None]
        named.append((family.name, texts))
    rows = [_row(name, texts, snapshot.language) for name, texts in named]
    notes = [f"A text is a {snapshot.unit}'s.", *how_lengths_are_counted(snapshot.language)]
    return Table(TITLE, ["Texts", "Words a text", "Sentences a text", "Number of texts"], rows, notes)


def _row(name: str, texts: Sequence[str], language: str) -> list[Cell]:
    lengths = words_and_sentences(texts, language)
    if lengths is None:
        none = number(None, why=NO_OUTPUTS)
        return [Cell(name), none, none, number(0, 0)]
    words = _cell(lengths.words, lengths.words_deviation)
    return [Cell(name), words, _cell(lengths.sentences, lengths.sentences_deviation), number(len(texts), 0)]


def _cell(mean: float, deviation: float | None) -> Cell:
    if deviation is None:
        return number(mean, 2)
    return number(mean, 2, small=f"± {deviation:.2f}", parts={"deviation": deviation})


TABLE = TableOrFigure(title=TITLE, make=make, paper=PLABA, number="Table 2", order=320)
