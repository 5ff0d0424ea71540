"""How a pretrained model is trained and how it writes. Without torch: forms are made of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from foundation.errors import UserError
from foundation.options import option
from foundation.papers import MEDLANE, PLABA
from foundation.translation import translatable
from modelserving.interface import Preset
from modelserving.training.recipe import (
    BATCHES,
    CHECKPOINTS,
    COMPUTATION,
    LOSS,
    OPTIMIZATION,
    PREFERENCES,
    PRETRAINED,
    REGULARIZATION,
    SAMPLING,
    SCHEDULE,
    SCORING,
    SEARCH,
    TEXTS,
    gpus_of,
    tune_metrics,
)

# MedLane's settings of pretrained encoders and decoders (Luo et al. 2022, section 5.1), as a preset of other entries.
#
# Batches of 30, AdamW at 5e-5 with warm-up, early stop by BLEU, and marked sentences. The paper does not name the
# updates of the warm-up and the patience of the early stop: ours are about an epoch of its data, and five.

BATCH, WARMUP, PATIENCE = 30, 400, 5

MEDLANE_PRESET = Preset(
    "MedLane",
    MEDLANE,
    {
        "batch": BATCH, "rate": 5e-5, "warmup": WARMUP, "tune_by": "bleu", "patience": PATIENCE, "marked": True,
        "prefix": "",
    },
)  # fmt: skip

# PLABA's published program (attal-kush/PLABA, BaselineModelReports.py). Its paper has the rest, which is the default.


def plaba_preset(batch: int, longest: int) -> Preset:
    """The program's values: texts a batch, and the most tokens of a text."""
    return Preset(
        "PLABA's program",
        PLABA,
        {"batch": batch, "patience": 3},
        {
            "beam": 5, "no_repeat": 2, "length_penalty": 5.0, "shortest": 30, "longest": longest,
            "early_stopping": True,
        },
    )  # fmt: skip


SCHEDULES = ("constant", "inverse_sqrt", "linear", "cosine")
PYTORCH, CTRANSLATE2 = "pytorch", "ctranslate2"
PRECISIONS = ("auto", "float32", "bfloat16")
EARLY_STOPPING = translatable("End a search once as many texts have ended as there are hypotheses")


def tune_scores() -> tuple[str, ...]:
    """The loss of the tune set's references, and the metrics that any network can be tuned by."""
    return ("loss", *(name for name in tune_metrics() if name != LOSS))


@dataclass(frozen=True)
class TunedOptions:
    """The options to train any pretrained model. The defaults are PLABA's; where it is silent, transformers' own."""

    rate: float = option(5e-5, "Learning rate of AdamW, its highest", low=1e-8, high=10, group=OPTIMIZATION)
    batch: int = option(8, "Texts per batch", low=1, high=10_000, group=BATCHES)
    accumulate: int = option(1, "Batches whose gradients are summed for an update", low=1, high=10_000, group=BATCHES)
    epochs: int = option(20, "Number of passes over all texts, at most", low=1, high=10_000, group=SCORING)
    tune_by: str = option(
        "loss", "Score of the tune set; loss is that of its references, in nats per token", choices=tune_scores,
        group=SCORING,
    )  # fmt: skip
    patience: int = option(
        0, "Number of tune scores without a better one before it stops; 0 never stops", low=0, group=SCORING
    )
    schedule: str = option("linear", "How the learning rate changes", choices=SCHEDULES, rare=True, group=SCHEDULE)
    warmup: int = option(0, "Updates in which the learning rate rises to its highest", low=0, rare=True, group=SCHEDULE)
    decay: float = option(
        0.0, "Weight decay; none for biases and norms", low=0, high=1, rare=True, group=REGULARIZATION
    )
    smoothing: float = option(
        0.0, "Label smoothing (Szegedy et al. 2016)", low=0, high=0.9, rare=True, group=REGULARIZATION
    )
    clip: float = option(1.0, "Longest gradient; 0 for none", low=0, rare=True, group=OPTIMIZATION)
    tune_every: int = option(
        0, "Updates from one tune score to the next; 0 for an epoch", low=0, rare=True, group=SCORING
    )
    tune_most: int = option(500, "Tune texts that a score is of, at most", low=1, rare=True, group=SCORING)
    keep_every: int = option(500, "Updates from one kept state to the next", low=1, rare=True, group=CHECKPOINTS)
    precision: str = option(
        "auto", "Type of the matrix products; auto is bfloat16 on a GPU that has it", choices=PRECISIONS, rare=True,
        group=BATCHES,
    )  # fmt: skip
    checkpointing: bool = option(
        False, "Recompute activations instead of keeping them (gradient checkpointing): slower, less memory",
        rare=True, group=BATCHES,
    )  # fmt: skip
    devices: str = option(
        "", "GPUs that it takes, by number, with commas between; empty for all that its worker sees", rare=True,
        group=BATCHES,
    )  # fmt: skip

    def __post_init__(self) -> None:
        gpus_of(self.devices)


