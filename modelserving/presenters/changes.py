"""What a rewrite changed of its source, in pieces that a page marks."""

from itertools import groupby
from typing import NamedTuple

from foundation.word_diff import word_diff

SAME, GONE, NEW = "same", "gone", "new"
LONGEST = 20_000  # characters of both; beyond it nothing is marked


class Piece(NamedTuple):
    """'same', 'gone' or 'new', and the text."""

    kind: str
    text: str


def marked_changes(before: str, after: str) -> list[Piece]:
    """The pieces in order. Changes with nothing but a space between them are one, so that a phrase is read as one."""
    if not before or not after or len(before) + len(after) > LONGEST:
        return [Piece(SAME, after)] if after else []
    pieces = [Piece(*one) for one in word_diff(before, after)]
    found: list[Piece] = []
    for is_kept, run in groupby(_bridged(pieces), key=lambda one: one.kind == SAME):
        group = list(run)
        if is_kept:
            found += group
        else:
            gone = "".join(one.text for one in group if one.kind != NEW)
            new = "".join(one.text for one in group if one.kind != GONE)
            found += [Piece(GONE, gone)] * bool(gone) + [Piece(NEW, new)] * bool(new)
    return found


def _bridged(pieces: list[Piece]) -> list[Piece]:
    """Spaces between two changes belong to both sides of the change."""
    last = len(pieces) - 1
    return [
        Piece("space", piece.text) if piece.kind == SAME and not piece.text.strip() and 0 < place < last else piece
        for place, piece in enumerate(pieces)
    ]
