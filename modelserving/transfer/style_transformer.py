"""The Style Transformer (Dai et al. 2019): a Transformer that is given a style and taught by a discriminator."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from foundation.errors import UserError
from foundation.options import option
from foundation.papers import MSD, Paper
from modelserving.interface import Preset
from modelserving.neural_transfer.kind import check_vectors, load_vectors
from modelserving.neural_transfer.options import TextOptions
from modelserving.neural_transfer.styled import STYLES, StyledTransfer
from modelserving.training.adversarial_plan import AdversarialPlan, read_points
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData
from modelserving.training.recipe import ADAPTIVE_DECAY, ADVERSARIES, LOSS, NETWORK, STYLE_AND_CONTENT, TEXTS
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.neural_transfer.model import NetworkModel
    from modelserving.training.network import Network
    from modelserving.training.validation import Validation

# The options of the Style Transformer (Dai et al. 2019). Without torch: forms are made of them.
#
# The values are those of the authors' program for Yelp; where it is silent, ours: epochs, and the choice of the state.

DISCRIMINATORS = MULTI_CLASS, CONDITIONAL = "multi_class", "conditional"


@dataclass(frozen=True)
class StyleTransformerOptions(TextOptions):
    rate: float = option(0.0001, "Learning rate of the Transformer", low=1e-8, high=10)
    batch: int = option(128, "Texts per batch; the program has 64 of either style", low=1, high=10_000)
    epochs: int = option(50, "Number of passes over all texts, at most", low=1, high=10_000)
    patience: int = option(0, "Number of tune scores without a better one before it stops; 0 never stops", low=0)
    tune_by: str = option(
        STYLE_AND_CONTENT,
        "Score of the tune texts: rewritten in the other style, the geometric mean of style accuracy "
        "and self-BLEU; or reconstructed in their own style, perplexity",
        choices=(STYLE_AND_CONTENT, LOSS), rare=True,
    )  # fmt: skip
    tune_most: int = option(500, "Tune texts of a style that are scored, at most", low=1, rare=True)
    discriminator: str = option(
        MULTI_CLASS, "Predict the style of a text, or whether a text has the given style",
        choices=DISCRIMINATORS, group=ADVERSARIES,
    )  # fmt: skip
    self_weight: float = option(
        0.25, "Weight of the loss of texts reconstructed in their own style", low=0, high=1000, group=ADVERSARIES
    )
    cycle_weight: float = option(
        0.5, "Weight of the loss of texts reconstructed from their rewrite", low=0, high=1000, group=ADVERSARIES
    )
    style_weight: float = option(
        1.0, "Weight of the loss by which the discriminator finds rewrites in their new style", low=0, high=1000,
        group=ADVERSARIES,
    )  # fmt: skip
    pretrain: int = option(
        500, "First updates, which only reconstruct texts in their own style", low=0, group=ADVERSARIES
    )
    discriminator_updates: int = option(
        10, "Updates of the discriminator in a cycle", low=1, high=1000, rare=True, group=ADVERSARIES
    )
    generator_updates: int = option(
        5, "Updates of the Transformer in a cycle", low=1, high=1000, rare=True, group=ADVERSARIES
    )
    discriminator_rate: float = option(
        0.0001, "Learning rate of the discriminator", low=1e-8, high=10, rare=True, group=ADVERSARIES
    )
    temperature: str = option(
        "1", "Temperature of the softmax of words: a number, or points such as 1@0 0.5@3000, values at cycles",
        rare=True, group=ADVERSARIES,
    )  # fmt: skip
    word_dropout: str = option(
        "0", "Share of words dropped from texts to reconstruct: a number, or points as for the temperature", rare=True,
        group=ADVERSARIES,
    )  # fmt: skip
    hidden: int = option(256, "Size of the states and embeddings", low=1, high=4096, group=NETWORK)
    layers: int = option(
        4, "Layers of encoder, decoder and discriminator", low=1, high=48, group=NETWORK
    )  # fmt: skip
    heads: int = option(4, "Heads of an attention. They divide the size of the states", low=1, high=64, group=NETWORK)
    feedforward: int = option(1024, "Size within a layer's network", low=1, high=32_768, group=NETWORK)
    vectors: str = option(
        "", "File of word vectors (GloVe's form) that the embeddings begin with", rare=True, group=NETWORK
    )
    dropout: float = option(0.0, "Share of the activations that are dropped in training", low=0, high=0.9)
    least: int = option(3, "Least number of occurrences of a known word in the training texts", low=1, rare=True)
    longest: int = option(15, "Words of a text that is trained on, at most; longer ones are left out", low=1, rare=True)
    lowercase: bool = option(True, "Train on and write lower case", rare=True)
    numbers: bool = option(False, "Put <NUM> for each number", rare=True, group=TEXTS)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_vectors(self)
        self.plan()
        if self.hidden % self.heads:
            raise UserError(
                "{heads} heads do not divide states of {hidden} numbers.",
                heads=self.heads,
                hidden=self.hidden,
                where="heads",
            )

    def plan(self) -> AdversarialPlan:
        """The plan of both sides' turns; a UserError where points cannot be read."""
        return AdversarialPlan(
            self.pretrain, self.discriminator_updates, self.generator_updates,
            read_points(self.temperature, "temperature", 0.001, 100.0),
            read_points(self.word_dropout, "word_dropout", 0.0, 0.9),
        )  # fmt: skip


