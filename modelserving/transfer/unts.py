"""A shared encoder and a decoder for each style, adversarial, diversifying and denoising losses (Surya et al. 2019).

The values are those of the authors' program, where it has them: embeddings are as long as its file's vectors, epochs
are ours. It simplifies: its critics judge only texts that are moved into the second style.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from foundation.errors import UserError
from foundation.options import option
from foundation.papers import MSD, Paper
from modelserving.interface import Preset
from modelserving.neural_transfer.kind import check_vectors, load_vectors
from modelserving.neural_transfer.model import NetworkModel
from modelserving.neural_transfer.styled import StyledOptions, StyledTransfer
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData
from modelserving.training.recipe import ADVERSARIES, NETWORK, OPTIMIZERS, REGULARIZATION
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.training.batches import Batches
    from modelserving.training.network import Network
    from modelserving.training.process_group import ProcessGroup
    from modelserving.training.validation import Validation


@dataclass(frozen=True)
class UntsOptions(StyledOptions):
    optimizer: str = option("adam", "How gradients move the weights", choices=OPTIMIZERS)
    rate: float = option(0.00012, "Learning rate of encoder and decoders", low=1e-8, high=10)
    batch: int = option(36, "Texts per batch, half of them of each style", low=2, high=10_000)
    hidden: int = option(
        600, "Size of the states; even, as half of the encoder's are of each direction", low=2, high=4096
    )
    embedding: int = option(300, "Size of the word embeddings", low=1, high=4096)
    layers: int = option(2, "Layers of GRUs in encoder and decoders", low=1, high=16, rare=True, group=NETWORK)
    dropout: float = option(0.2, "Share of the activations that are dropped in training", low=0, high=0.9)
    words: int = option(50_000, "Words that are known, at most", low=1, high=1_000_000)
    longest: int = option(40, "Words of a text that is trained on, at most; longer ones are left out", low=1, rare=True)
    numbers: bool = option(False, "Put <NUM> for each number", rare=True)
    swapped: float = option(
        0.5, "Noise: how often two neighbours change places, as a share of a text's words", low=0, high=10,
        group=REGULARIZATION,
    )  # fmt: skip
    dropped: float = option(
        0.0, "Noise: share of a text's words that are left out", low=0, high=0.9, group=REGULARIZATION
    )
    adversarial_begin: int = option(
        6_000, "Updates before the adversarial and diversification losses count", low=0, group=ADVERSARIES
    )
    adversarial: float = option(1.0, "Weight of the adversarial loss; 0 for none", low=0, high=100, group=ADVERSARIES)
    diversifying: float = option(
        1.0, "Weight of the diversification loss; 0 for none", low=0, high=100, group=ADVERSARIES
    )
    both_directions: bool = option(
        False, "Have both losses for either direction; else for the training's own alone",
        group=ADVERSARIES,
    )  # fmt: skip
    critics_rate: float = option(
        0.0005, "Learning rate of discriminators and classifier", low=1e-8, high=10, group=ADVERSARIES
    )
    filters: int = option(
        128, "Filters of each width in discriminators and classifier", low=1, high=4096, rare=True, group=ADVERSARIES
    )
    vectors: str = option(
        "", "File of word vectors (GloVe's form) that the encoder's embeddings begin with", rare=True, group=NETWORK
    )
    fixed_vectors: bool = option(
        True, "With vectors: leave the encoder's embeddings as they are", rare=True, group=NETWORK
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_vectors(self)
        if self.hidden % 2:
            raise UserError(
                "Expected an even number: half of the encoder's states are of each direction.", where="hidden"
            )


class Unts(StyledTransfer):
    label = "UNTS"
    paper = Paper(
        "Surya, Mishra, Laha, Jain and Sankaranarayanan",
        2019,
        "Unsupervised Neural Text Simplification",
        "https://aclanthology.org/P19-1198/",
    )
    Options = UntsOptions
    presets: ClassVar[Mapping[str, Preset]] = {
        "msd": Preset("Cao et al.: MSD", MSD, {
            "rate": 0.001, "batch": 32, "longest": 100, "embedding": 300, "dropout": 0.5,
        }),
    }  # fmt: skip

    def build(self, vocabularies: Vocabularies, options: UntsOptions) -> "Network":
        from modelserving.nets.adversarial_simplifier import AdversarialSimplifier, Objective, SimplifierSizes

        sizes = SimplifierSizes(
            len(vocabularies.source), options.embedding, options.hidden, options.layers, options.filters,
            options.dropout,
        )  # fmt: skip
        objective = Objective(
            options.swapped, options.dropped, options.adversarial_begin, options.adversarial, options.diversifying,
            options.both_directions, options.critics_rate,
        )  # fmt: skip
        return AdversarialSimplifier(sizes, objective)

    def initialize(self, net: "Network", vocabularies: Vocabularies, options: UntsOptions) -> None:
        if options.vectors:
            weight = net.get_parameter("encoder.embed.weight")
            load_vectors(weight, vocabularies.source, options)
            weight.requires_grad_(not options.fixed_vectors)

    def batches(
        self, data: TrainingData, vocabularies: Vocabularies, options: Any, callbacks: Callbacks, group: "ProcessGroup"
    ) -> "Batches":
        from modelserving.training.style_dataset import BalancedBatches, styled_batches

        return styled_batches(data.texts, vocabularies, options, callbacks, group, kind=BalancedBatches)

    def validation(
        self, model: NetworkModel, data: TrainingData, options: Any, callbacks: Callbacks
    ) -> "Validation | None":
        """The perplexity of tune texts, only shown: the last weights are kept, as it is lowest without adversaries."""
        found = super().validation(model, data, options, callbacks)
        return replace(found, newest=True) if found else None


TRANSFER = Unts()
