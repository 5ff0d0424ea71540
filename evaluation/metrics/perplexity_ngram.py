"""Perplexity under an n-gram model of the target style, with modified Kneser-Ney smoothing (Chen and Goodman 1999)."""

from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.learned_scorers.cross_fitting import SEEDS, sample_texts
from evaluation.learned_scorers.ngram_models import score_texts
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.learned_scorers.words import words_missing, words_signature
from evaluation.metric_contract import ratio_of
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from foundation.papers import Paper

NO_TEXTS = "The study has no texts of the target styles to estimate a model on."


class PerplexityNgram(Metric):
    """How surprising an output's words are to a model of texts of its target style; the end counts as a word.

    The corpus score is that of all words together, each under the model of its own direction. The details hold the
    share of words that the models do not know, which all have the probability of <unk>. Where a study trains on its own
    sources and references, a model that did not see a text judges it.
    """

    name = "perplexity_ngram"
    label = "PPL (n-gram)"
    paper = Paper(
        "Chen and Goodman",
        1999,
        "An empirical study of smoothing techniques for language modeling",
        "https://doi.org/10.1006/csla.1999.0128",
    )
    unit = "words to choose among, 1 and up"
    needs = frozenset({"styles", "texts"})
    higher_is_better = False
    aspect = "fluency"
    defaults = {"order": 3, "lowercase": True, "seed": 1}
    bounds = {"order": (1, 6), "seed": SEEDS}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        sums = np.zeros((len(batch.outputs), 3))  # negative log-probability, words with the end, unknown words
        for style in sorted(set(batch.target_styles)):
            places = [i for i, each in enumerate(batch.target_styles) if each == style]
            sums[places] = _sums(
                [batch.outputs[i] for i in places], style, batch.material or TrainingMaterial(), chosen
            )
        if not sums[:, 1].any():
            return Scores(np.full(len(sums), np.nan), undefined=NO_TEXTS)
        unknown = float(sums[:, 2].sum() / max(1.0, (sums[:, 1] - 1).clip(0).sum()))
        return Scores(self.corpus_of(sums), {"unknown_words": unknown}, sums[:, :2].copy())

    def corpus_of(self, sums: Floats) -> Floats:
        """The perplexity from negative log-probabilities and words."""
        perplexities: Floats = np.exp(np.minimum(ratio_of(sums[..., 0], sums[..., 1]), 700.0))
        return perplexities

    def _undefined_for(self, language: str, chosen: Mapping[str, Setting]) -> str:
        return words_missing(language)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {
            "order": str(chosen["order"]),
            "case": "lc" if chosen["lowercase"] else "mixed",
            "tok": words_signature(str(chosen["language"])),
            "end": "counted",
            "seed": str(chosen["seed"]),
        }


def _sums(outputs: Sequence[str], style: str, material: TrainingMaterial, chosen: Mapping[str, Setting]) -> Floats:
    """(n, 3) of the outputs of one target style; zeros where that has no texts."""
    key = ("perplexity_ngram", style, *chosen.values())
    texts = material.remember(
        (*key, "texts"), lambda: sample_texts(material.texts.get(style, ()), int(chosen["seed"]), style)
    )
    if not texts:
        return np.zeros((len(outputs), 3))
    order, lower, language = int(chosen["order"]), bool(chosen["lowercase"]), str(chosen["language"])
    scored = score_texts(outputs, texts, material, key, order, lower, language)
    return np.array([(-text.logprobs.sum(), len(text.logprobs), text.unknown) for text in scored])


METRIC = PerplexityNgram()
