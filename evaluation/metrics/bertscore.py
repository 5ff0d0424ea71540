"""BERTScore: how near the words of output and reference are to each other in a language model (Zhang et al. 2020)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluation.learned_scorers.bertscore_model import (
    BERTSCORE_MODEL_MISSING,
    bertscore_encoder,
    bertscore_folder,
    bertscore_signature,
)
from evaluation.learned_scorers.encoders import Embedded
from evaluation.learned_scorers.model_languages import unsuited
from evaluation.learned_scorers.words import LONG_TEXTS, TOO_LONG, UNDEFINED, WINDOWS
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from foundation.errors import UserError
from foundation.model_folders import why_unavailable
from foundation.papers import Paper

RESCALE = "metrics.bertscore.rescale"
BASELINE = "baseline.tsv"  # in the model's folder, as bert-score has it: layer, precision, recall, F1
OF = ("precision", "recall", "f1")
Weights = Mapping[int, float]


class BertScore(Metric):
    """Each token is matched with the most similar one of the other text; precision and recall are the means of these.

    `idf` weighs tokens by how rare they are among the references; `rescale` moves the scores by the baseline that
    stands in the model's folder. The special tokens weigh nothing. The best of several references counts, for
    precision, recall and F1 separately, as in the authors' package. The corpus score is the sentences' mean. A text
    that is longer than the model reads is read in windows that overlap by half, each token in the one where it is
    farthest from an edge; or, with `long_texts` "undefined", its sentence has no score. `model` is a folder below
    RESTYLE_MODELS; without it RESTYLE_BERTSCORE_MODEL names one.
    """

    name = "bertscore"
    label = "BERTScore"
    paper = Paper(
        "Zhang, Kishore, Wu, Weinberger and Artzi",
        2020,
        "BERTScore: Evaluating Text Generation with BERT",
        "https://arxiv.org/abs/1904.09675",
    )
    unit = "at most 1"
    needs = frozenset({"references"})
    asks = "network"
    higher_is_better = True
    defaults = {"model": "", "of": "f1", "idf": False, "rescale": False, "long_texts": WINDOWS}
    choices = {"of": ("f1", "recall", "precision"), "long_texts": LONG_TEXTS}

    def unavailable(self, **settings: object) -> str:
        name = str(self.settings(**settings)["model"])
        return why_unavailable(name) if name else "" if bertscore_folder() else BERTSCORE_MODEL_MISSING

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        name = str(chosen["model"])
        model = bertscore_encoder(name)
        baseline = _baseline(name, model.layer) if chosen["rescale"] else np.zeros(3)
        texts = [*batch.outputs, *(text for each in batch.references for text in each)]
        known = model.embed(texts)
        weights = _rarity([known[text] for each in batch.references for text in each]) if chosen["idf"] else None
        scores = np.array(
            [
                np.max([matched(known[output], known[reference], weights) for reference in references], axis=0)
                for output, references in zip(batch.outputs, batch.references, strict=True)
            ]
        )
        scores = (scores - baseline) / (1 - baseline)
        if chosen["long_texts"] == UNDEFINED:
            groups = ((output, *references) for output, references in zip(batch.outputs, batch.references, strict=True))
            scores[[any(map(model.too_long, group)) for group in groups]] = np.nan
        if np.isnan(scores).all():
            return Scores(scores[:, 0].copy(), undefined=TOO_LONG.format(longest=model.longest))
        details = {name: float(value) for name, value in zip(OF, np.nanmean(scores, axis=0), strict=True)}
        return Scores(scores[:, OF.index(str(chosen["of"]))].copy(), details)

    def _undefined_for(self, language: str, chosen: Mapping[str, Setting]) -> str:
        return unsuited(bertscore_folder(str(chosen["model"])), language)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {
            "model": bertscore_signature(str(chosen["model"])),
            "of": str(chosen["of"]),
            "idf": "yes" if chosen["idf"] else "no",
            "rescale": "yes" if chosen["rescale"] else "no",
            "refs": "best",
            "long": str(chosen["long_texts"]),
        }


def matched(output: Embedded, reference: Embedded, weights: Weights | None = None) -> NDArray[np.float64]:
    """Precision, recall and F1, (3,); all 0 where a side has no words."""
    if output.special.all() or reference.special.all():
        return np.zeros(3)
    alike = (output.vectors @ reference.vectors.T).astype(np.float64)
    alike = np.minimum(alike, 1.0)  # any excess is rounding
    precision = _mean(alike.max(axis=1), _weigh(output, weights))
    recall = _mean(alike.max(axis=0), _weigh(reference, weights))
    both = precision + recall
    return np.array([precision, recall, 2 * precision * recall / both if both else 0.0])


def _weigh(text: Embedded, weights: Weights | None) -> Floats:
    if weights is None:
        return (~text.special).astype(np.float64)
    return np.array([weights[token] for token in text.tokens])


def _mean(values: Floats, weights: Floats) -> float:
    total = float(weights.sum())
    return float(values @ weights) / total if total else 0.0


class _Rarity(dict[int, float]):
    """Weights by token; a token of no reference has the largest."""

    def __init__(self, weights: Weights, unseen: float) -> None:
        super().__init__(weights)
        self.unseen = unseen

    def __missing__(self, token: int) -> float:
        return self.unseen


def _rarity(references: Sequence[Embedded]) -> _Rarity:
    """log((n + 1) / (references with the token + 1)); special tokens stand in all of them, and weigh nothing."""
    n = len(references)
    seen = Counter(token for reference in references for token in set(reference.tokens))
    return _Rarity({token: log((n + 1) / (count + 1)) for token, count in seen.items()}, log(n + 1))


def _baseline(name: str, layer: int) -> NDArray[np.float64]:
    """Precision, recall and F1 of sentences that have nothing to do with each other, (3,)."""
    place = (bertscore_folder(name) or Path()) / BASELINE
    if not place.is_file():
        raise UserError("The model's folder has no {baseline} for rescaling.", baseline=BASELINE, where=RESCALE)
    for line in place.read_text(encoding="utf-8").splitlines()[1:]:
        number, *values = line.replace("\t", ",").split(",")
        if number.strip() == str(layer):
            return np.array([float(value) for value in values[:3]])
    raise UserError("{baseline} has no line for layer {layer}.", baseline=BASELINE, layer=layer, where=RESCALE)


METRIC = BertScore()
