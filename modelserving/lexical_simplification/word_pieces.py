"""Texts into words with pieces, as encoders of BERT's form have them; full forms of terms, and marked sentences."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple

from corpora.knowledge import common_words
from corpora.knowledge.abbreviations import Abbreviations
from corpora.knowledge.brackets import bracketed
from corpora.knowledge.words import tokens
from foundation.errors import UserError
from modelserving.edit_operations import Operation, oracle_edits
from modelserving.pretrained.subwords import Subwords

# The full forms of terms, looked up in a dictionary of abbreviations, and the one that a rewrite contains.


@dataclass(frozen=True)
class FullForms:
    """A dictionary, and the everyday words that its abbreviations may be mistaken for."""

    known: Abbreviations
    everyday: frozenset[str]

    @classmethod
    def of(cls, forms: Mapping[str, tuple[str, ...]]) -> "FullForms":
        """Made of a training's dictionary; raises as `abbreviations_of`."""
        known = abbreviations_of(forms)
        return cls(known, frozenset(short.lower() for short in known.forms) & common_words.load())

    def forms(self, word: str, most: int | None = None) -> tuple[str, ...]:
        """The full forms of a word, most usual first, at most so many; () where it has none."""
        return self.known.full_forms(word, self.everyday)[:most]


def abbreviations_of(forms: Mapping[str, tuple[str, ...]]) -> Abbreviations:
    """The dictionary with its abbreviations as they are looked up, without full stops.

    A UserError where there is none, or an entry is not one word with full forms.
    """
    if not forms:
        raise UserError("There is no dictionary to take full forms from.", where="dictionary")
    known: dict[str, tuple[str, ...]] = {}
    for short, full in forms.items():
        bare = short.replace(".", "")
        if len(bare.split()) != 1 or not full or not all(form.strip() and "|" not in form for form in full):
            raise UserError("An entry is an abbreviation of one word and its full forms.", where=f"dictionary, {short}")
        known.setdefault(bare, full)
    return Abbreviations(known)


def right_form(forms: Sequence[str], rewrite: str, bracketed: Sequence[str] = ()) -> int | None:
    """The place of the full form that a rewrite contains; None where it contains none.

    Args:
        forms: A term's full forms.
        rewrite: The rewrite's words for the term, without brackets.
        bracketed: The full forms in brackets of the whole rewrite.

    Returns:
        A full form in brackets takes precedence over others in the rewrite, and a longer one over a shorter.
    """
    marked = {form.casefold() for form in bracketed}
    standing = [place for place, form in enumerate(forms) if _stands(form, rewrite)]
    return min(standing, key=lambda place: (forms[place].casefold() not in marked, -len(forms[place])), default=None)


def _stands(form: str, text: str) -> bool:
    """Whether it stands in the text as whole words, case aside."""
    return re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text, re.IGNORECASE) is not None


# Sentences as DECLARE reads, marks and writes them (Luo et al. 2022, sections 4.1 to 4.3): words with their pieces.
#
# A word is located or not. Located words that stand side by side are one run, which the polisher writes anew; all other
# words are copied. A mark stands before and behind each run, on both sides:
#
# polisher's input     the [MASK] coronary artery disease [MASK] of pt
# its output           the [MASK] heart disease [MASK] of pt           (the words within the marks are its own)
#
# The paper's marks are braces; the authors' program takes the encoder's [MASK], which every tokenizer of BERT's form
# has.

Pieces = list[int]


@dataclass(frozen=True)
class Sentence:
    """The pieces of each word, at least one, and of the full forms of words that have some, by the word's place."""

    words: Sequence[Pieces]
    forms: Mapping[int, Sequence[Pieces]] = field(default_factory=dict)

    @property
    def pieces(self) -> Pieces:
        """All of them."""
        return [piece for word in self.words for piece in word]

    def fitting(self, most: int) -> int:
        """How many of its words have at most so many pieces together."""
        for place, word in enumerate(self.words):
            most -= len(word)
            if most < 0:
                return place
        return len(self.words)


