"""Both texts in pieces: what stayed, what is gone, what is new."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from foundation.word_diff.alignment import matches
from foundation.word_diff.clean_up import cleaned
from foundation.word_diff.words import SPACE, WORDED, Word, words

SAME, GONE, NEW = "same", "gone", "new"
LONG = 400  # characters, of which a third is shared at least where the pieces are shown
SHARED = 3


class Piece(NamedTuple):
    """'same', 'gone' or 'new', and the text."""

    kind: str
    text: str

    @property
    def has_letters(self) -> bool:
        """Whether the text has a direction of its own to be shown in."""
        return bool(WORDED.search(self.text))


def word_diff(before: str, after: str) -> list[Piece]:
    """Pieces of both texts in order; between two that stayed is at most one that is gone, then one that is new."""
    old, new = words(before), words(after)
    here, there = [word.text for word in old], [word.text for word in new]
    steps = _steps(old, new, [(0, 0, 1), *_kept(here[1:], there[1:])])
    return list(_joined(_grouped(steps)))


def is_mostly_other(pieces: Sequence[Piece]) -> bool:
    """Whether long texts share so little that one after the other they are read more easily than in pieces."""
    size = {kind: sum(len(piece.text) for piece in pieces if piece.kind == kind) for kind in (SAME, GONE, NEW)}
    longest = size[SAME] + max(size[GONE], size[NEW])
    return longest > LONG and size[SAME] * SHARED < longest


def _kept(old: list[str], new: list[str]) -> list[tuple[int, int, int]]:
    return [(i + 1, k + 1, length) for i, k, length in cleaned(matches(old, new), old, new)]


def _steps(old: list[Word], new: list[Word], runs: Iterable[tuple[int, int, int]]) -> Iterator[Piece]:
    """Each word and each space by itself. White space that differs behind a word that stayed is a change."""
    at = past = 0
    for i, k, length in [*runs, (len(old), len(new), 0)]:
        yield Piece(GONE, _text(old[at:i]))
        yield Piece(NEW, _text(new[past:k]))
        for one, other in zip(old[i : i + length], new[k : k + length], strict=True):
            yield Piece(SAME, one.text)
            yield from (
                [Piece(SAME, one.space)]
                if one.space == other.space
                else [Piece(GONE, one.space), Piece(NEW, other.space)]
            )
        at, past = i + length, k + length


def _grouped(steps: Iterable[Piece]) -> Iterator[Piece]:
    """Changes beside one another as one, without the white space in which both of its sides end."""
    for is_kept, run in groupby((step for step in steps if step.text), key=lambda step: step.kind == SAME):
        group = list(run)
        gone, new = ("".join(one.text for one in group if one.kind == kind) for kind in (GONE, NEW))
        shared = 0
        while (
            shared < min(len(gone), len(new))
            and gone[-1 - shared] == new[-1 - shared]
            and SPACE.match(gone[-1 - shared])
        ):
            shared += 1
        if is_kept:
            yield Piece(SAME, _joined_text(group))
        else:
            yield Piece(GONE, gone[: len(gone) - shared])
            yield Piece(NEW, new[: len(new) - shared])
            yield Piece(SAME, gone[len(gone) - shared :])


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    for kind, run in groupby((piece for piece in pieces if piece.text), key=lambda piece: piece.kind):
        yield Piece(kind, _joined_text(run))


def _joined_text(pieces: Iterable[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def _text(of: Iterable[Word]) -> str:
    return "".join(word.text + word.space for word in of)
