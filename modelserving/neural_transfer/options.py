"""The options of all models that are networks. Without torch: forms are made of them."""

from dataclasses import dataclass

from foundation.options import option
from modelserving.training.recipe import NETWORK, REGULARIZATION, TEXTS, TrainingRecipe


@dataclass(frozen=True)
class RecurrentSizes(TrainingRecipe):
    """The sizes of LSTMs and GRUs; MedLane's."""

    hidden: int = option(256, "Size of the hidden states", low=1, high=4096, group=NETWORK)
    embedding: int = option(256, "Size of the embeddings", low=1, high=4096, group=NETWORK)


@dataclass(frozen=True)
class TextOptions(TrainingRecipe):
    """The words that a network knows and reads; the defaults are MedLane's, and ours where its paper is silent."""

    dropout: float = option(
        0.2, "Share of the activations that are dropped in training", low=0, high=0.9, group=REGULARIZATION
    )
    words: int = option(50_000, "Words that are known on a side, at most", low=1, high=1_000_000, group=TEXTS)
    subwords: int = option(
        0, "Number of subwords learnt instead of words (byte-pair encoding), at most; 0 for words", low=0, high=200_000,
        group=TEXTS,
    )  # fmt: skip
    least: int = option(
        1, "Least number of occurrences of a known word in the training texts", low=1, rare=True, group=TEXTS
    )
    longest: int = option(
        100, "Words of a text that is trained on, at most; longer ones are left out", low=1, rare=True, group=TEXTS
    )
    lowercase: bool = option(False, "Train on and write lower case", rare=True, group=TEXTS)
    read: int = option(
        2_000, "Words of a text that are read when it is rewritten, at most", low=1, high=10_000, rare=True, group=TEXTS
    )


@dataclass(frozen=True)
class CopyingRecipe(TrainingRecipe):
    """The options of every network that is trained on pairs."""

    copied_targets: int = option(
        0, "Times that each target is also a pair of itself (Currey et al. 2017)", low=0, high=10, rare=True,
        group=TEXTS,
    )  # fmt: skip


@dataclass(frozen=True)
class PairOptions(CopyingRecipe, TextOptions):
    """The options of networks that are trained on pairs of words."""


@dataclass(frozen=True)
class NetworkOptions(PairOptions, RecurrentSizes):
    """Options that all networks of LSTMs have."""

    layers: int = option(1, "Layers of LSTMs in encoder and decoder", low=1, high=16, rare=True, group=NETWORK)
