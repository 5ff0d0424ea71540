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
from evaluation.metrics._base import Metric, MetricInput, Scores, Setting
from foundation.papers import FU

LIKE = ("keras", "fu")


class TransferStrength(Metric):
    """Word vectors, an LSTM and a sigmoid, trained with Adam on the study's texts, as the paper's.

    A sentence has 1 where the classifier takes it for its target style, else 0, and the corpus score is their mean.
    The details hold the classifier's accuracy on texts to tune on or, without these, on a held-out fifth. Where a study
    trains on its own sources and references, a model that did not see a text judges it. With more than two styles each
    has its sigmoid. The paper says: an LSTM of 128 after Keras' example, two epochs. Its program says the rest, and
    `like` chooses:

    - "keras", the example: words in small letters, the 20,000 most frequent; a text is read up to its 80th token; 32
      texts a step.
    - "fu", the program: words between spaces as they are written, of those that stand twice the 80,000 most frequent;
      the last 20 words, what is lacking filled before them; 128 texts a step. It lacks that program's dropout of states
      and its straightened sigmoid inside the LSTM.

    The paper trained on 200,000 and 800,000 texts: a study with few needs more epochs.
    """

    name = "transfer_strength"
    label = "Transfer strength"
    paper = FU
    unit = "share of outputs, 0 to 1"
    needs = frozenset({"styles", "texts"})
    higher_is_better = True
    aspect = "style"
    defaults = {"like": "keras", "epochs": 2, "dimension": 128, "seed": 1}
    choices = {"like": LIKE}
    bounds = {"epochs": (1, 50), "dimension": (4, 512), "seed": SEEDS}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        like = str(chosen["like"])
        epochs, dimension, seed = (int(chosen[name]) for name in ("epochs", "dimension", "seed"))

        def train(texts: Sequence[str], labels: Labels, styles: int) -> StyleClassifier:
            from evaluation.learned_scorers.lstm_classifier import SIZES, LstmClassifier

            return LstmClassifier(texts, labels, styles, dimension, epochs, seed, batch.language, SIZES[like])

        material = batch.material or TrainingMaterial()
        key = (self.name, *chosen.values())
        if why := few_texts(material, seed):
            return Scores(np.full(len(batch.outputs), np.nan), undefined=why)
        return Scores(*target_style_hits(batch.outputs, batch.target_styles, material, key, train, seed, checked=1))

    def _undefined_for(self, language: str, chosen: Mapping[str, Setting]) -> str:
        return "" if chosen["like"] == "fu" else words_missing(language)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        if chosen["like"] == "fu":
            words = {"case": "mixed", "tok": "spaces", "longest": "20-last", "vocabulary": "80000", "batch": "128"}
        else:
            words = {"case": "lc", "tok": words_signature(str(chosen["language"])), "longest": str(LONGEST)}
        return {
            "model": "lstm",
            "epochs": str(chosen["epochs"]),
            "dimension": str(chosen["dimension"]),
            **words,
            "seed": str(chosen["seed"]),
            "lib": f"torch-{version('torch').split('+')[0]}",
        }


METRIC = TransferStrength()
