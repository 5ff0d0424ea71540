"""The options of controlled generation (Hu et al. 2017), and the values that others published. Without torch.

The sizes of embeddings and states and the weights of the losses are the paper's, the rest is Texar's example's
(asyml/texar, examples/text_style_transfer); the sizes of contents and of what reads definitions, `clip`,
`kl_warmup`, `confidence` and `definition_words` are ours.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from foundation.errors import UserError
from foundation.options import Value, option
from foundation.papers import MSD, Paper
from modelserving.interface import Preset
from modelserving.neural_transfer.styled import StyledOptions
from modelserving.neural_transfer.word_vectors import check_vectors
from modelserving.training.option_groups import LOSSES, NETWORK, SAMPLES, TEXTS
from modelserving.training.tune_metrics import OBJECTIVE

HU = Paper(
    "Hu, Yang, Liang, Salakhutdinov and Xing", 2017, "Toward Controlled Generation of Text",
    "https://arxiv.org/abs/1703.00955",
)  # fmt: skip
TEXAR: Mapping[str, Value] = {
    "base": "attention", "samples": "texts", "noise": True, "generated": 0.0, "patience": 0,
    "embedding": 100, "hidden": 700, "content": 500, "clip": 0.0,
}  # fmt: skip
OF_MSD: Mapping[str, Value] = {
    **TEXAR, "rate": 0.001, "batch": 32, "longest": 100, "embedding": 300, "patience": 5, "clip": 5.0,
}  # fmt: skip
PRESETS: Mapping[str, Preset] = {
    "texar": Preset("Texar's example: Yelp", HU, TEXAR),
    "msd": Preset("Cao et al.: MSD", MSD, OF_MSD),
    "msd_definitions": Preset("Cao et al.: MSD, section 4.10", MSD, {**OF_MSD, "definitions": True}),
}
VAE, ATTENTION = "vae", "attention"
PRIOR = "prior"


@dataclass(frozen=True)
class ControlledOptions(StyledOptions):
    """`tune_by`: the generator's whole loss, since the best auto-encoder is the one that moves no style."""

    optimizer: str = option("adam", "How gradients move the weights", choices=("adam", "adamw", "adadelta", "sgd"))
    rate: float = option(0.0005, "Learning rate; with a schedule its highest", low=1e-8, high=10)
    batch: int = option(64, "Texts a batch", low=1, high=10_000)
    epochs: int = option(12, "Times that all texts are gone through, at most", low=1, high=10_000)
    clip: float = option(
        5.0, "Longest gradient; 0 for none, with which soft samples may make it so long that a training fails", low=0,
        rare=True,
    )  # fmt: skip
    tune_by: str = option(OBJECTIVE, "What the tune texts are scored by", choices=(OBJECTIVE,), rare=True)
    dropout: float = option(0.5, "Share of the activations that are dropped in training", low=0, high=0.9)
    numbers: bool = option(False, "Put <NUM> for each number", rare=True)
    base: str = option(
        VAE, "What gives texts back: the paper's variational auto-encoder, or one that attends to the source",
        choices=(VAE, ATTENTION), group=NETWORK,
    )  # fmt: skip
    hidden: int = option(300, "Size of the states", low=1, high=4096)
    embedding: int = option(300, "Size of the word embeddings", low=1, high=4096)
    content: int = option(
        300, "Size of a content; with attention at most that of the states", low=1, high=4096, group=NETWORK
    )
    style: int = option(200, "Size of the style embeddings", low=1, high=4096, group=NETWORK)
    filters: int = option(
        128, "Filters of the discriminator over each 3, 4 and 5 words", low=1, high=4096, rare=True, group=NETWORK
    )
    vectors: str = option(
        "", "File of word vectors (GloVe's form) that the embeddings begin with", rare=True, group=NETWORK
    )
    pretraining: int = option(
        10, "Epochs in which texts are only given back; then the discriminator counts and the temperature falls",
        low=0, high=10_000, group=LOSSES,
    )  # fmt: skip
    kl: float = option(1.0, "Weight of the VAE's KL divergence in the end", low=0, high=1000, group=LOSSES)
    kl_warmup: int = option(
        2_000, "Updates in which the weight of the KL divergence rises to its highest", low=0, rare=True, group=LOSSES
    )
    attribute: float = option(
        0.1, "Weight of the discriminator's loss on soft samples (lambda_c)", low=0, high=1000, group=LOSSES
    )
    independence: float = option(
        0.1, "Weight of the content's loss on soft samples, with a VAE (lambda_z)", low=0, high=1000, group=LOSSES
    )
    generated: float = option(
        0.1, "Weight of drawn texts in the discriminator's loss (lambda_u)", low=0, high=1000, group=LOSSES
    )
    confidence: float = option(
        0.1, "Weight of the entropy of what the discriminator says of drawn texts (beta)", low=0, high=1000, rare=True,
        group=LOSSES,
    )  # fmt: skip
    samples: str = option(
        PRIOR, "What samples are written of: contents and styles of the prior, or those of texts with the other style",
        choices=(PRIOR, "texts"), group=SAMPLES,
    )  # fmt: skip
    noise: bool = option(False, "Draw soft samples, by the Gumbel-softmax", rare=True, group=SAMPLES)
    hottest: float = option(
        1.0, "Temperature of soft samples before it falls", low=0.001, high=100, rare=True, group=SAMPLES
    )
    cooling: float = option(
        0.5, "What the temperature is multiplied by in each epoch", low=0.001, high=1, rare=True, group=SAMPLES
    )

    definitions: bool = option(
        False, "Read what the medical concepts of a text mean beside it (MSD, section 4.10)", group=TEXTS
    )
    definition_words: int = option(
        100, "Words of a text's definitions, at most", low=1, high=10_000, rare=True, group=TEXTS
    )
    knowledge: int = option(
        100, "Size of the states of what reads definitions", low=1, high=4096, rare=True, group=NETWORK
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_vectors(self)
        if self.base == ATTENTION and self.samples == PRIOR:
            raise UserError("With attention contents have no prior: samples must be of texts.", where="samples")
        if self.base == ATTENTION and self.content > self.hidden:
            raise UserError(
                "With attention a content is a part of a state: at most {hidden}.", hidden=self.hidden, where="content"
            )
