"""Texts into words with their pieces, as an encoder of BERT's form has them, and pairs of texts into examples."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from corpora.knowledge.brackets import bracketed
from corpora.knowledge.words import tokens
from modelserving.edit_operations import Operation, oracle_edits
from modelserving.lexical_simplification.full_forms import FullForms, right_form
from modelserving.lexical_simplification.marked_sentences import Example, Pieces, Sentence
from modelserving.pretrained.subwords import Subwords

# Which words of a source its rewrite changes, and to what: the term labels of DECLARE (Luo et al. 2022, section 4.1).
#
# The labels are the difference of the two texts: the words of a longest common subsequence are kept, all others are
# changed. Changed words that stand side by side are one run, for which one stretch of the rewrite stands. What a
# rewrite only adds is put to the word that follows it, at the end to the word before, since a polisher that copies
# all other words has no other place to write it.
#
# In the authors' program a changed word is a term only where their dictionary has it. Here every changed word is one,
# as in the paper, whose locator finds what needs "to be simplified or translated".


class Run(NamedTuple):
    """Source words [start, end), at least one, for which the rewrite's words [begin, stop) stand, perhaps none."""

    start: int
    end: int
    begin: int
    stop: int


def changed_runs(source: Sequence[str], target: Sequence[str]) -> list[Run]:
    """The runs of changed words, from left to right.

    Args:
        source: Words, at least one.
        target: Words of the rewrite.

    Returns:
        Runs with at least one kept word between them. The target is the source with each run replaced.
    """
    kept = _without_neighbours_of_additions(kept_words(source, target), len(source), len(target))
    ends = [(-1, -1), *kept, (len(source), len(target))]
    gaps = (Run(i + 1, k, j + 1, m) for (i, j), (k, m) in pairwise(ends))
    return [run for run in gaps if run.end > run.start]


def kept_words(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
    """The places in source and target of the words of a longest common subsequence."""
    found, i, j = list[tuple[int, int]](), 0, 0
    for operation, _ in oracle_edits(source, target):
        if operation is Operation.KEEP:
            found.append((i, j))
        i += operation in (Operation.KEEP, Operation.DELETE)
        j += operation in (Operation.KEEP, Operation.ADD)
    return found + [(i + ahead, j + ahead) for ahead in range(len(source) - i)]


def _without_neighbours_of_additions(kept: list[tuple[int, int]], words: int, rewritten: int) -> list[tuple[int, int]]:
    """The kept words but for those to which something is put that stands for no word of the source."""
    before = [(-1, -1), *kept]
    left = {pair for last, pair in zip(before, kept, strict=False) if _only_added(last, pair)}
    if kept and _only_added(kept[-1], (words, rewritten)):
        left.add(kept[-1])
    return [pair for pair in kept if pair not in left]


def _only_added(last: tuple[int, int], pair: tuple[int, int]) -> bool:
    """Whether words stand between the two in the target, and none in the source."""
    return pair[0] == last[0] + 1 and pair[1] > last[1] + 1


MASK, PADDING, UNKNOWN = "[MASK]", "[PAD]", "[UNK]"
LONGEST_FORM = 62  # pieces: a full form has as much room as a sentence that is learnt from; longer ones are cut


class Word(NamedTuple):
    """A word, and from where to where it stands in its text."""

    text: str
    start: int
    end: int


class Special(NamedTuple):
    """The ids of the special pieces: before and behind each text, of a mark, and of padding."""

    begin: int
    end: int
    mask: int
    padding: int


def words_of(text: str) -> list[Word]:
    """The words of a text, in order."""
    found, at = list[Word](), 0
    for token in tokens(text):
        start = text.index(token, at)
        at = start + len(token)
        found.append(Word(token, start, at))
    return found


class WordPieces:
    """A tokenizer and a dictionary. A UserError where the tokenizer lacks a special piece."""

    def __init__(self, subwords: Subwords, forms: FullForms, most_forms: int) -> None:
        self.subwords, self.dictionary, self.most_forms = subwords, forms, most_forms
        self.special = Special(*subwords.ends, subwords.id_of(MASK), subwords.id_of(PADDING))
        self.unknown = subwords.id_of(UNKNOWN)
        self._pieces = lru_cache(maxsize=100_000)(self._cut)

    def sentence(self, words: Sequence[str], looked_up: Sequence[bool] | None = None) -> Sentence:
        """Words with their pieces; the full forms of those that are looked up, all where that is not said."""
        return Sentence(*self._parts(words, looked_up or [True] * len(words)))

    def example(self, source: str, marked: str) -> Example | None:
        """A pair that is learnt from; None where its source has no word.

        `marked` is the rewrite with full forms in brackets, or without.
        """
        rewrite, in_brackets = bracketed(marked)
        words, rewritten = words_of(source), words_of(rewrite)
        if not words:
            return None
        located, right, rewrites = [False] * len(words), dict[int, int](), list[Pieces]()
        for run in changed_runs(self._keys(words), self._keys(rewritten)):
            there = rewritten[run.begin : run.stop]
            said = rewrite[there[0].start : there[-1].end] if there else ""
            rewrites.append(self.pieces(said))
            for place in range(run.start, run.end):
                located[place] = True
                found = right_form(self._forms(words[place].text), said, in_brackets)
                right |= {} if found is None else {place: found}
        pieces, forms = self._parts([word.text for word in words], located)
        return Example(pieces, forms, located, right, rewrites)

    def pieces(self, text: str) -> Pieces:
        """The ids of a text's pieces, without those at its ends."""
        return [piece.id for piece in self.subwords.pieces(text)]

    def text(self, pieces: Sequence[int]) -> str:
        """The text of pieces; special ones are left out."""
        return self.subwords.text(pieces)

    def _parts(self, words: Sequence[str], looked_up: Sequence[bool]) -> tuple[list[Pieces], dict[int, list[Pieces]]]:
        forms = {
            place: [self.pieces(form)[:LONGEST_FORM] or [self.unknown] for form in self._forms(words[place])]
            for place, wanted in enumerate(looked_up)
            if wanted and self._forms(words[place])
        }
        return [list(self._pieces(word)[0]) for word in words], forms

    def _forms(self, word: str) -> tuple[str, ...]:
        return self.dictionary.forms(word, self.most_forms)

    def _keys(self, words: Sequence[Word]) -> list[str]:
        """What is equal for words that the encoder reads as the same: in other letters, for one that has small ones."""
        return [self._pieces(word.text)[1] for word in words]

    def _cut(self, word: str) -> tuple[tuple[int, ...], str]:
        """The pieces of a word, at least one, and its key."""
        found = self.subwords.pieces(word)
        ids = tuple(piece.id for piece in found) or (self.unknown,)
        return ids, word if self.unknown in ids else " ".join(piece.spelling for piece in found)
