"""Perplexity under a transformer tuned on the target style: a masked one's pseudo-perplexity (Salazar et al. 2020).

Cao et al. (2020, section 4.3) tuned BERT so, on the training texts of each style.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path

import numpy as np

from evaluation.learned_scorers.cross_fitting import SEEDS, fold_of, sample_texts
from evaluation.learned_scorers.model_languages import unsuited
from evaluation.learned_scorers.neural_language_model import LanguageModel
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.learned_scorers.words import LONG_TEXTS, TOO_LONG, UNDEFINED, WINDOWS
from evaluation.metric_contract import ratio_of
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from foundation import model_folders
from foundation.papers import Paper

WHERE = "metrics.perplexity_lm.model"
NO_TEXTS = "The study has no texts of the target styles to tune the model on."
HALVES = 2


class PerplexityLm(Metric):
    """How surprising an output's tokens are to a language model of this machine, a masked or a causal one.

    It is tuned on the texts of each style for `tune_epochs`; with 0 it is taken as it is. The corpus score is that of
    all tokens together, each under the model of its own direction. An output without tokens has no score. One that
    is longer than the model reads at once is read in windows; with `long_texts` "undefined" it has no score. Where a
    study tunes on its own sources and references, there is a model for either half of all texts, tuned on the other.
    Numbers depend on the model's tokens: compare them under one signature only.
    """

    name = "perplexity_lm"
    label = "PPL (LM)"
    paper = Paper("Salazar, Liang, Nguyen and Kirchhoff", 2020, "Masked Language Model Scoring",
                  "https://aclanthology.org/2020.acl-main.240/")  # fmt: skip
    unit = "tokens to choose among, 1 and up"
    needs = frozenset({"styles", "texts"})
    asks = "network"
    higher_is_better = False
    aspect = "fluency"
    defaults = {"model": "", "tune_epochs": 1, "seed": 1, "long_texts": WINDOWS}
    choices = {"long_texts": LONG_TEXTS}
    bounds = {"tune_epochs": (0, 20), "seed": SEEDS}

    def unavailable(self, **settings: object) -> str:
        return model_folders.why_unavailable(str(self.settings(**settings)["model"]))

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        model_folders.required_folder(str(chosen["model"]), WHERE)
        material = batch.material or TrainingMaterial()
        sums, longest = np.zeros((len(batch.outputs), 2)), 0  # negative log-probability and tokens
        for style in sorted(set(batch.target_styles)):
            if chosen["tune_epochs"] and not any(text.strip() for text in material.texts.get(style, ())):
                continue
            places = [i for i, each in enumerate(batch.target_styles) if each == style]
            for place, half in zip(places, _halves([batch.outputs[i] for i in places], material, chosen), strict=True):
                model = _model(style, half, material, chosen)
                if chosen["long_texts"] == UNDEFINED and model.too_long(batch.outputs[place]):
                    longest = model.longest
                    continue
                sums[place] = model.surprise(batch.outputs[place])
        why = "" if sums[:, 1].any() or not chosen["tune_epochs"] or _some(batch, material) else NO_TEXTS
        if longest and not sums[:, 1].any():
            why = TOO_LONG.format(longest=longest)
        return Scores(self.corpus_of(sums), {"tokens": float(sums[:, 1].sum())}, sums, why)

    def corpus_of(self, sums: Floats) -> Floats:
        """The perplexity from negative log-probabilities and tokens."""
        perplexities: Floats = np.exp(np.minimum(ratio_of(sums[..., 0], sums[..., 1]), 700.0))
        return perplexities

    def _undefined_for(self, language: str, chosen: Mapping[str, Setting]) -> str:
        return unsuited(_folder(chosen), language)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        name = str(chosen["model"])
        folder = _folder(chosen)
        digest = model_folders.weights_digest(folder) if folder else "none"
        return {
            "model": f"{model_folders.signature_safe(name)}_{digest}",
            "tune_epochs": str(chosen["tune_epochs"]),
            "seed": str(chosen["seed"]),
            "long": str(chosen["long_texts"]),
            "lib": f"transformers-{version('transformers')}",
        }


def _folder(chosen: Mapping[str, Setting]) -> Path | None:
    return model_folders.model_folder(str(chosen["model"]), WHERE)


def _some(batch: MetricInput, material: TrainingMaterial) -> bool:
    return any(material.texts.get(style) for style in batch.target_styles)


def _halves(outputs: Sequence[str], material: TrainingMaterial, chosen: Mapping[str, Setting]) -> list[int | None]:
    """The half that each text belongs to, where the material is the study's own; None where one model judges all."""
    if material.origin != "own" or not chosen["tune_epochs"]:
        return [None] * len(outputs)
    return [fold_of(output, HALVES) for output in outputs]


def _model(style: str, half: int | None, material: TrainingMaterial, chosen: Mapping[str, Setting]) -> LanguageModel:
    """The model that judges this half of a style's outputs; one for all styles where it is not tuned."""
    whose = style if chosen["tune_epochs"] else ""
    key = ("perplexity_lm", *chosen.values(), whose, half)
    return material.remember(key, partial(_tuned, material.texts.get(style, ()), style, half, chosen))


def _tuned(texts: Sequence[str], style: str, half: int | None, chosen: Mapping[str, Setting]) -> LanguageModel:
    model = LanguageModel(model_folders.required_folder(str(chosen["model"]), WHERE), WHERE)
    if chosen["tune_epochs"]:
        seed = int(chosen["seed"])
        tuning_texts = [
            text for text in sample_texts(texts, seed, style) if half is None or fold_of(text, HALVES) != half
        ]
        model.tune(tuning_texts, int(chosen["tune_epochs"]), seed)
    return model


METRIC = PerplexityLm()
