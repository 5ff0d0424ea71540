"""The noise that T5 and BART are pretrained by, and texts packed into pieces: pure functions over token ids."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

# Spans of a text: their lengths and places, each way as likely as any other.

Ids = NDArray[np.int32]
Places = NDArray[np.int64]


def split_evenly_at_random(total: int, parts: int, chance: np.random.Generator) -> Places:
    """`total` as a sum of `parts` positive whole numbers, (parts,): every such sum is as likely as any other."""
    cuts = np.sort(chance.choice(total - 1, parts - 1, replace=False)) + 1
    return np.diff(np.concatenate([[0], cuts, [total]]))


def place_spans(lengths: Places, size: int, chance: np.random.Generator) -> Places:
    """The places (k,) at which spans of these lengths begin in a text of `size` tokens, at least one token apart.

    `size` is at least the sum of the lengths and one token between each two.
    """
    kept = size - int(lengths.sum())
    gaps = split_evenly_at_random(kept + 2, len(lengths) + 1, chance)  # the outer two may have no token
    gaps[0] -= 1
    before: Places = np.concatenate([[0], np.cumsum(lengths[:-1])])
    return np.cumsum(gaps[:-1]) + before


def replace_spans(ids: Ids, starts: Places, lengths: Places, marks: Ids) -> Ids:
    """The text with one mark (k,) in place of each span."""
    pieces, at = [], 0
    for start, length, mark in zip(starts, lengths, marks, strict=True):
        pieces += [ids[at:start], [mark]]
        at = int(start + length)
    return np.concatenate([*pieces, ids[at:]]).astype(np.int32)


# Span corruption (Raffel et al. 2020, T5, sections 3.1.4 and 3.3.4): spans are dropped, the target gives them back.
#
# text      Thank you for inviting me to your party last week .
# inputs    Thank you <X> me to your party <Y> week .
# targets   <X> for inviting <Y> last <Z>

CORRUPTED_SHARE, MEAN_SPAN = 0.15, 3.0  # the paper's choice, section 3.3.4


def corrupt_spans(
    ids: Ids, sentinels: Ids, chance: np.random.Generator, share: float = CORRUPTED_SHARE, mean_span: float = MEAN_SPAN
) -> tuple[Ids, Ids]:
    """A text with spans dropped, and the dropped spans.

    Args:
        ids: The text's tokens, (n,), at least two.
        sentinels: Ids for the spans, in order; the text has none.
        chance: Equal ones give equal spans.
        share: The share of dropped tokens; at least one, never all.
        mean_span: Mean tokens of the text's spans.

    Returns:
        inputs: The text with a sentinel for each span.
        targets: Each span behind its sentinel, and the next sentinel at the end.
    """
    dropped = min(max(round(len(ids) * share), 1), len(ids) - 1)
    most = min(dropped, len(ids) - dropped + 1, len(sentinels) - 1)
    count = min(max(round(dropped / mean_span), 1), most)
    lengths = split_evenly_at_random(dropped, count, chance)
    starts = place_spans(lengths, len(ids), chance)
    inputs = replace_spans(ids, starts, lengths, sentinels[:count])
    pieces = [
        piece
        for sentinel, start, length in zip(sentinels, starts, lengths, strict=False)
        for piece in ([sentinel], ids[start : start + length])
    ]
    return inputs, np.concatenate([*pieces, [sentinels[count]]]).astype(np.int32)


# Text infilling and sentence permutation (Lewis et al. 2020, BART, sections 2.2 and 3.3): the target is the text.
#
# Spans whose lengths are drawn from a Poisson distribution are replaced with one mask each; a span of no token is a
# mask put in. BART as released was trained with both: 30% of the tokens masked, all sentences in another order.

MASKED_SHARE = 0.3  # the paper's choice, as the mean span of 3, section 2.2 and 3.3


def infill(
    ids: Ids, mask: int, chance: np.random.Generator, share: float = MASKED_SHARE, mean_span: float = MEAN_SPAN
) -> Ids:
    """A text with spans masked.

    Args:
        ids: The text's tokens, (n,).
        mask: The id of the mask.
        chance: Equal ones give equal spans.
        share: The share of tokens that is masked.
        mean_span: The mean of the Poisson distribution of lengths.

    Returns:
        At most n tokens, a mask for each span.
    """
    lengths = draw_lengths(round(len(ids) * share), chance, mean_span)
    spans = lengths[lengths > 0]
    inputs = ids
    if len(spans):
        starts = place_spans(spans, len(ids), chance)
        inputs = replace_spans(ids, starts, spans, np.full(len(spans), mask, dtype=np.int32))
    put_in = min(int((lengths == 0).sum()), len(ids) - len(inputs))
    return np.insert(inputs, chance.integers(0, len(inputs) + 1, put_in), mask).astype(np.int32)


def draw_lengths(total: int, chance: np.random.Generator, mean_span: float = MEAN_SPAN) -> Places:
    """Lengths from the Poisson distribution, in random order, until they add up to `total`; the last is cut to it."""
    lengths: list[int] = []
    left = total
    while left > 0:
        lengths.append(min(int(chance.poisson(mean_span)), left))
        left -= lengths[-1]
    return np.array(lengths, dtype=np.int64)


def permute_sentences(sentences: Sequence[Ids], chance: np.random.Generator) -> Ids:
    """The sentences of a text in a random order, as one text."""
    if not sentences:
        return np.zeros(0, dtype=np.int32)
    return np.concatenate([sentences[place] for place in chance.permutation(len(sentences))])


# Texts put together into pieces of about one length, so that a batch has little padding (Raffel et al. 2020).

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
    """The sentence in parts of at most `longest` tokens."""
    for start in range(0, len(sentence), longest):
        yield sentence[start : start + longest]