REFERENCES, PREFERRED, REWARDED = "references", "preferences", "rewards"
REWARDS = "style_accuracy\nsemantic_similarity model=minilm-l6\nperplexity_ngram"  # style, meaning, fluency
SIGMOID, IPO = "sigmoid", "ipo"


@dataclass(frozen=True)
class PreferringOptions(TunedOptions):
    """The options of a model that can also learn which of two texts people preferred (DPO, Rafailov et al. 2023), or
    what metrics reward (GRPO, Shao et al. 2024)."""

    learn_from: str = option(
        REFERENCES, "It learns references; or preferences: which of two rewrites people judged to be better "
        "(DPO, Rafailov et al. 2023); or rewards: what metrics say of its own rewrites (GRPO, Shao et al. 2024)",
        choices=(REFERENCES, PREFERRED, REWARDED), group=PREFERENCES,
    )  # fmt: skip
    criterion: str = option(
        "", "For preferences: the criterion whose judgements count; empty for all", rare=True, group=PREFERENCES
    )
    least_margin: float = option(
        0.0, "For preferences: pairs count if their margin, votes for less votes against over all votes, is at least "
        "this", low=0, high=1, rare=True, group=PREFERENCES,
    )  # fmt: skip
    beta: float = option(
        0.1, "For preferences and rewards: how closely it keeps to the model that it starts from; a smaller beta "
        "lets it go farther",
        low=1e-4, high=100, rare=True, group=PREFERENCES,
    )  # fmt: skip
    preference_loss: str = option(
        SIGMOID, "For preferences: the loss; sigmoid is DPO's, ipo that of Azar et al. (2024), for each token",
        choices=(SIGMOID, IPO), rare=True, group=PREFERENCES,
    )  # fmt: skip
    offset: float = option(
        0.0, "For preferences: the sigmoid loss wants the better text ahead by this times the pair's margin (ODPO, "
        "Amini et al. 2024)", low=0, high=100, rare=True, group=PREFERENCES,
    )  # fmt: skip
    rewards: str = option(
        REWARDS, "For rewards: the metrics, one a line, each with settings and a weight behind it, such as "
        "model=minilm-l6 weight=2", lines=True, rare=True, group=PREFERENCES,
    )  # fmt: skip
    rewrites: int = option(
        8, "For rewards: rewrites of a source that are compared with each other", low=2, high=64, rare=True,
        group=PREFERENCES,
    )  # fmt: skip
    rewrite_tokens: int = option(
        128, "For rewards: tokens of a rewrite, at most", low=1, high=4_096, rare=True, group=PREFERENCES
    )
    start_from: str = option(
        "", "Checkpoint of the same model whose weights it starts from, in place of the folder's: its name in the "
        "study, or its file below RESTYLE_MODELS", rare=True, suggestions="checkpoints", group=CHECKPOINTS,
    )  # fmt: skip


PREFERENCES_ALONE: Mapping[str, Any] = {"learn_from": PREFERRED}
REWARDS_ALONE: Mapping[str, Any] = {"learn_from": REWARDED}
"""The options by which a model of `PreferringOptions` needs no references."""


def learns_from(options: Any) -> str:
    """The choice of `learn_from`; stored options may be older than it."""
    return str(options.get("learn_from", REFERENCES) if isinstance(options, Mapping) else options.learn_from)


def rewards_named(options: Any) -> str:
    """The list of rewards; that of stored options may be older than it."""
    return str(options.get("rewards", REWARDS) if isinstance(options, Mapping) else options.rewards)


def signed(options: Any) -> dict[str, str]:
    """The part of a trained model's signature about what it was rewarded for; nothing where it was not."""
    if options is None or learns_from(options) != REWARDED:
        return {}
    return {"rewards": ",".join("+".join(line.split()) for line in options.rewards.splitlines() if line.strip())}


