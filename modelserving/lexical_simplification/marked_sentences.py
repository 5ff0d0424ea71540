"""Sentences as DECLARE reads, marks and writes them (Luo et al. 2022, sections 4.1 to 4.3): words with their pieces.

A word is located or not. Located words that stand side by side are one run, which the polisher writes anew; all other
words are copied. A mark stands before and behind each run, on both sides:

    polisher's input     the [MASK] coronary artery disease [MASK] of pt
    what it writes       the [MASK] heart disease [MASK] of pt           (the words within the marks are its own)

The paper's marks are braces; the authors' program takes the encoder's [MASK], which every tokenizer of BERT's form has.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

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
    """From where to where the runs of located words go, as [start, end)."""
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
    """What the polisher copies before the first run, between runs, and behind the last; marks go with it."""
    found, at = [Pieces()], 0
    for start, end in runs(located):
        found[-1] += [*_joined(sentence.words[at:start]), mark]
        found.append([mark])
        at = end
    found[-1] += _joined(sentence.words[at:])
    return found


def aim(example: Example, mark: int) -> tuple[Pieces, list[bool]]:
    """What the polisher is to write, and which of it is its own: the rewrites, and the marks that end them."""
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
