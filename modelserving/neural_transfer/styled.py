"""What Fu et al.'s (2018) models share: options, texts of two styles, tuning by perplexity. One serves both directions.

The values are the paper's; where it is silent, ours: no longest gradient, patience, one vocabulary for both sides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from foundation.errors import UserError
from foundation.options import option
from foundation.papers import FU
from modelserving.interface import Direction
from modelserving.neural_transfer.kind import NetworkTransfer
from modelserving.neural_transfer.model import NetworkModel
from modelserving.neural_transfer.options import RecurrentSizes, TextOptions
from modelserving.training import subwords, vocabulary
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.dataset import TrainingData
from modelserving.training.option_groups import TEXTS
from modelserving.training.recipe import OPTIMIZERS
from modelserving.training.tokenization import Vocabularies, WordTokenizer
from modelserving.training.tune_metrics import LOSS

if TYPE_CHECKING:
    from modelserving.nets.style_networks import Sizes
    from modelserving.run_context import RunContext
    from modelserving.training.batches import Batch, Batches
    from modelserving.training.process_group import ProcessGroup
    from modelserving.training.validation import Validation


@dataclass(frozen=True)
class StyledOptions(TextOptions, RecurrentSizes):
    """Of the paper's sizes, 32, 64 and 128, none is called the best."""

    optimizer: str = option("adadelta", "How gradients move the weights", choices=OPTIMIZERS)
    rate: float = option(
        1.0,
        "Learning rate. 1 is Adadelta as Zeiler (2012) has it; at 0.0001, which the paper prints, nothing is learnt, "
        "and its authors' program takes no rate",
        low=1e-8, high=10,
    )  # fmt: skip
    batch: int = option(128, "Texts a batch", low=1, high=10_000)
    epochs: int = option(50, "Times that all texts are gone through, at most", low=1, high=10_000)
    clip: float = option(0.0, "Longest gradient; 0 for none", low=0, rare=True)
    tune_by: str = option(LOSS, "What the tune texts are scored by", choices=(LOSS,), rare=True)
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
        known = vocabulary.of_counts(vocabulary.count(texts), options.words, options.least)
        return Vocabularies(tokenizer, known, known)

    def texts_read(self, data: TrainingData, tokenizer: WordTokenizer, options: Any) -> Iterator[list[str]]:
        """The words of all that is read in the training."""
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
        """The score of tune texts, each given back in its own style."""
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
        """Of the tune texts; less is better."""
        from modelserving.neural_transfer.validation import perplexity

        return perplexity(model, batches)

    def _samples(self, model: NetworkModel, data: TrainingData) -> list[Sample]:
        """A few tune texts of each style, moved into the other."""
        from modelserving.neural_transfer.validation import GREEDY

        return [
            Sample(source, output, "")
            for direction in model.directions
            for texts in [data.dev_texts[direction[0]][:SAMPLES]]
            for source, output in zip(texts, model.transfer(texts, direction, GREEDY), strict=True)
        ]

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
    """Of a network with these words; `style` where the options have one."""
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
SAMPLES = 3
