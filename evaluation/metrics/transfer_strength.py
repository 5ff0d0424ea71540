"""Transfer strength: the share of outputs that an LSTM takes for the target style (Fu et al. 2018)."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version

import numpy as np

from evaluation.learned_scorers.cross_fitting import (
    LONGEST,
    SEEDS,
    Labels,
    StyleClassifier,
    few_texts,
    target_style_hits,
)
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.learned_scorers.words import words_missing, words_signature
from evaluation.metrics._base import Metric, MetricInput, Result, Setting
from foundation.papers import FU


class TransferStrength(Metric):
    """Word vectors, an LSTM and a sigmoid, trained with Adam on the study's texts, as the paper's.

    A sentence has 1 where the classifier takes it for its target style, else 0, and the corpus score is their mean.
    The details hold the classifier's accuracy on texts to tune on or, without these, on a held-out fifth. Where a study
    trains on its own sources and references, a model that did not see a text judges it. Words are small letters, the
    20,000 most frequent; a text is read up to its 80th token. With more than two styles each has its sigmoid. The paper
    stopped after two epochs of 200,000 and 800,000 texts: a study with few texts needs more.
    """

    name = "transfer_strength"
    label = "Transfer strength"
    paper = FU
    unit = "share of outputs, 0 to 1"
    needs = frozenset({"styles", "texts"})
    higher_is_better = True
    aspect = "style"
    defaults = {"epochs": 2, "dimension": 128, "seed": 1}
    bounds = {"epochs": (1, 50), "dimension": (4, 512), "seed": SEEDS}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        epochs, dimension, seed = (int(chosen[name]) for name in ("epochs", "dimension", "seed"))

        def train(texts: Sequence[str], labels: Labels, styles: int) -> StyleClassifier:
            from evaluation.learned_scorers.lstm_classifier import LstmClassifier

            return LstmClassifier(texts, labels, styles, dimension, epochs, seed, batch.language)

        material = batch.material or TrainingMaterial()
        key = (self.name, *chosen.values())
        if why := few_texts(material, seed):
            return Result(np.full(len(batch.outputs), np.nan), undefined=why)
        return Result(*target_style_hits(batch.outputs, batch.target_styles, material, key, train, seed, checked=1))

    def _undefined_for(self, language: str, chosen: Mapping[str, Setting]) -> str:
        return words_missing(language)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {
            "model": "lstm",
            "epochs": str(chosen["epochs"]),
            "dimension": str(chosen["dimension"]),
            "case": "lc",
            "tok": words_signature(str(chosen["language"])),
            "longest": str(LONGEST),
            "seed": str(chosen["seed"]),
            "lib": f"torch-{version('torch').split('+')[0]}",
        }


METRIC = TransferStrength()
