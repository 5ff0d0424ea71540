"""How a network is trained, whatever network it is. Without torch: forms are made of it."""

from dataclasses import dataclass

from foundation.errors import UserError
from foundation.options import option
from modelserving.training.option_groups import BATCHES, CHECKPOINTS, OPTIMIZATION, REGULARIZATION, SCHEDULE, SCORING
from modelserving.training.tune_metrics import tune_metrics

OPTIMIZERS = ("adam", "adamw", "adadelta", "sgd")
SCHEDULES = ("constant", "inverse_sqrt", "linear", "cosine")
PRECISIONS = ("auto", "float32", "bfloat16")


@dataclass(frozen=True)
class TrainingRecipe:
    """The defaults are those of MedLane's networks (Luo et al. 2022, section 5.1), where it says."""

    optimizer: str = option("adam", "How gradients move the weights", choices=OPTIMIZERS, group=OPTIMIZATION)
    rate: float = option(0.001, "Learning rate; with a schedule its highest", low=1e-8, high=10, group=OPTIMIZATION)
    batch: int = option(30, "Texts a batch", low=1, high=10_000, group=BATCHES)
    epochs: int = option(30, "Times that all texts are gone through, at most", low=1, high=10_000, group=SCORING)
    clip: float = option(5.0, "Longest gradient; 0 for none", low=0, rare=True, group=OPTIMIZATION)
    tune_by: str = option("bleu", "What the tune set is scored by", choices=tune_metrics, group=SCORING)
    tune_every: int = option(
        0, "Batches from one tune score to the next; 0 for an epoch", low=0, rare=True, group=SCORING
    )
    tune_most: int = option(500, "Tune texts that are rewritten for a score, at most", low=1, rare=True, group=SCORING)
    patience: int = option(5, "Tune scores without a better one before it stops; 0 to go on", low=0, group=SCORING)
    keep_every: int = option(500, "Batches from one kept state to the next", low=1, rare=True, group=CHECKPOINTS)
    schedule: str = option("constant", "How the learning rate changes", choices=SCHEDULES, rare=True, group=SCHEDULE)
    warmup: int = option(
        0, "Updates in which the learning rate rises to its highest; patience begins after them", low=0, rare=True,
        group=SCHEDULE,
    )  # fmt: skip
    smoothing: float = option(
        0.0, "Label smoothing (Szegedy et al. 2016)", low=0, high=0.9, rare=True, group=REGULARIZATION
    )
    decay: float = option(
        0.0, "Weight decay of adamw; none for biases and norms", low=0, high=1, rare=True, group=REGULARIZATION
    )
    adam_beta2: float = option(
        0.999, "Second beta of adam and adamw", low=0, high=0.999999, rare=True, group=OPTIMIZATION
    )
    adam_epsilon: float = option(1e-8, "Epsilon of adam and adamw", low=1e-16, high=0.1, rare=True, group=OPTIMIZATION)
    accumulate: int = option(
        1, "Batches whose gradients are summed for an update", low=1, high=10_000, rare=True, group=BATCHES
    )
    batch_tokens: int = option(
        0, "Tokens a batch, padding counted, on the longer side; 0 for batches by texts", low=0, rare=True,
        group=BATCHES,
    )  # fmt: skip
    average: int = option(
        0, "States at the last tune scores whose mean is scored too, and kept where it is better; 0 for none",
        low=0, high=50, rare=True, group=SCORING,
    )  # fmt: skip
    start_from: str = option(
        "", "Checkpoint of the same model whose weights and words it starts from: its name in the study, or its file "
        "below RESTYLE_MODELS", rare=True, suggestions="checkpoints", group=CHECKPOINTS,
    )  # fmt: skip
    precision: str = option(
        "auto", "Type of the matrix products; auto is bfloat16 on a GPU that has it", choices=PRECISIONS, rare=True,
        group=BATCHES,
    )  # fmt: skip

    def __post_init__(self) -> None:
        if self.decay and self.optimizer != "adamw":
            raise UserError("Weight decay is adamw's: choose it as the optimizer.", where="decay")
