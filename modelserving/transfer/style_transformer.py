"""The Style Transformer (Dai et al. 2019): a Transformer that is told a style, taught by a discriminator."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from foundation.papers import MSD, Paper
from modelserving.interface.transfer_model import Preset
from modelserving.neural_transfer.style_transformer_options import CONDITIONAL, MULTI_CLASS, StyleTransformerOptions
from modelserving.neural_transfer.styled import STYLES, StyledTransfer
from modelserving.neural_transfer.word_vectors import load_vectors
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData
from modelserving.training.tokenization import Vocabularies
from modelserving.training.tune_metrics import LOSS

if TYPE_CHECKING:
    from modelserving.neural_transfer.model import NetworkModel
    from modelserving.training.network import Network
    from modelserving.training.validation import Validation

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
            "feedforward": 1200, "patience": 5,
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
        from modelserving.neural_transfer.transfer_score import by_style_and_content

        tune = {style: data.dev_texts.get(style, ())[: options.tune_most] for style in data.styles}
        return by_style_and_content(model, data.texts, tune, data.language) if all(tune.values()) else None


TRANSFER = StyleTransformerTransfer()
