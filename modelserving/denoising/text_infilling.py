"""Text infilling and sentence permutation (Lewis et al. 2020, BART, sections 2.2 and 3.3): the target is the text.

Spans whose lengths are drawn from a Poisson distribution are replaced with one mask each; a span of no token is a mask
put in. BART as released was trained with both: 30% of the tokens masked, all sentences in another order.
"""

from collections.abc import Sequence

import numpy as np

from modelserving.denoising.spans import Ids, Places, place_spans, replace_spans

SHARE, MEAN_SPAN = 0.3, 3.0  # the paper's choice, section 2.2 and 3.3


def infill(ids: Ids, mask: int, chance: np.random.Generator, share: float = SHARE, mean_span: float = MEAN_SPAN) -> Ids:
    """A text with spans masked.

    Args:
        ids: The text's tokens, (n,).
        mask: The id of the mask.
        chance: Equal ones give equal spans.
        share: Of the tokens, how many are masked.
        mean_span: Of the Poisson distribution of lengths.

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
