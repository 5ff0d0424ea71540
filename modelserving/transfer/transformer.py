"""The Transformer (Vaswani et al. 2017): encoder and decoder of attention alone, on subwords."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foundation.errors import UserError
from foundation.options import option
from foundation.papers import Paper
from modelserving.neural_transfer.kind import NetworkTransfer
from modelserving.neural_transfer.options import PairOptions
from modelserving.training.recipe import NETWORK, SCHEDULES, BeamSearchOptions
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.training.network import Network


@dataclass(frozen=True)
class TransformerOptions(PairOptions):
    """The paper's base model, section 5, at half its size and depth: studies have fewer texts than its 4.5 million."""

    rate: float = option(0.0007, "Learning rate at the end of the warmup", low=1e-8, high=10)
    schedule: str = option("inverse_sqrt", "How the learning rate changes", choices=SCHEDULES, rare=True)
    warmup: int = option(
        400, "Updates in which the learning rate rises to its highest; the paper has 4,000 of 100,000", low=0, rare=True
    )
    smoothing: float = option(0.1, "Label smoothing (Szegedy et al. 2016)", low=0, high=0.9, rare=True)
    adam_beta2: float = option(0.98, "Second beta of adam and adamw", low=0, high=0.999999, rare=True)
    adam_epsilon: float = option(1e-9, "Epsilon of adam and adamw", low=1e-16, high=0.1, rare=True)
    batch: int = option(64, "Texts per batch", low=1, high=10_000)
    epochs: int = option(100, "Number of passes over all texts, at most", low=1, high=10_000)
    clip: float = option(0.0, "Longest gradient; 0 for none", low=0, rare=True)
    patience: int = option(10, "Number of tune scores without a better one before it stops; 0 never stops", low=0)
    hidden: int = option(256, "Size of the states; the paper's base model has 512", low=1, high=4096, group=NETWORK)
    layers: int = option(3, "Layers of encoder and of decoder; the paper has 6", low=1, high=48, group=NETWORK)
    heads: int = option(
        4, "Heads of an attention; the paper has 8. They divide the size of the states", low=1, high=64, group=NETWORK
    )
    feedforward: int = option(
        1024, "Size within a layer's network; the paper has 2048", low=1, high=32_768, group=NETWORK
    )
    norm: str = option(
        "post", "Normalize after each sublayer, as the paper does, or before it", choices=("post", "pre"), group=NETWORK
    )
    tied_embeddings: bool = option(True, "One matrix for all embeddings and the softmax", rare=True, group=NETWORK)
    dropout: float = option(0.1, "Share of the activations that are dropped in training", low=0, high=0.9)
    subwords: int = option(
        8_000, "Subwords that are learnt (byte-pair encoding), at most; 0 for words. The paper has 37,000",
        low=0, high=200_000,
    )  # fmt: skip
    longest: int = option(
        256, "Words or subwords of a text that is trained on, at most; longer ones are left out", low=1, rare=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.hidden % self.heads:
            raise UserError(
                "{heads} heads do not divide states of {hidden} numbers.",
                heads=self.heads,
                hidden=self.hidden,
                where="heads",
            )


@dataclass(frozen=True)
class TransformerDecoding(BeamSearchOptions):
    """Section 6.1."""

    beam: int = option(4, "Number of hypotheses (beam); 1 is greedy search", low=1, high=100)
    length_penalty: float = option(0.6, "How much longer texts are favoured (Wu et al. 2016)", low=0, high=5)


class TransformerTransfer(NetworkTransfer):
    label = "Transformer"
    paper = Paper(
        "Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser and Polosukhin",
        2017,
        "Attention Is All You Need",
        "https://arxiv.org/abs/1706.03762",
    )
    Options = TransformerOptions
    Decoding = TransformerDecoding
    shared = True

    def build(self, vocabularies: Vocabularies, options: TransformerOptions) -> "Network":
        from modelserving.nets.transformer import Transformer, TransformerSizes

        return Transformer(TransformerSizes(
            len(vocabularies.source), len(vocabularies.target), options.hidden, options.layers, options.heads,
            options.feedforward, options.dropout, options.norm == "pre",
            shared=options.tied_embeddings, tied=options.tied_embeddings,
        ))  # fmt: skip


TRANSFER = TransformerTransfer()
