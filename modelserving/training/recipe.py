"""How a network is trained, tuned and searched, and the groups of options. Without torch: forms are made of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from evaluation.metrics import METRICS, Metric
from foundation.errors import UserError
from foundation.options import Value, option
from foundation.translation import translatable

# The groups of the models' options, in the words of the field. An option that a model declares anew keeps the group of
# its first declaration (`foundation.options.list_options`).

OPTIMIZATION = translatable("Optimization")
SCHEDULE = translatable("Learning-rate schedule")
REGULARIZATION = translatable("Regularization")
BATCHES = translatable("Batches and memory")
SCORING = translatable("Stopping and scoring")
CHECKPOINTS = translatable("Checkpoints")
TEXTS = translatable("Texts")
NETWORK = translatable("Network")
PRETRAINED = translatable("Pretrained model")
SEARCH = translatable("Search")
SAMPLING = translatable("Sampling")
COMPUTATION = translatable("Computation")
ADAPTER = translatable("Adapter")
PREFERENCES = translatable("Preferences")
LANGUAGE_MODEL = translatable("Language model")
PHRASES = translatable("Phrase table")
SELF_TRAINING = translatable("Self-training")
TUNING = translatable("Tuning of the weights")
LOSSES = translatable("Losses")
SAMPLES = translatable("Soft samples")
MARKERS = translatable("Attribute markers")
EDITS = translatable("Edits")
MORE_PAIRS = translatable("Self-training and back-translation")
ADVERSARIES = translatable("Adversarial training")

LOSS = "perplexity"
"""That of the network itself, of the references."""
OBJECTIVE = "objective"
"""All losses of a network together, each by its weight, of texts."""
STYLE_AND_CONTENT = "style_and_content"
"""The geometric mean of style accuracy and self-BLEU, of texts moved into another style."""
ENTROPY, ALIGNMENT, ON_ONE_PLACE = "attention_entropy", "attention_alignment", "attention_on_one_place"
"""Curves of the attention to dev sources while their references are written: nats a word; its share at the source's
same word, of words that the source has; its largest share at one place of a source, over the whole text."""
ATTENTION = (ENTROPY, ALIGNMENT, ON_ONE_PLACE)
COLLAPSED = 0.5
COLLAPSE = translatable(
    "The attention has collapsed: {share} of it lies at one place of each source, so the network hardly reads the "
    "others. Another optimizer, a lower rate, a warmup or another seed may help."
)
AT_HAND = frozenset({"sources", "references"})


def attention_warning(on_one_place: float, translate: Callable[[str], str] = str) -> str:
    """The sentence that says so where the attention has collapsed; "" where it has not."""
    return translate(COLLAPSE).format(share=f"{on_one_place:.0%}") if on_one_place >= COLLAPSED else ""


@cache
def tune_metrics() -> tuple[str, ...]:
    """The network's own perplexity, and each metric that has a better end and asks for texts alone."""
    return (LOSS, *(name for name in METRICS if _needs_texts_alone(METRICS[name])))


def _needs_texts_alone(metric: Metric) -> bool:
    return metric.higher_is_better is not None and metric.needs <= AT_HAND and not _files_of(metric)


def _files_of(metric: Metric) -> Mapping[str, object]:
    """The metric's settings that name a file or a folder: texts without choices."""
    return {
        key: value for key, value in metric.defaults.items() if isinstance(value, str) and key not in metric.choices
    }


@dataclass(frozen=True)
class BeamSearchOptions:
    """The options of greedy and beam search, with both penalties of Wu et al. (2016, section 7), and of sampling."""

    beam: int = option(5, "Number of hypotheses (beam); 1 is greedy search", low=1, high=100, group=SEARCH)
    length_penalty: float = option(
        0.0, "How much longer texts are favoured (Wu et al. 2016)", low=0, high=5, group=SEARCH
    )
    coverage_penalty: float = option(
        0.0, "How much unread source words cost (Wu et al. 2016)", low=0, high=5, group=SEARCH
    )
    replace_unknown: bool = option(
        True, "Replace an unknown word with the source word of most attention", rare=True, group=SEARCH
    )
    longest: int = option(
        200, "Words of an output at most, beside twice its source's and ten", low=1, high=2000, rare=True, group=SEARCH
    )
    shortest: int = option(0, "Words of an output at least", low=0, high=2000, rare=True, group=SEARCH)
    no_repeat: int = option(
        0, "Length of word sequences that never repeat in an output (Paulus et al. 2018); 0 for no such rule",
        low=0, high=20, rare=True, group=SEARCH,
    )  # fmt: skip
    sample: bool = option(False, "Draw each word by its probability, without a search", rare=True, group=SAMPLING)
    temperature: float = option(
        1.0, "Temperature: divides the logarithms before a word is drawn; below 1, likely words are drawn more often",
        low=0.01, high=100, rare=True, group=SAMPLING,
    )  # fmt: skip
    top_p: float = option(
        1.0, "A word is drawn among the likeliest that have this share of the probability (Holtzman et al. 2020)",
        low=0.001, high=1, rare=True, group=SAMPLING,
    )  # fmt: skip
    seed: int = option(
        0, "Seed of the draws; an output depends on its source and this seed alone", low=0, rare=True, group=SAMPLING
    )

    def __post_init__(self) -> None:
        if self.shortest > self.longest:
            raise UserError("Expected at most the longest, {longest} words.", longest=self.longest, where="shortest")

    def limit(self, words: int) -> int:
        """The most words of the output for a source of so many words."""
        return max(self.shortest, min(self.longest, 2 * words + 10))

    def length(self, words: int) -> float:
        """The divisor of the log-probability of so many words, END included."""
        return float(((5 + words) / 6) ** self.length_penalty)


