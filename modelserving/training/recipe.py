"""How a network is trained, whatever network it is. Without torch: forms are made of it."""

from dataclasses import dataclass

from foundation.options import option


@dataclass(frozen=True)
class TrainingRecipe:
    """The defaults are those of MedLane's networks (Luo et al. 2022, section 5.1), where it says."""

    optimizer: str = option("adam", "How gradients move the weights", choices=("adam", "adadelta", "sgd"))
    rate: float = option(0.001, "Learning rate", low=1e-8, high=10)
    batch: int = option(30, "Texts a batch", low=1, high=10_000)
    epochs: int = option(30, "Times that all texts are gone through, at most", low=1, high=10_000)
    clip: float = option(5.0, "Longest gradient; 0 for none", low=0, rare=True)
    tune_by: str = option("bleu", "What the tune set is scored by", choices=("bleu", "perplexity"))
    tune_every: int = option(0, "Batches from one tune score to the next; 0 for an epoch", low=0, rare=True)
    tune_most: int = option(500, "Tune texts that are rewritten for a score, at most", low=1, rare=True)
    patience: int = option(5, "Tune scores without a better one before it stops; 0 to go on", low=0)
    keep_every: int = option(500, "Batches from one kept state to the next", low=1, rare=True)
