"""BLEU's arithmetic, with sacreBLEU's numbers: n-grams are counted once a sentence and summed for the corpus.

BLEU-n is had from the first n orders of the same sums.
"""

from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from evaluation.ngrams.counts import Ints, NgramCounts, count_ngrams, lengths_of, sentence_of_each
from evaluation.ngrams.tokenizers import ORDERS, Tokens

Floats = NDArray[np.float64]
WHOLE = 100.0  # exp of the mean of logarithms is 100.00000000000004 where all is right


def bleu_counts(outputs: Sequence[str], references: Sequence[Sequence[str]], split: Callable[[str], Tokens]) -> Floats:
    """The counts of which BLEU is made.

    Args:
        outputs: The n outputs.
        references: The references of each output, one at least; their numbers may differ.
        split: From a text to its tokens.

    Returns:
        (n, 10): of each sentence the matches of orders 1 to 4, the n-grams of orders 1 to 4, the output's length and
        that of the reference nearest in length, in tokens.
    """
    texts = [split(output.rstrip()) for output in chain(outputs, *references)]
    lengths, counts = lengths_of(texts), lengths_of(references)
    said, wanted = lengths[: len(outputs)], np.split(lengths[len(outputs) :], np.cumsum(counts)[:-1])
    matches = [_matches(each, len(outputs), sentence_of_each(counts)) for each in count_ngrams(texts, ORDERS)]
    grams = [np.maximum(said - n, 0) for n in range(ORDERS)]
    nearest = [
        min((abs(length - other), other) for other in others)[1] for length, others in zip(said, wanted, strict=True)
    ]
    return np.column_stack((*matches, *grams, said, nearest)).astype(np.float64)


def corpus_bleu(sums: Floats, order: int) -> Floats:
    """Corpus BLEU.

    Args:
        sums: (..., 10), the counts of `bleu_counts` summed over sentences.
        order: The n of BLEU-n, 1 to 4.

    Returns:
        (...), 0 to 100.
    """
    precisions, penalty = _by_order(sums, order), brevity_penalty(sums)
    logs = np.log(precisions, out=np.full_like(precisions, -np.inf), where=precisions > 0)
    return np.asarray(penalty * np.minimum(np.exp(logs.mean(axis=0)), WHOLE))


def sentence_bleu(rows: Floats, order: int) -> Floats:
    """Sentence BLEU with effective order: over the orders that the sentence is long enough for.

    Args:
        rows: (n, 10), the counts of each sentence.
        order: The n of BLEU-n, 1 to 4.

    Returns:
        (n,), 0 to 100.
    """
    precisions, penalty = precisions_of(rows, order), brevity_penalty(rows)
    long_enough = rows[..., ORDERS : ORDERS + order] > 0
    logs = np.log(precisions, out=np.zeros_like(precisions), where=precisions > 0)
    means = logs.sum(axis=-1) / np.maximum(long_enough.sum(axis=-1), 1)
    return np.where(rows[..., :order].any(axis=-1), penalty * np.minimum(np.exp(means), WHOLE), 0.0)


def nltk_bleu(rows: Floats, order: int) -> Floats:
    """Sentence BLEU as NLTK's `sentence_bleu` has it without smoothing: 0 where an order has no match.

    Args:
        rows: (n, 10), the counts of each sentence.
        order: The n of BLEU-n, 1 to 4.

    Returns:
        (n,), 0 to 100.
    """
    correct, total = rows[..., :order], rows[..., ORDERS : ORDERS + order]
    matched = np.asarray((correct > 0).all(axis=-1))
    logs = np.log(np.divide(correct, total, out=np.ones_like(total), where=matched[..., None]))
    return np.where(matched, brevity_penalty(rows) * np.minimum(WHOLE * np.exp(logs.mean(axis=-1)), WHOLE), 0.0)


def precisions_of(sums: Floats, order: int) -> Floats:
    """(..., 10) to (..., order), in percent; an order without a match has half of one, the next such a quarter.

    All are 0 where nothing matches, and an order is 0 where no output is long enough for it.
    """
    return np.moveaxis(_by_order(sums, order), 0, -1)


def _by_order(sums: Floats, order: int) -> Floats:
    """The same with the orders first, (order, ...): NumPy sums along a short last axis a row at a time."""
    correct, total = (
        np.ascontiguousarray(np.moveaxis(sums[..., start : start + order], -1, 0)) for start in (0, ORDERS)
    )
    matched = correct > 0
    halved = np.ldexp(1.0, -np.cumsum(~matched, axis=0, dtype=np.int32))
    some = (total > 0) & matched.any(axis=0)
    smoothed = np.where(matched, correct, halved)
    precisions: Floats = np.divide(100 * smoothed, total, out=np.zeros_like(total), where=some)
    return precisions


def brevity_penalty(sums: Floats) -> Floats:
    """The brevity penalty, (..., 10) to (...): below 1 where the outputs are shorter than the references."""
    output, reference = sums[..., -2], sums[..., -1]
    longer = np.divide(reference, output, out=np.full_like(output, np.inf), where=output > 0)
    return np.where(output < reference, np.exp(1 - np.maximum(longer, 1)), 1.0)


def _matches(texts: NgramCounts, count: int, of: Ints) -> Floats:
    """(n,): the outputs' n-grams that a reference has; one that comes again counts as often as one reference has it.

    The outputs come first of the texts; `of` says whose reference each behind them is.
    """
    outputs, references = texts.split(count)
    allowed = references.most(of, count)
    return outputs.sums(np.minimum(outputs.times, allowed.at(outputs.owners, outputs.grams)))
