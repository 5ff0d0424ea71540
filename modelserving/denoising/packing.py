"""Texts put together into pieces of about one length, so that a batch has little padding (Raffel et al. 2020)."""

from collections.abc import Iterable, Iterator, Sequence

Sentence = Sequence[int]


def pack(texts: Iterable[Sequence[Sentence]], longest: int) -> Iterator[list[Sentence]]:
    """Pieces of at most `longest` tokens, sentence by sentence; a sentence that is longer is cut.

    Args:
        texts: The sentences of each text, as ids. Neighbours come into one piece; a long text goes on in the next.
        longest: Tokens of a piece.

    Returns:
        The sentences of each piece, none of them empty: one after the other they are the texts.
    """
    piece: list[Sentence] = []
    size = 0
    for sentence in (part for text in texts for whole in text for part in cut(whole, longest)):
        if size + len(sentence) > longest:
            yield piece
            piece, size = [], 0
        piece.append(sentence)
        size += len(sentence)
    if piece:
        yield piece


def apart(texts: Iterable[Sequence[Sentence]], longest: int) -> Iterator[list[Sentence]]:
    """As `pack`, with each text in pieces of its own."""
    for text in texts:
        yield from pack([text], longest)


def cut(sentence: Sentence, longest: int) -> Iterator[Sentence]:
    """It in parts of at most `longest` tokens."""
    for start in range(0, len(sentence), longest):
        yield sentence[start : start + longest]