@dataclass(frozen=True)
class PretrainedOptions(PreferringOptions):
    """The options of a pretrained encoder and decoder."""

    folder: str = option(
        "", "Folder of the pretrained model, below RESTYLE_MODELS", suggestions="model_folders", required=True,
        group=PRETRAINED,
    )  # fmt: skip
    prefix: str = option("", "Prefix of each source, such as 'summarize: '", group=TEXTS)
    marked: bool = option(
        False, "Train on references with the brackets that mark replaced terms", rare=True, group=TEXTS
    )
    read: int = option(512, "Tokens of a source that are read; longer ones are cut", low=8, high=16_384, group=TEXTS)
    write: int = option(
        512, "Tokens of a reference that are trained on; longer ones are cut", low=8, high=16_384, group=TEXTS
    )
    sharded: bool = option(
        False, "Weights, gradients and AdamW's state lie in parts on the GPUs (FSDP, Zhao et al. 2023): for a model "
        "that does not fit into one; tuned by its loss", rare=True, group=BATCHES,
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sharded and (self.tune_by != "loss" or self.learn_from != REFERENCES):
            raise UserError("A model in parts learns references, and is tuned by their loss.", where="sharded")


@dataclass(frozen=True)
class GenerationOptions:
    """How a pretrained model writes, as transformers' `generate` names it, by its defaults but for beam and length."""

    beam: int = option(4, "Number of hypotheses (beam); 1 is greedy search", low=1, high=64, group=SEARCH)
    longest: int = option(512, "Tokens of an output at most", low=1, high=16_384, group=SEARCH)
    shortest: int = option(0, "Tokens of an output at least", low=0, high=4_096, rare=True, group=SEARCH)
    length_penalty: float = option(
        1.0, "Exponent of the length by which a hypothesis is scored", low=-5, high=5, rare=True, group=SEARCH
    )
    early_stopping: bool = option(False, EARLY_STOPPING, rare=True, group=SEARCH)
    no_repeat: int = option(
        0, "Length of token sequences that never repeat; 0 for no such rule", low=0, high=100, rare=True, group=SEARCH
    )
    sample: bool = option(False, "Sample each token instead of searching", rare=True, group=SAMPLING)
    temperature: float = option(
        1.0, "Temperature of sampling: below 1, likely tokens gain", low=0.01, high=10, rare=True, group=SAMPLING
    )
    top_p: float = option(
        1.0, "Top-p of sampling: the likeliest tokens with this total probability", low=0.01, high=1, rare=True,
        group=SAMPLING,
    )  # fmt: skip
    seed: int = option(1, "Seed of sampling", low=0, rare=True, group=SAMPLING)
    precision: str = option(
        "auto", "Type of the weights; auto is bfloat16 on a GPU that has it", choices=PRECISIONS, rare=True,
        group=COMPUTATION,
    )  # fmt: skip


@dataclass(frozen=True)
class SidesGenerationOptions(GenerationOptions):
    """How a pretrained encoder and decoder writes."""

    engine: str = option(
        PYTORCH, "Engine of the computation: CTranslate2, if it is installed, is quicker on the CPU with 8-bit "
        "integers",
        choices=(PYTORCH, CTRANSLATE2), rare=True, group=COMPUTATION,
    )  # fmt: skip
    quantization: str = option(
        "int8", "CTranslate2's type of the weights", choices=("int8", "float32"), rare=True, group=COMPUTATION
    )


@dataclass(frozen=True)
class EarlyStoppingOptions(SidesGenerationOptions):
    """How T5 and BART write. PLABA's paper and MedLane's do not say when a search ends, so the released models decide:
    "early_stopping": true stands in the generation_config.json of bart-base and bart-large-cnn, and in t5-base's
    config.json for summaries, the task whose prompt PLABA takes."""

    early_stopping: bool = option(True, EARLY_STOPPING, rare=True)


@dataclass(frozen=True)
class UntunedOptions(SidesGenerationOptions):
    """How an untrained pretrained model writes: its folder, and the settings of generation in it."""

    folder: str = option(
        "", "Folder of the pretrained model, below RESTYLE_MODELS", suggestions="model_folders", required=True,
        group=PRETRAINED,
    )  # fmt: skip
    as_folder: bool = option(
        True, "Search as the folder's generation_config.json says, if the option here has its default", rare=True,
        group=SEARCH,
    )  # fmt: skip
    prefix: str = option("", "Prefix of each source, such as 'summarize: '", group=TEXTS)
    read: int = option(
        512, "Tokens of a source that are read; longer ones are cut", low=8, high=16_384, rare=True, group=TEXTS
    )
