"""Span corruption (Raffel et al. 2020, T5, sections 3.1.4 and 3.3.4): spans are dropped, the target gives them back.

text      Thank you for inviting me to your party last week .
inputs    Thank you <X> me to your party <Y> week .
targets   <X> for inviting <Y> last <Z>
"""

import numpy as np

from modelserving.denoising.spans import Ids, place_spans, replace_spans, split_evenly_at_random

SHARE, MEAN_SPAN = 0.15, 3.0  # the paper's choice, section 3.3.4


def corrupt_spans(
    ids: Ids, sentinels: Ids, chance: np.random.Generator, share: float = SHARE, mean_span: float = MEAN_SPAN
) -> tuple[Ids, Ids]:
    """A text with spans dropped, and what was dropped.

    Args:
        ids: The text's tokens, (n,); two at least.
        sentinels: The ids that stand for spans, in their order; none of them is in the text.
        chance: Equal ones give equal spans.
        share: Of the tokens, how many are dropped; at least one, and never all.
        mean_span: Tokens of a span, on average over the spans of the text.

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