DAI = Paper(
    "Dai, Liang, Qiu and Huang",
    2019,
    "Style Transformer: Unpaired Text Style Transfer without Disentangled Latent Representation",
    "https://aclanthology.org/P19-1601/",
)


class StyleTransformerTransfer(StyledTransfer):
    label = "Style Transformer"
    paper = DAI
    Options = StyleTransformerOptions
    presets: ClassVar[Mapping[str, Preset]] = {
        "yelp": Preset("Dai et al.: Yelp, multi-class", DAI, {"discriminator": MULTI_CLASS}),
        "yelp_conditional": Preset("Dai et al.: Yelp, conditional", DAI, {"discriminator": CONDITIONAL}),
        "msd": Preset("Cao et al.: MSD", MSD, {
            "rate": 0.001, "discriminator_rate": 0.001, "batch": 32, "longest": 100, "hidden": 300, "dropout": 0.5,
            "feedforward": 1200, "patience": 5, **ADAPTIVE_DECAY,
        }),
    }  # fmt: skip

    def build(self, vocabularies: Vocabularies, options: StyleTransformerOptions) -> "Network":
        from modelserving.nets.style_transformer import StyleObjective, StyleTransformer
        from modelserving.nets.transformer import TransformerSizes

        words = len(vocabularies.source)
        sizes = TransformerSizes(
            words, words, options.hidden, options.layers, options.heads, options.feedforward, options.dropout,
            pre_norm=True, shared=True,
        )  # fmt: skip
        return StyleTransformer(sizes, StyleObjective(
            options.plan(), options.discriminator == CONDITIONAL, options.self_weight, options.cycle_weight,
            options.style_weight, STYLES, options.longest + 1, options.discriminator_rate,
        ))  # fmt: skip

    def initialize(self, net: "Network", vocabularies: Vocabularies, options: Any) -> None:
        if options.vectors:
            for embedding in ("encoder.embed.weight", "discriminator.embed.weight"):
                load_vectors(net.get_parameter(embedding), vocabularies.source, options, width="hidden")

    def validation(
        self, model: "NetworkModel", data: TrainingData, options: Any, callbacks: Callbacks
    ) -> "Validation | None":
        if options.tune_by == LOSS:
            return super().validation(model, data, options, callbacks)
        from modelserving.neural_transfer.validation import by_style_and_content

        tune = {style: data.dev_texts.get(style, ())[: options.tune_most] for style in data.styles}
        return by_style_and_content(model, data.texts, tune, data.language) if all(tune.values()) else None


TRANSFER = StyleTransformerTransfer()