OPTIMIZERS = ("adam", "adamw", "adadelta", "sgd")
SCHEDULES = ("constant", "inverse_sqrt", "linear", "cosine", "step", "plateau")
MOST_DIGITS = 4
PRECISIONS = ("auto", "float32", "tf32", "bfloat16")


def gpus_of(devices: str) -> list[int]:
    """The numbers of the GPUs that the option `devices` names, none where it is empty; a UserError where it is odd."""
    names = [name.strip() for name in devices.split(",")] if devices.strip() else []
    if not all(name.isascii() and name.isdigit() and len(name) < MOST_DIGITS for name in names):
        raise UserError("Expected numbers of GPUs with commas between, as 0,2.", where="devices")
    if len({int(name) for name in names}) < len(names):
        raise UserError("A GPU occurs twice.", where="devices")
    return [int(name) for name in names]


ADAPTIVE_DECAY: Mapping[str, Value] = {"schedule": "plateau", "rate_decay": 0.5, "decay_after": 2}
"""The "adaptive learning rate decay" of Cao et al. (2020, section 4.2), who say no more of it: the numbers are ours."""


@dataclass(frozen=True)
class TrainingRecipe:
    """The defaults are those of MedLane's networks (Luo et al. 2022, section 5.1), where the paper names them."""

    optimizer: str = option("adam", "How gradients move the weights", choices=OPTIMIZERS, group=OPTIMIZATION)
    rate: float = option(0.001, "Learning rate; with a schedule its highest", low=1e-8, high=10, group=OPTIMIZATION)
    batch: int = option(30, "Texts per batch", low=1, high=10_000, group=BATCHES)
    epochs: int = option(30, "Number of passes over all texts, at most", low=1, high=10_000, group=SCORING)
    clip: float = option(5.0, "Longest gradient; 0 for none", low=0, rare=True, group=OPTIMIZATION)
    tune_by: str = option("bleu", "Score of the tune set", choices=tune_metrics, group=SCORING)
    tune_every: int = option(
        0, "Batches from one tune score to the next; 0 for an epoch", low=0, rare=True, group=SCORING
    )
    tune_most: int = option(500, "Tune texts that are rewritten for a score, at most", low=1, rare=True, group=SCORING)
    patience: int = option(
        5, "Number of tune scores without a better one before it stops; 0 never stops", low=0, group=SCORING
    )
    keep_every: int = option(500, "Batches from one kept state to the next", low=1, rare=True, group=CHECKPOINTS)
    schedule: str = option("constant", "How the learning rate changes", choices=SCHEDULES, rare=True, group=SCHEDULE)
    warmup: int = option(
        0, "Updates in which the learning rate rises to its highest; patience begins after them", low=0, rare=True,
        group=SCHEDULE,
    )  # fmt: skip
    rate_decay: float = option(
        0.5, "Factor of the learning rate at each decay, with the schedule step or plateau", low=0.01, high=1,
        rare=True, group=SCHEDULE,
    )  # fmt: skip
    decay_from: int = option(
        1, "Epoch after which, and after each later one, the rate decays, with the schedule step", low=1, rare=True,
        group=SCHEDULE,
    )  # fmt: skip
    decay_after: int = option(
        1, "Tune scores in a row without a better one before the rate decays, with the schedule plateau", low=1,
        rare=True, group=SCHEDULE,
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
        0, "Tokens per batch, padding counted, on the longer side; 0 for batches by texts", low=0, rare=True,
        group=BATCHES,
    )  # fmt: skip
    average: int = option(
        0, "Number of last states whose mean is scored too, and kept if it is better; 0 for none",
        low=0, high=50, rare=True, group=SCORING,
    )  # fmt: skip
    start_from: str = option(
        "", "Checkpoint of the same model whose weights and words it starts from: its name in the study, or its file "
        "below RESTYLE_MODELS", rare=True, suggestions="checkpoints", group=CHECKPOINTS,
    )  # fmt: skip
    precision: str = option(
        "auto", "Type of a GPU's matrix products; auto is bfloat16 where it has it, and TF32 for what stays in float32",
        choices=PRECISIONS, rare=True, group=BATCHES,
    )  # fmt: skip

    devices: str = option(
        "", "GPUs that it takes, by number, with commas between; empty for all that its worker sees", rare=True,
        group=BATCHES,
    )  # fmt: skip

    def __post_init__(self) -> None:
        gpus_of(self.devices)
        if self.decay and self.optimizer != "adamw":
            raise UserError("Weight decay is adamw's: choose it as the optimizer.", where="decay")
