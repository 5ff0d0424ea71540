"""How DECLARE is trained and how it writes. Without torch: forms are made of it."""

from dataclasses import dataclass

from foundation.options import option
from modelserving.pretrained.options import BATCH, PATIENCE, WARMUP
from modelserving.training.recipe import PRETRAINED, SEARCH, TEXTS, TrainingRecipe

ARCHITECTURES = ("bert", "distilbert", "electra")  # whose words are pieces in WordPiece's form


@dataclass(frozen=True)
class SimplifierOptions(TrainingRecipe):
    """The paper's: 64 tokens, 8 full forms, 10 epochs of AdamW at 5e-5 with warm-up, early stop by BLEU."""

    folder: str = option(
        "PubMedBERT", "Folder of an encoder of BERT's form, below RESTYLE_MODELS", suggestions="model_folders",
        required=True, group=PRETRAINED,
    )  # fmt: skip
    optimizer: str = option("adamw", "How gradients move the weights", choices=("adam", "adamw", "adadelta", "sgd"))
    rate: float = option(5e-5, "Learning rate; with a schedule its highest", low=1e-8, high=10)
    batch: int = option(BATCH, "Texts per batch", low=1, high=10_000)
    epochs: int = option(10, "Number of passes over all texts, at most", low=1, high=10_000)
    clip: float = option(1.0, "Longest gradient; 0 for none", low=0, rare=True)
    patience: int = option(PATIENCE, "Number of tune scores without a better one before it stops; 0 never stops", low=0)
    schedule: str = option(
        "linear", "How the learning rate changes", choices=("constant", "inverse_sqrt", "linear", "cosine"), rare=True
    )
    warmup: int = option(
        WARMUP, "Updates in which the learning rate rises to its highest; patience begins after them", low=0, rare=True
    )
    decay: float = option(0.01, "Weight decay of adamw; none for biases and norms", low=0, high=1, rare=True)
    longest: int = option(
        64, "Tokens of a text that is trained on, at most; longer ones are left out", low=8, high=16_384, group=TEXTS
    )
    forms: int = option(8, "Full forms of a term among which one is chosen, at most", low=1, high=64, group=TEXTS)


@dataclass(frozen=True)
class SimplifierDecoding:
    """How it writes: greedily, as the authors' program does."""

    longest: int = option(
        20, "Tokens that are written for a run of terms, at most", low=1, high=1_000, rare=True, group=SEARCH
    )
