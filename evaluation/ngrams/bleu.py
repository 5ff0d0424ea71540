"""BLEU's arithmetic, for `bleu`, `bleu_1` to `bleu_3`, `bleu_mean` and `self_bleu`: sacreBLEU's numbers.

N-grams are counted once and summed for the corpus; BLEU-n is had from the first n orders of the same sums.
"""

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from evaluation.metrics._base import Floats, Metric, MetricInput, Result, Setting
from evaluation.ngrams.counts import Ints, NgramCounts, count_ngrams, lengths_of, sentence_of_each
from evaluation.ngrams.tokenizers import ORDERS, TOKENIZERS, sacrebleu_version, words
from foundation.papers import Paper

PAPER = Paper(
    "Papineni, Roukos, Ward and Zhu",
    2002,
    "BLEU: a Method for Automatic Evaluation of Machine Translation",
    "https://aclanthology.org/P02-1040/",
)


class AnyBleu(Metric):
    """What all have in common: settings, arithmetic, and sacreBLEU's signature. `order` is the n of BLEU-n."""

    unit = "0 to 100"
    defaults: Mapping[str, Setting] = {"tokenize": "13a", "lowercase": False}
    choices: Mapping[str, Sequence[str]] = {"tokenize": TOKENIZERS}
    order = ORDERS

    def corpus_of(self, sums: Floats) -> Floats:
        """Of the matches of each order, the n-grams of each order, and the lengths of outputs and references."""
        return corpus_bleu(sums, self.order)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        """sacreBLEU's own keys, for the corpus score; `sentences:eff` says that those use effective order."""
        return {
            "case": "lc" if chosen["lowercase"] else "mixed",
            "eff": "no",
            "tok": str(chosen["tokenize"]),
            "smooth": "exp",
            "sentences": "eff",
            "lib": f"sacrebleu-{sacrebleu_version()}",
        }


class ReferenceBleu(AnyBleu):
    """BLEU-n against the references; `details` hold precisions (0 to 100), brevity penalty and lengths in tokens."""

    paper = PAPER
    needs = frozenset({"references"})
    higher_is_better = True

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        return bleu_scores(batch.outputs, batch.references, chosen, self.order)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return ({} if self.order == ORDERS else {"n": f"1-{self.order}"}) | super()._signed(chosen)


def bleu_scores(
    outputs: Sequence[str], references: Sequence[Sequence[str]], chosen: Mapping[str, Setting], order: int = ORDERS
) -> Result:
    """Corpus and sentence BLEU, 0 to 100, as sacreBLEU's `corpus_score` and `sentence_score` give them.

    Sentence BLEU uses effective order (orders longer than the output are left out), corpus BLEU does not; both smooth
    by 'exp'. Each sentence has its own list of references, so their numbers may differ without padding.
    An empty output scores 0, and counts against the corpus through the brevity penalty.
    """
    rows = bleu_counts(outputs, references, chosen)
    sums = rows.sum(axis=0)
    details = {f"precision_{n + 1}": float(value) for n, value in enumerate(_precisions(sums, order))}
    details |= {
        "brevity_penalty": float(_penalty(sums)),
        "output_length": float(sums[-2]),
        "reference_length": float(sums[-1]),
    }
    return Result(sentence_bleu(rows, order), details, rows)


def bleu_counts(outputs: Sequence[str], references: Sequence[Sequence[str]], chosen: Mapping[str, Setting]) -> Floats:
    """(n, 10): of each sentence the matches and the n-grams of orders 1 to 4, its length and its references'."""
    split = words(str(chosen["tokenize"]), bool(chosen["lowercase"]))
    texts = [split(output.rstrip()) for output in chain(outputs, *references)]
    lengths, counts = lengths_of(texts), lengths_of(references)
    said, wanted = lengths[: len(outputs)], np.split(lengths[len(outputs) :], np.cumsum(counts)[:-1])
    matches = [_matches(each, len(outputs), sentence_of_each(counts)) for each in count_ngrams(texts, ORDERS)]
    grams = [np.maximum(said - n, 0) for n in range(ORDERS)]
    nearest = [min((abs(length - one), one) for one in each)[1] for length, each in zip(said, wanted, strict=True)]
    return np.column_stack((*matches, *grams, said, nearest)).astype(np.float64)


def corpus_bleu(sums: Floats, order: int) -> Floats:
    """BLEU-n of sums (..., 10), 0 to 100."""
    precisions, penalty = _precisions(sums, order), _penalty(sums)
    logs = np.log(precisions, out=np.full_like(precisions, -np.inf), where=precisions > 0)
    return np.asarray(penalty * np.exp(logs.mean(axis=-1)))


def sentence_bleu(rows: Floats, order: int) -> Floats:
    """BLEU-n of each sentence (n, 10) over the orders that it is long enough for, 0 to 100."""
    precisions, penalty = _precisions(rows, order), _penalty(rows)
    long_enough = rows[..., ORDERS : ORDERS + order] > 0
    logs = np.log(precisions, out=np.zeros_like(precisions), where=precisions > 0)
    means = logs.sum(axis=-1) / np.maximum(long_enough.sum(axis=-1), 1)
    return np.where(rows[..., :order].any(axis=-1), penalty * np.exp(means), 0.0)


def _matches(texts: NgramCounts, count: int, of: Ints) -> Floats:
    """(n,): the outputs' n-grams that a reference has; one that comes again counts as often as one reference has it.

    The outputs come first of the texts; `of` says whose reference each behind them is.
    """
    outputs, references = texts.split(count)
    allowed = references.most(of, count)
    return outputs.sums(np.minimum(outputs.times, allowed.at(outputs.owners, outputs.grams)))


def _precisions(sums: Floats, order: int) -> Floats:
    """(..., 10) to (..., order), in percent; an order without a match has half of one, the next such a quarter.

    All are 0 where nothing matches, and an order is 0 where no output is long enough for it.
    """
    correct, total = sums[..., :order], sums[..., ORDERS : ORDERS + order]
    halved = 0.5 ** np.cumsum(correct == 0, axis=-1)
    found = np.where(correct > 0, correct, halved)
    some = (total > 0) & np.any(correct > 0, axis=-1, keepdims=True)
    precisions: Floats = np.divide(100 * found, total, out=np.zeros_like(total), where=some)
    return precisions


def _penalty(sums: Floats) -> Floats:
    """The brevity penalty, (..., 10) to (...): below 1 where the outputs are shorter than the references."""
    output, reference = sums[..., -2], sums[..., -1]
    longer = np.divide(reference, output, out=np.full_like(output, np.inf), where=output > 0)
    return np.where(output < reference, np.exp(1 - np.maximum(longer, 1)), 1.0)