@dataclass(frozen=True)
class Example(Sentence):
    """A sentence that is learnt from.

    `located` says of each word whether it is changed, `right` which of its full forms the rewrite has, where it is
    told, and `rewrites` has the pieces that stand for each run of located words.
    """

    located: Sequence[bool] = ()
    right: Mapping[int, int] = field(default_factory=dict)
    rewrites: Sequence[Pieces] = ()


def runs(located: Sequence[bool]) -> list[tuple[int, int]]:
    """The runs of located words, as [start, end)."""
    found, at = [], 0
    for is_located, group in groupby(located):
        size = len(list(group))
        if is_located:
            found.append((at, at + size))
        at += size
    return found


def interpreted(sentence: Sentence, located: Sequence[bool], chosen: Mapping[int, int], mark: int) -> Pieces:
    """The polisher's input: each run within marks, each of its words replaced by its chosen full form.

    A located word without full forms stays as it is, as in the paper.
    """
    found, at = Pieces(), 0
    for start, end in runs(located):
        found += _joined(sentence.words[at:start])
        replaced = (_form(sentence, place, chosen) for place in range(start, end))
        found += [mark, *_joined(replaced), mark]
        at = end
    return found + _joined(sentence.words[at:])


def _form(sentence: Sentence, place: int, chosen: Mapping[int, int]) -> Pieces:
    return list(sentence.forms[place][chosen[place]] if place in chosen else sentence.words[place])


def copied(sentence: Sentence, located: Sequence[bool], mark: int) -> list[Pieces]:
    """The pieces that the polisher copies before the first run, between runs, and behind the last, with marks."""
    found, at = [Pieces()], 0
    for start, end in runs(located):
        found[-1] += [*_joined(sentence.words[at:start]), mark]
        found.append([mark])
        at = end
    found[-1] += _joined(sentence.words[at:])
    return found


def aim(example: Example, mark: int) -> tuple[Pieces, list[bool]]:
    """The pieces that the polisher is to write, and which are its own: the rewrites, and the marks that end them."""
    pieces, own = Pieces(), list[bool]()
    stretches = copied(example, example.located, mark)
    for place, stretch in enumerate(stretches):
        if place:
            rewrite = [*example.rewrites[place - 1], mark]
            pieces, own, stretch = pieces + rewrite, own + [True] * len(rewrite), stretch[1:]
        pieces, own = pieces + stretch, own + [False] * len(stretch)
    return pieces, own


def _joined(words: "Sequence[Pieces] | Iterator[Pieces]") -> Pieces:
    return [piece for word in words for piece in word]


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
    """The kept words without those next to an addition that stands for no word of the source."""
    before = [(-1, -1), *kept]
    left = {pair for last, pair in zip(before, kept, strict=False) if _only_added(last, pair)}
    if kept and _only_added(kept[-1], (words, rewritten)):
        left.add(kept[-1])
    return [pair for pair in kept if pair not in left]


def _only_added(last: tuple[int, int], pair: tuple[int, int]) -> bool:
    """Whether there are words between the two in the target, and none in the source."""
    return pair[0] == last[0] + 1 and pair[1] > last[1] + 1


MASK, PADDING, UNKNOWN = "[MASK]", "[PAD]", "[UNK]"
LONGEST_FORM = 62  # pieces of a full form, as many as of a sentence that is learnt from; longer ones are cut


class Word(NamedTuple):
    """A word, with its start and end in its text."""

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
        """Words with their pieces, and the full forms of the words that are looked up (by default all)."""
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
        """Keys that are equal for words which the encoder reads as the same: case aside, for an uncased one."""
        return [self._pieces(word.text)[1] for word in words]

    def _cut(self, word: str) -> tuple[tuple[int, ...], str]:
        """The pieces of a word, at least one, and its key."""
        found = self.subwords.pieces(word)
        ids = tuple(piece.id for piece in found) or (self.unknown,)
        return ids, word if self.unknown in ids else " ".join(piece.spelling for piece in found)
