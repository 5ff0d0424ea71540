"""BLEU's arithmetic, for `bleu` and `self_bleu`: n-grams are counted once a sentence and summed for the corpus."""

from collections.abc import Mapping, Sequence

import numpy as np
import sacrebleu
from sacrebleu.metrics.bleu import BLEU, BLEUScore

from evaluation.metrics._base import Result, Setting
from evaluation.metrics._tokens import ORDERS, TOKENIZERS
from foundation.papers import Paper

PAPER = Paper(
    "Papineni, Roukos, Ward and Zhu",
    2002,
    "BLEU: a Method for Automatic Evaluation of Machine Translation",
    "https://aclanthology.org/P02-1040/",
)
DEFAULTS: dict[str, Setting] = {"tokenize": "13a", "lowercase": False}
CHOICES = {"tokenize": TOKENIZERS}


def bleu_scores(outputs: Sequence[str], references: Sequence[Sequence[str]], chosen: Mapping[str, Setting]) -> Result:
    """Corpus and sentence BLEU, 0 to 100, as sacreBLEU's `corpus_score` and `sentence_score` give them.

    Sentence BLEU uses effective order (orders longer than the output are left out), corpus BLEU does not; both smooth
    by 'exp'. Each sentence has its own list of references, so their numbers may differ without padding.
    An empty output scores 0, and counts against the corpus through the brevity penalty.
    """
    scorer = BLEU(tokenize=str(chosen["tokenize"]), lowercase=bool(chosen["lowercase"]), effective_order=True)
    scored = [scorer.sentence_score(output, refs) for output, refs in zip(outputs, references, strict=True)]
    corpus = _summed(scored)
    details = {f"precision_{n + 1}": float(corpus.precisions[n]) for n in range(ORDERS)}
    details |= {
        "brevity_penalty": float(corpus.bp),
        "output_length": float(corpus.sys_len),
        "reference_length": float(corpus.ref_len),
    }
    return Result(float(corpus.score), np.array([each.score for each in scored], dtype=np.float64), details)


def _summed(scored: Sequence[BLEUScore]) -> BLEUScore:
    return BLEU.compute_bleu(
        correct=[sum(each.counts[n] for each in scored) for n in range(ORDERS)],
        total=[sum(each.totals[n] for each in scored) for n in range(ORDERS)],
        sys_len=sum(each.sys_len for each in scored),
        ref_len=sum(each.ref_len for each in scored),
        smooth_method="exp",
    )


def signed_bleu(chosen: Mapping[str, Setting]) -> dict[str, str]:
    """sacreBLEU's own keys, for the corpus score; `sentences:eff` says that sentence scores use effective order."""
    return {
        "case": "lc" if chosen["lowercase"] else "mixed",
        "eff": "no",
        "tok": str(chosen["tokenize"]),
        "smooth": "exp",
        "sentences": "eff",
        "lib": f"sacrebleu-{sacrebleu.__version__}",
    }
