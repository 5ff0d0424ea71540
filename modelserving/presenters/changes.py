"""What a rewrite changed of its source, in pieces that a page marks."""

from foundation.word_diff import Piece, word_diff

LONGEST = 20_000  # characters of both; beyond it nothing is marked


def marked_changes(before: str, after: str) -> list[Piece]:
    """The pieces in order."""
    if not before or not after or len(before) + len(after) > LONGEST:
        return [Piece("same", after)] if after else []
    return word_diff(before, after)
