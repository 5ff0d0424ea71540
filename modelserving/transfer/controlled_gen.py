"""A generator of contents and styles, and a discriminator that it learns the styles from (Hu et al. 2017).

Cao et al. (2020, MSD) ran Texar's variant of it, and in section 4.10 had it read the definitions of a text's concepts.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from modelserving.interface import Direction, Preset
from modelserving.neural_transfer.kind import load_vectors
from modelserving.neural_transfer.model import NetworkModel
from modelserving.neural_transfer.styled import (
    HU,
    PRESETS,
    PRIOR,
    VAE,
    ControlledOptions,
    StyledTransfer,
)
from modelserving.training.callbacks import Callbacks
from modelserving.training.concept_definitions import definition_words, lexicon_signature
from modelserving.training.dataset import TrainingData
from modelserving.training.recipe import BeamSearchOptions
from modelserving.training.tokenization import Vocabularies, WordTokenizer

if TYPE_CHECKING:
    from modelserving.training.batches import Batch, Batches
    from modelserving.training.network import Network
    from modelserving.training.process_group import ProcessGroup


class ControlledModel(NetworkModel):
    """Its output depends on the lexicon, if it reads definitions."""

    def signature(self, direction: Direction, decoding: BeamSearchOptions) -> str:
        own = super().signature(direction, decoding)
        return f"{own}|{lexicon_signature()}" if self.options.definitions else own


class ControlledGen(StyledTransfer):
    label = "ControlledGen"
    paper = HU
    Options = ControlledOptions
    Ready = ControlledModel
    presets: ClassVar[Mapping[str, Preset]] = PRESETS

    def build(self, vocabularies: Vocabularies, options: ControlledOptions) -> "Network":
        from modelserving.nets import controlled_gen
        from modelserving.nets.controlled_gen import Sizes

        sizes = Sizes(
            len(vocabularies.source), options.embedding, options.hidden, options.content, options.style,
            options.filters, options.dropout, variational=options.base == VAE,
            knowledge=options.knowledge if options.definitions else 0,
        )  # fmt: skip
        objective = controlled_gen.Objective(
            options.pretraining, options.kl, options.kl_warmup, options.attribute, options.independence,
            options.generated, options.confidence, options.hottest, options.cooling, options.noise,
            prior=options.samples == PRIOR,
        )  # fmt: skip
        return controlled_gen.ControlledGen(sizes, objective)

    def initialize(self, net: "Network", vocabularies: Vocabularies, options: Any) -> None:
        if options.vectors:
            load_vectors(net.get_parameter("generator.embed.weight"), vocabularies.source, options)

    def texts_read(self, data: TrainingData, tokenizer: WordTokenizer, options: Any) -> Iterator[list[str]]:
        for words in super().texts_read(data, tokenizer, options):
            yield words
            if options.definitions:
                yield definition_words(words, tokenizer, options.definition_words)

    def batches(
        self, data: TrainingData, vocabularies: Vocabularies, options: Any, callbacks: Callbacks, group: "ProcessGroup"
    ) -> "Batches":
        styled = super().batches(data, vocabularies, options, callbacks, group)
        if not options.definitions:
            return styled
        from modelserving.training.style_dataset import defined_batches

        return defined_batches(styled, data.texts, vocabularies, options, callbacks, group)

    def source_batch(self, model: NetworkModel, texts: Sequence[list[str]], direction: Direction) -> "Batch":
        batch = super().source_batch(model, texts, direction)
        if not model.options.definitions:
            return batch
        from modelserving.training.style_dataset import with_definitions

        return with_definitions(batch, texts, model.vocabularies, model.options)

    def tune_score(self, model: NetworkModel, batches: "Batches") -> float:
        from modelserving.neural_transfer.validation import objective

        return objective(model, batches)


TRANSFER = ControlledGen()
