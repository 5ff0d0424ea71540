"""Texts of several styles as ids on disk and as batches: each is its own target, and its style is told."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from foundation.errors import UserError
from foundation.seeds import generator
from modelserving.training.batches import Batch, Batches, Rows, bucket_by_length, bucket_by_tokens, pad
from modelserving.training.callbacks import Callbacks
from modelserving.training.process_group import ProcessGroup
from modelserving.training.tokenization import Tokenizer, Vocabularies
from modelserving.training.tokenized_dataset import TokenizedDataset, TokenizedDatasetWriter

Texts = Mapping[str, Sequence[str]]
"""By style."""
WHOLE = "whole"  # a file that stands there when all the others are written


class StyledBatches(Batches):
    """`apart`: each batch is of one style, and they take turns; else styles are mixed.

    Rows count on from one style to the next.
    """

    def __init__(
        self, texts: Sequence[TokenizedDataset], size: int, seed: int, apart: bool = False, tokens: int = 0
    ) -> None:
        super().__init__(size, seed, tokens)
        self.texts, self.apart = texts, apart
        self.starts = np.cumsum([0, *map(len, texts)])

    def order(self, epoch: int) -> list[Rows]:
        chance = generator(self.seed, "order", epoch)
        if not self.apart:
            return self._bucketed(np.concatenate([text.lengths for text in self.texts]), chance)
        return in_turn([
            [rows + start for rows in self._bucketed(text.lengths, chance)]
            for text, start in zip(self.texts, self.starts[:-1], strict=True)
        ])  # fmt: skip

    def _bucketed(self, lengths: NDArray[Any], chance: np.random.Generator) -> list[Rows]:
        if self.tokens:
            return bucket_by_tokens(lengths, lengths + 1, self.tokens, chance)
        return bucket_by_length(lengths, self.size, chance)

    def batch(self, rows: Rows) -> Batch:
        styles = np.searchsorted(self.starts, rows, side="right") - 1
        texts = [self.texts[style][row - self.starts[style]] for style, row in zip(styles, rows, strict=True)]
        return Batch(*pad(texts), *pad(texts, end=True), styles=torch.from_numpy(styles))


class BalancedBatches(StyledBatches):
    """Half of each batch is of either style; where a style has fewer texts, they come again within the epoch."""

    def __init__(
        self, texts: Sequence[TokenizedDataset], size: int, seed: int, apart: bool = False, tokens: int = 0
    ) -> None:
        super().__init__(texts, (size + 1) // len(texts), seed, apart, math.ceil(tokens / len(texts)))

    def order(self, epoch: int) -> list[Rows]:
        chance = generator(self.seed, "order", epoch)
        each = [
            [rows + start for rows in self._bucketed(text.lengths, chance)]
            for text, start in zip(self.texts, self.starts[:-1], strict=True)
        ]
        most = max(map(len, each))
        return [np.concatenate([batches[place % len(batches)] for batches in each]) for place in range(most)]


def in_turn(each: Sequence[list[Rows]]) -> list[Rows]:
    """One batch of each style after the other; where a style has fewer, they are spread over the epoch."""
    placed = [
        ((place + 0.5) / len(batches), style, rows)
        for style, batches in enumerate(each)
        for place, rows in enumerate(batches)
    ]
    return [rows for _, _, rows in sorted(placed, key=lambda one: one[:2])]


def styled_batches(
    texts: Texts,
    vocabularies: Vocabularies,
    options: Any,
    callbacks: Callbacks,
    group: ProcessGroup,
    apart: bool = False,
    kind: type[StyledBatches] = StyledBatches,
) -> StyledBatches:
    """The batches of the texts; what was written by an earlier try is taken."""
    folder = callbacks.folder / "ids"
    if group.first:
        write_text_ids(folder, texts, vocabularies, options.longest, callbacks)
    group.wait()
    rows = [TokenizedDataset(folder / str(i)) for i in range(len(texts))]
    return kind(rows, options.batch, callbacks.seed, apart, options.batch_tokens)


def write_text_ids(folder: Path, texts: Texts, vocabularies: Vocabularies, longest: int, callbacks: Callbacks) -> None:
    """Write the ids of the texts that are neither empty nor too long, a file a style."""
    if (folder / WHOLE).exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for place, (style, lines) in enumerate(texts.items()):
        kept = 0
        with ExitStack() as stack:
            writer = stack.enter_context(TokenizedDatasetWriter(folder / str(place)))
            for text in cut(lines, vocabularies.tokenizer, longest):
                writer.add(vocabularies.source.ids(text))
                kept += 1
        if not kept:
            raise UserError("No text has 1 to {longest} words.", longest=longest, where=style)
        left = len(lines) - kept
        callbacks.say(f"{style}: {kept:,} texts; {left:,} left out that are empty or longer than {longest} words.")
    (folder / WHOLE).touch()


def cut(lines: Sequence[str], tokenizer: Tokenizer, longest: int) -> Iterator[list[str]]:
    """The words of the texts that are trained on."""
    for text in map(tokenizer.tokenize, lines):
        if 0 < len(text) <= longest:
            yield text
