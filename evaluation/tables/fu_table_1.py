"""How many sentences each style has, and of how many words (Fu et al. 2018, Table 1)."""

import re
from collections import Counter
from collections.abc import Iterable

import regex

from evaluation.languages import lowered, writes_spaces
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.cells import Cell
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from evaluation.tables.gyafc_table_2 import counted
from foundation.papers import FU
from foundation.word_diff import words

TITLE = "Size of the texts"
MOST_WORDS = 20
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
NUMBERED = "<num>"
WORD = regex.compile(r"<num>|[\w\p{M}]+(?:['’-][\w\p{M}]+)*|[^\w\s\p{M}]")
NO_TEXTS = "The study has no texts yet: add some on the page Texts."
SPLITS = {"train": "to train on", "tune": "to tune on", "test": "to test on", "": "in no split"}
NOTE = (
    f"As the paper has it, sentences of more than {MOST_WORDS} words are left out, letters are lower case and a number "
    "is one word, <num>. Words are counted once each; marks of punctuation are words, and so are the characters of "
    "languages without spaces. All texts count: sources, references and sentences of documents."
)


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A column a style and one of all: sentences, by split too, those that are left out, and different words."""
    columns = {style: _short(snapshot, style) for style in snapshot.styles}
    every = sum((counts for counts, _, _ in columns.values()), Counter[str]())
    if not sum(every.values()):
        return missing_content(TITLE, NO_TEXTS)
    left = sum(left for _, left, _ in columns.values())
    whole = (every, left, set().union(*(words for _, _, words in columns.values())))
    splits = [split for split in SPLITS if every[split]]
    shown = [_column(*entry, splits) for entry in (*columns.values(), whole)]
    names = [
        "Sentences",
        *(f"Sentences {SPLITS[split]}" for split in splits),
        "Longer ones, left out",
        "Vocabulary size",
    ]
    rows = [[Cell(name), *cells] for name, *cells in zip(names, *shown, strict=True)]
    head = ["Counted", *(style.capitalize() for style in columns), "All"]
    return Table(TITLE, head, rows, [NOTE], [None] * len(head))


def _short(snapshot: StudySnapshot, style: str) -> tuple[Counter[str], int, set[str]]:
    """Of a style, its short sentences by split, how many are longer, and the words of the short ones."""
    counts, left, vocabulary = Counter[str](), 0, set[str]()
    spaced = writes_spaces(snapshot.language)
    for split, text in _texts(snapshot, style):
        small = NUMBER.sub(f" {NUMBERED} ", lowered(text, snapshot.language))
        tokens = WORD.findall(small) if spaced else [piece for run in small.split() for piece in _pieces(run)]
        if len(tokens) > MOST_WORDS:
            left += 1
        else:
            counts[split] += 1
            vocabulary.update(tokens)
    return counts, left, vocabulary


def _pieces(run: str) -> list[str]:
    """Of a language without spaces its characters, and whole words in other letters; a number as it stands."""
    return [run] if run == NUMBERED else [word.text for word in words(run) if word.text]


def _texts(snapshot: StudySnapshot, style: str) -> Iterable[tuple[str, str]]:
    return ((split, text) for (of, split), texts in snapshot.counts.texts.items() if of == style for text in texts)


def _column(counts: Counter[str], left: int, words: set[str], splits: list[str]) -> list[Cell]:
    return [counted(n) for n in (sum(counts.values()), *(counts[split] for split in splits), left, len(words))]


TABLE = TableOrFigure(title=TITLE, make=make, paper=FU, number="Table 1", order=510, of_corpus=True)
