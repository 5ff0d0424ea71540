"""The common parts of Fu et al.'s (2018) models: options, texts of two styles, tuning by perplexity.

A model serves both directions. The values are the paper's; where it is silent, they are ours: no clipping of gradients,
patience, one vocabulary for both sides.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from foundation.errors import UserError
from foundation.options import Value, option
from foundation.papers import FU, MSD, Paper
from modelserving.interface import Direction, Preset
from modelserving.neural_transfer.kind import LOOKED_THROUGH, NetworkTransfer, check_vectors
from modelserving.neural_transfer.model import NetworkModel
from modelserving.neural_transfer.options import RecurrentSizes, TextOptions
from modelserving.training import subwords
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.dataset import TrainingData
from modelserving.training.recipe import (
    ADAPTIVE_DECAY,
    LOSS,
    LOSSES,
    NETWORK,
    OBJECTIVE,
    OPTIMIZERS,
    SAMPLES,
    TEXTS,
)
from modelserving.training.tokenization import Vocabularies, WordTokenizer, count_words, vocabulary_of_counts

if TYPE_CHECKING:
    from modelserving.nets.style_networks import Sizes
    from modelserving.run_context import RunContext
    from modelserving.training.batches import Batch, Batches
    from modelserving.training.process_group import ProcessGroup
    from modelserving.training.validation import Validation


@dataclass(frozen=True)
class StyledOptions(TextOptions, RecurrentSizes):
    """The paper compares sizes of 32, 64 and 128, and calls none the best."""

    optimizer: str = option("adadelta", "How gradients move the weights", choices=OPTIMIZERS)
    rate: float = option(
        1.0,
        "Learning rate. 1 is Adadelta as in Zeiler (2012). At the paper's 0.0001 the model learns nothing; "
        "its authors' program takes no rate",
        low=1e-8, high=10,
    )  # fmt: skip
    batch: int = option(128, "Texts per batch", low=1, high=10_000)
    epochs: int = option(50, "Number of passes over all texts, at most", low=1, high=10_000)
    clip: float = option(0.0, "Longest gradient; 0 for none", low=0, rare=True)
    tune_by: str = option(LOSS, "Score of the tune texts", choices=(LOSS,), rare=True)
    tune_most: int = option(1_000, "Tune texts of a style that are scored, at most", low=1, rare=True)
    hidden: int = option(64, "Size of the encoder's states", low=1, high=4096)
    embedding: int = option(64, "Size of the word embeddings", low=1, high=4096)
    dropout: float = option(0.0, "Share of the activations that are dropped in training", low=0, high=0.9)
    words: int = option(80_000, "Words that are known, at most", low=1, high=1_000_000)
    longest: int = option(20, "Words of a text that is trained on, at most; longer ones are left out", low=1, rare=True)
    lowercase: bool = option(True, "Train on and write lower case", rare=True)
    numbers: bool = option(True, "Put <NUM> for each number", rare=True, group=TEXTS)


class StyledTransfer(NetworkTransfer):
    """A kind that is trained on texts of two styles, each its own target. `apart`: batches are of one style."""

    paper = FU
    needs = "styles"
    Options: ClassVar[type] = StyledOptions
    shared = True
    apart: ClassVar[bool] = False

    def directions_of(self, data: TrainingData) -> tuple[Direction, ...]:
        return tuple(permutations(data.styles, 2))

    def vocabularies_of(self, data: TrainingData, options: Any) -> Vocabularies:
        if len(data.styles) != STYLES:
            raise UserError(
                "{label} is trained on texts of two styles, and there are {styles_count}.",
                label=self.label,
                styles_count=len(data.styles),
            )
        if options.subwords:
            return self.of_subwords(
                subwords.learn(chain.from_iterable(data.texts.values()), options.subwords, options.lowercase)
            )
        tokenizer = self._words(options)
        texts = self.texts_read(data, tokenizer, options)
        known = vocabulary_of_counts(count_words(texts), options.words, options.least)
        return Vocabularies(tokenizer, known, known)

    def texts_read(self, data: TrainingData, tokenizer: WordTokenizer, options: Any) -> Iterator[list[str]]:
        """The words of all texts that are read in the training."""
        from modelserving.training.style_dataset import cut

        return chain.from_iterable(cut(lines, tokenizer, options.longest) for lines in data.texts.values())

    def batches(
        self, data: TrainingData, vocabularies: Vocabularies, options: Any, callbacks: Callbacks, group: "ProcessGroup"
    ) -> "Batches":
        from modelserving.training.style_dataset import styled_batches

        return styled_batches(data.texts, vocabularies, options, callbacks, group, self.apart)

    def validation(
        self, model: NetworkModel, data: TrainingData, options: Any, callbacks: Callbacks
    ) -> "Validation | None":
        """The score of tune texts, each reconstructed in its own style."""
        from modelserving.training.process_group import ProcessGroup
        from modelserving.training.validation import Validation

        texts = {style: data.dev_texts.get(style, ())[: options.tune_most] for style in data.styles}
        if not all(texts.values()):
            return None
        inner = Callbacks(callbacks.folder / "tune", callbacks.seed)
        tuned, longer = replace(data, texts=texts), replace(options, longest=options.read)
        batches = self.batches(tuned, model.vocabularies, longer, inner, ProcessGroup())

        def score(context: "RunContext") -> tuple[float, Sequence[Sample]]:
            within = model.within(context)
            return self.tune_score(within, batches), self._samples(within, data)

        return Validation(options.tune_by, score, higher_is_better=False)

    def tune_score(self, model: NetworkModel, batches: "Batches") -> float:
        """The score of the tune texts; less is better."""
        from modelserving.neural_transfer.validation import perplexity

        return perplexity(model, batches)

    def _samples(self, model: NetworkModel, data: TrainingData) -> list[Sample]:
        """A few tune texts of each style, moved into the other."""
        from modelserving.neural_transfer.validation import GREEDY

        return [
            Sample(source, output, "")
            for direction in model.directions
            for texts in [data.dev_texts[direction[0]][:SHOWN]]
            for source, output in zip(texts, model.transfer(texts, direction, GREEDY), strict=True)
        ]

    def watched(self, model: NetworkModel, data: TrainingData) -> tuple[Sequence[tuple[str, str]], Direction]:
        """Dev texts of a style, each reconstructed in it."""
        direction = model.directions[0]
        return [(text, text) for text in data.dev_texts.get(direction[1], ())[:LOOKED_THROUGH]], direction

    def source_batch(self, model: NetworkModel, texts: Sequence[list[str]], direction: Direction) -> "Batch":
        import torch

        style = [source for source, _ in model.directions].index(direction[1])
        return replace(super().source_batch(model, texts, direction), styles=torch.full((len(texts),), style))

    def read_vocabularies(self, folder: Path, options: Any) -> Vocabularies:
        found = super().read_vocabularies(folder, options)
        return found if options.subwords else replace(found, tokenizer=self._words(options))

    def _words(self, options: Any) -> WordTokenizer:
        return WordTokenizer(options.lowercase, options.numbers)


def sizes(vocabularies: Vocabularies, options: Any) -> "Sizes":
    """The sizes of a network with these words; `style` where the options have one."""
    from modelserving.nets.style_networks import Sizes

    return Sizes(
        len(vocabularies.source),
        options.embedding,
        options.hidden,
        getattr(options, "style", 0),
        STYLES,
        options.dropout,
    )


STYLES = 2
SHOWN = 3

# The options of controlled generation (Hu et al. 2017), and the values that others published. Without torch.
#
# The sizes of embeddings and states and the weights of the losses are the paper's. The sizes of contents and of the
# reader of definitions, `clip`, `kl_warmup`, `confidence` and `definition_words` are ours. The rest is that of Texar's
# example (asyml/texar, examples/text_style_transfer).

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
    **ADAPTIVE_DECAY,
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
    batch: int = option(64, "Texts per batch", low=1, high=10_000)
    epochs: int = option(12, "Number of passes over all texts, at most", low=1, high=10_000)
    clip: float = option(
        5.0, "Longest gradient; 0 for none, with which soft samples may make it so long that a training fails", low=0,
        rare=True,
    )  # fmt: skip
    tune_by: str = option(OBJECTIVE, "Score of the tune texts", choices=(OBJECTIVE,), rare=True)
    dropout: float = option(0.5, "Share of the activations that are dropped in training", low=0, high=0.9)
    numbers: bool = option(False, "Put <NUM> for each number", rare=True)
    base: str = option(
        VAE, "Reconstruction of texts: the paper's variational auto-encoder, or one that attends to the source",
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
        10, "Epochs that only reconstruct texts; then the discriminator counts and the temperature falls",
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
        0.1, "Weight of the entropy of the discriminator's predictions for drawn texts (beta)", low=0, high=1000,
        rare=True,
        group=LOSSES,
    )  # fmt: skip
    samples: str = option(
        PRIOR, "Origin of the samples: contents and styles of the prior, or those of texts with the other style",
        choices=(PRIOR, "texts"), group=SAMPLES,
    )  # fmt: skip
    noise: bool = option(False, "Draw soft samples, by the Gumbel-softmax", rare=True, group=SAMPLES)
    hottest: float = option(
        1.0, "Temperature of soft samples before it falls", low=0.001, high=100, rare=True, group=SAMPLES
    )
    cooling: float = option(0.5, "Factor of the temperature in each epoch", low=0.001, high=1, rare=True, group=SAMPLES)

    definitions: bool = option(
        False, "Read the meanings of a text's medical concepts beside it (MSD, section 4.10)", group=TEXTS
    )
    definition_words: int = option(
        100, "Words of a text's definitions, at most", low=1, high=10_000, rare=True, group=TEXTS
    )
    knowledge: int = option(
        100, "Size of the states of the reader of definitions", low=1, high=4096, rare=True, group=NETWORK
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
