"""The texts of each style in numbers, for training and for testing (Cao et al. 2020, Table 2)."""

from collections import Counter
from collections.abc import Sequence

from evaluation.corpus_statistics.text_statistics import corpus_of
from evaluation.languages import is_english
from evaluation.ngrams.punkt import FOLDER, punkt_splitter
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.cells import Cell, number
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from evaluation.tables.gyafc_table_2 import counted
from foundation.papers import MSD

TITLE = "The corpus in numbers"
NO_TEXTS = "The study has no texts in the splits train, tune and test: add some on the page Texts."
TRAIN, TEST = ("train", "tune"), ("test",)
GRADES = ("FKGL", "Gunning fog", "Coleman-Liau", "Mean readability")
NOTES = (
    "Annotations are sources of a style that have a reference, or references where none has. A text counts as often as "
    "it stands in the corpus, and once where it is a source in one direction and a reference in the other. What tests "
    "are the annotated texts alone; what trains are all texts of a style, of documents too. Concepts are the different "
    "ones that are linked in sources and documents.",
    "The ratio is the second style's number over the first's.",
)
SPLIT = {
    True: "Sentences are split by NLTK, as in the paper.",
    False: "Sentences are split by the rules of FKGL; the paper took NLTK's splitter, which needs "
    f"{FOLDER} of NLTK's data below RESTYLE_MODELS.",
}


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """Columns of each style and their ratio, of what trains (train and tune) and what tests."""
    if len(snapshot.styles) < 2:
        return missing_content(TITLE, "The study has one style, and two are compared here.")
    parts = {name: splits for name, splits in (("train", TRAIN), ("test", TEST)) if _any(snapshot, splits)}
    if not parts:
        return missing_content(TITLE, NO_TEXTS)
    styles = snapshot.styles[:2]
    columns = [column for splits in parts.values() for column in _columns(snapshot, styles, splits)]
    heads = [f"{what}, {name}" for name in parts for what in [*(style.capitalize() for style in styles), "ratio"]]
    rows = [list(row) for row in zip(_names(), *columns, strict=True)]
    notes = [*NOTES, *([SPLIT[punkt_splitter() is not None]] if is_english(snapshot.language) else [])]
    return Table(TITLE, ["Counted", *heads], rows, notes, [None] * (len(heads) + 1))


def _any(snapshot: StudySnapshot, splits: Sequence[str]) -> bool:
    return any(texts for (_, split), texts in snapshot.counts.texts.items() if split in splits)


def _names() -> list[Cell]:
    return [Cell(name) for name in ("Annotations", "Sentences", "Vocabulary", "Concept vocabulary", *GRADES)]


def _columns(snapshot: StudySnapshot, styles: Sequence[str], splits: Sequence[str]) -> list[list[Cell]]:
    """The first style, the second, and the ratio."""
    sides = [_side(snapshot, style, splits) for style in styles]
    return [*sides, [_ratio(a, b) for a, b in zip(*sides, strict=True)]]


def _side(snapshot: StudySnapshot, style: str, splits: Sequence[str]) -> list[Cell]:
    counts = snapshot.counts
    corpus = corpus_of(_texts(snapshot, style, splits), snapshot.language)
    pairs = _pairs(snapshot, style, splits)
    linked = {
        concept for (of, split), ids in counts.concepts.items() if of == style and split in splits for concept in ids
    }
    grades = corpus.grades or [None] * len(GRADES)
    concepts = counted(len(linked)) if linked else number(None, why="No concepts are linked in these texts.")
    cells = [counted(pairs), counted(corpus.sentences), counted(corpus.vocabulary), concepts]
    return [*cells, *(number(grade, 2, corpus.ungraded) for grade in grades)]


def _texts(snapshot: StudySnapshot, style: str, splits: Sequence[str]) -> list[str]:
    """Of what tests only what people worked on: the rest of the documents is no part of the test set."""
    counts = snapshot.counts
    if splits == TEST and (worked_on := [item for item in counts.annotated.items() if item[0][2] in splits]):
        each = Counter[str]()
        for ends, part in worked_on:
            for side, end in enumerate(ends[:2]):
                each |= Counter(part[side] if end == style else ())
        return list(each.elements())
    return [
        text
        for (of, split), split_texts in counts.texts.items()
        if of == style and split in splits
        for text in split_texts
    ]


def _pairs(snapshot: StudySnapshot, style: str, splits: Sequence[str]) -> int:
    """Annotated sources of a style; where it is none's source style, those that are rewritten into it."""
    counted = [(key, n) for key, n in snapshot.counts.pairs.items() if key[2] in splits]
    own = sum(n for (source, *_), n in counted if source == style)
    return own or sum(n for (_, target, *_), n in counted if target == style)


def _ratio(first: Cell, second: Cell) -> Cell:
    if not first.value or not second.value:
        return number(None, why="One of the two has no number.")
    return number(second.value / first.value, 2)


TABLE = TableOrFigure(title=TITLE, make=make, paper=MSD, number="Table 2", order=202, of_corpus=True)
