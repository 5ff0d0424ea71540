"""The options that all models have that are networks. Without torch: forms are made of them."""

from dataclasses import dataclass

from foundation.options import option
from modelserving.training.recipe import TrainingRecipe


@dataclass(frozen=True)
class NetworkOptions(TrainingRecipe):
    """Options that all networks have. Sizes are MedLane's; where the paper is silent, ours."""

    hidden: int = option(256, "Size of the hidden states", low=1, high=4096)
    embedding: int = option(256, "Size of the embeddings", low=1, high=4096)
    dropout: float = option(0.2, "Share of the activations that are dropped in training", low=0, high=0.9)
    words: int = option(50_000, "Words that are known on a side, at most", low=1, high=1_000_000)
    least: int = option(1, "How often a word stands in the training texts to be known", low=1, rare=True)
    longest: int = option(
        100, "Words of a text that is trained on, at most; longer ones are left out", low=1, rare=True
    )
    lowercase: bool = option(False, "Train on and write lower case", rare=True)
    read: int = option(
        2_000, "Words of a text that are read when it is rewritten, at most", low=1, high=10_000, rare=True
    )
