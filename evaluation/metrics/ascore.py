"""AScore, MedLane's harmonic mean of BLEU, HIT and CWR with two weights (Luo et al. 2022, section 5.1)."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from evaluation.metric_contract import mean_statistics, ratio_of
from evaluation.metrics import bleu_mean, cwr, hit
from evaluation.metrics._base import Floats, Metric, MetricInput, Result, Setting
from evaluation.ngrams.tokenizers import BY_LANGUAGE, TOKENIZERS, tokenizer_of
from foundation.papers import MEDLANE

LEAST = 1e-8
BLEU = 10  # of BLEU's sums; two of HIT, two of CWR, and the weights with what they are counted by follow


class AScore(Metric):
    """(1 + alpha^2 + beta^2) / (alpha^2 / BLEU + beta^2 / HIT + 1 / CWR), where a part of 0 is 1e-8.

    With `like = "program"` HIT and CWR are as the authors' program counts them; its BLEU, of nlg-eval, is that of
    `tokenize = "none"` and `lowercase = true`. The program takes 0.0001 for a part of 0.

    BLEU is the mean of BLEU-1 to 4 from 0 to 1, HIT and CWR are the metrics of these names; the details hold the
    three. It follows the equation. So do six of the published AScores; those of Moses, Seq2seq, Seq2seq-, Seq2seq-S
    and PointerNet are lower by 0.006 to 0.012 than what the other columns of their rows give.
    A sentence without terms has no AScore; for the corpus its BLEU and CWR count, and HIT is that of the others.
    """

    name = "ascore"
    label = "AScore"
    paper = MEDLANE
    unit = "0 to 1"
    needs = frozenset({"references", "terms"})
    higher_is_better = True
    defaults: Mapping[str, Setting] = {
        "like": hit.PAPER,
        "alpha": 2.0,
        "beta": 1.5,
        "tokenize": BY_LANGUAGE,
        "lowercase": False,
    }
    choices: Mapping[str, Sequence[str]] = {"like": hit.LIKE, "tokenize": TOKENIZERS}
    by_language = {"tokenize": tokenizer_of}
    languages = cwr.METRIC.languages
    because = "CWR, a part of it, is"
    bounds: Mapping[str, tuple[float, float]] = {"alpha": (0.0, 100.0), "beta": (0.0, 100.0)}

    def corpus_of(self, sums: Floats) -> Floats:
        """Of BLEU's sums, of the scores of HIT and of CWR and how many there are, of the weights and their number."""
        bleu = bleu_mean.METRIC.corpus_of(sums[..., :BLEU]) / 100
        hit_score, common = (ratio_of(sums[..., first], sums[..., first + 1]) for first in (BLEU, BLEU + 2))
        alpha, beta = (ratio_of(sums[..., first], sums[..., BLEU + 6]) for first in (BLEU + 4, BLEU + 5))
        return ascore(bleu, hit_score, common, alpha, beta)

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        bleu = bleu_mean.METRIC._score(batch, _bleu(chosen))
        hit_result, common = (part.METRIC._score(batch, {"like": chosen["like"]}) for part in (hit, cwr))
        assert bleu.sufficient_statistics is not None
        weights = np.array([chosen["alpha"], chosen["beta"], 1], dtype=np.float64)
        parts = [bleu.sufficient_statistics, mean_statistics(hit_result.sentences), mean_statistics(common.sentences)]
        rows = np.column_stack([*parts, np.tile(weights, (len(batch.outputs), 1))])
        sentences = ascore(bleu.sentences / 100, hit_result.sentences, common.sentences, weights[0], weights[1])
        return Result(sentences, _three(rows.sum(axis=0)), rows, hit_result.undefined)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        weights = {key: repr(chosen[key]) for key in ("alpha", "beta")}
        parts = (bleu_mean.METRIC, hit.METRIC, cwr.METRIC)
        versions = {"parts": ",".join(f"{part.name}.{part.version}" for part in parts)}
        of_cwr = cwr.METRIC._signed({"like": chosen["like"]})
        lists = {key: of_cwr[key] for key in ("like", "terms", "list") if key in of_cwr}
        return weights | versions | lists | bleu_mean.METRIC._signed(_bleu(chosen))


def _bleu(chosen: Mapping[str, Setting]) -> dict[str, Setting]:
    return {key: chosen[key] for key in bleu_mean.METRIC.defaults}


def _three(sums: Floats) -> dict[str, float]:
    """BLEU, HIT and CWR of the sums; without HIT where no sentence has terms."""
    three = {
        "bleu": float(bleu_mean.METRIC.corpus_of(sums[:BLEU])) / 100,
        "hit": float(ratio_of(sums[BLEU], sums[BLEU + 1])),
        "cwr": float(ratio_of(sums[BLEU + 2], sums[BLEU + 3])),
    }
    return {name: value for name, value in three.items() if np.isfinite(value)}


def ascore(bleu: Floats, hit_score: Floats, common: Floats, alpha: ArrayLike, beta: ArrayLike) -> Floats:
    """The equation, for BLEU, HIT and CWR of any one shape, each from 0 to 1; NaN where one of them is."""
    first, second = np.square(np.asarray(alpha)), np.square(np.asarray(beta))
    parts = (first / np.maximum(bleu, LEAST), second / np.maximum(hit_score, LEAST), 1 / np.maximum(common, LEAST))
    return np.asarray((1 + first + second) / (parts[0] + parts[1] + parts[2]))


METRIC = AScore()
