"""BLEU's arithmetic, for `bleu` and `self_bleu`: n-grams are counted once a sentence and summed for the corpus."""

from collections.abc import Mapping, Sequence

import numpy as np
import sacrebleu
from sacrebleu.metrics.bleu import BLEU

from evaluation.metrics._base import Floats, Metric, Result, Setting
from evaluation.metrics._tokens import ORDERS, TOKENIZERS
from foundation.papers import Paper

PAPER = Paper(
    "Papineni, Roukos, Ward and Zhu",
    2002,
    "BLEU: a Method for Automatic Evaluation of Machine Translation",
    "https://aclanthology.org/P02-1040/",
)


class AnyBleu(Metric):
    """What the two have in common: settings, arithmetic, and sacreBLEU's signature."""

    unit = "0 to 100"
    defaults: Mapping[str, Setting] = {"tokenize": "13a", "lowercase": False}
    choices: Mapping[str, Sequence[str]] = {"tokenize": TOKENIZERS}

    def corpus_of(self, sums: Floats) -> Floats:
        """Of the matches of each order, the n-grams of each order, and the lengths of outputs and references."""
        precisions, penalty = _precisions(sums), _penalty(sums)
        logs = np.log(precisions, out=np.full_like(precisions, -np.inf), where=precisions > 0)
        return np.asarray(penalty * np.exp(logs.mean(axis=-1)))

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        """sacreBLEU's own keys, for the corpus score; `sentences:eff` says that those use effective order."""
        return {
            "case": "lc" if chosen["lowercase"] else "mixed",
            "eff": "no",
            "tok": str(chosen["tokenize"]),
            "smooth": "exp",
            "sentences": "eff",
            "lib": f"sacrebleu-{sacrebleu.__version__}",
        }


def bleu_scores(outputs: Sequence[str], references: Sequence[Sequence[str]], chosen: Mapping[str, Setting]) -> Result:
    """Corpus and sentence BLEU, 0 to 100, as sacreBLEU's `corpus_score` and `sentence_score` give them.

    Sentence BLEU uses effective order (orders longer than the output are left out), corpus BLEU does not; both smooth
    by 'exp'. Each sentence has its own list of references, so their numbers may differ without padding.
    An empty output scores 0, and counts against the corpus through the brevity penalty.
    """
    scorer = BLEU(tokenize=str(chosen["tokenize"]), lowercase=bool(chosen["lowercase"]), effective_order=True)
    scored = [scorer.sentence_score(output, refs) for output, refs in zip(outputs, references, strict=True)]
    rows = [[*each.counts, *each.totals, each.sys_len, each.ref_len] for each in scored]
    counts = np.array(rows, dtype=np.float64)
    sums = counts.sum(axis=0)
    details = {f"precision_{n + 1}": float(value) for n, value in enumerate(_precisions(sums))}
    details |= {
        "brevity_penalty": float(_penalty(sums)),
        "output_length": float(sums[-2]),
        "reference_length": float(sums[-1]),
    }
    return Result(np.array([each.score for each in scored], dtype=np.float64), details, counts)


def _precisions(sums: Floats) -> Floats:
    """(..., 10) to (..., 4), in percent; an order without a match has half of one, the next such a quarter ('exp').

    All are 0 where nothing matches, and an order is 0 where no output is long enough for it.
    """
    correct, total = sums[..., :ORDERS], sums[..., ORDERS : 2 * ORDERS]
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
