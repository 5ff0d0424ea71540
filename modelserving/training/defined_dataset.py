"""Texts of several styles as batches, beside each the definitions of its concepts as ids on disk."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from modelserving.training.batches import Batch, Batches, Rows, pad
from modelserving.training.callbacks import Callbacks
from modelserving.training.concept_definitions import definition_words
from modelserving.training.process_group import ProcessGroup
from modelserving.training.style_dataset import StyledBatches, Texts, cut
from modelserving.training.tokenization import Vocabularies
from modelserving.training.tokenized_dataset import TokenizedDataset, TokenizedDatasetWriter

LOOK_EVERY = 256  # texts
WHOLE = "whole-definitions"  # a file that stands there when all the others are written


class DefinedBatches(Batches):
    """The batches of texts, with definitions; END stands behind them, so none is empty."""

    def __init__(self, styled: StyledBatches, definitions: Sequence[TokenizedDataset]) -> None:
        super().__init__(styled.size, styled.seed, styled.tokens)
        self.styled, self.definitions = styled, definitions

    def order(self, epoch: int) -> list[Rows]:
        return self.styled.order(epoch)

    def batch(self, rows: Rows) -> Batch:
        styles = np.searchsorted(self.styled.starts, rows, side="right") - 1
        places = zip(styles, rows - self.styled.starts[styles], strict=True)
        each = [self.definitions[style][place] for style, place in places]
        ids, lengths = pad(each, end=True)
        return replace(self.styled.batch(rows), definitions=ids, definition_lengths=lengths)


def write_definition_ids(
    folder: Path, texts: Texts, vocabularies: Vocabularies, options: Any, callbacks: Callbacks
) -> None:
    """Write the ids of the definitions of the texts that are trained on, a file a style; what is there is taken."""
    if (folder / WHOLE).exists():
        return
    tokenizer = vocabularies.tokenizer
    for place, lines in enumerate(texts.values()):
        with TokenizedDatasetWriter(folder / f"definitions-{place}") as writer:
            for number, words in enumerate(cut(lines, tokenizer, options.longest)):
                if number % LOOK_EVERY == 0:
                    callbacks.at(0, 1)
                writer.add(vocabularies.source.ids(definition_words(words, tokenizer, options.definition_words)))
    (folder / WHOLE).touch()


def defined_batches(
    styled: Batches, texts: Texts, vocabularies: Vocabularies, options: Any, callbacks: Callbacks, group: ProcessGroup
) -> DefinedBatches:
    """The batches of the texts with definitions; what was written by an earlier try is taken."""
    assert isinstance(styled, StyledBatches)
    folder = callbacks.folder / "ids"
    if group.first:
        write_definition_ids(folder, texts, vocabularies, options, callbacks)
    group.wait()
    return DefinedBatches(styled, [TokenizedDataset(folder / f"definitions-{place}") for place in range(len(texts))])


def with_definitions(batch: Batch, texts: Sequence[list[str]], vocabularies: Vocabularies, options: Any) -> Batch:
    """The batch of the texts with their definitions."""
    most, tokenizer = options.definition_words, vocabularies.tokenizer
    ids, lengths = pad([vocabularies.source.ids(definition_words(text, tokenizer, most)) for text in texts], end=True)
    return replace(batch, definitions=ids, definition_lengths=lengths)
