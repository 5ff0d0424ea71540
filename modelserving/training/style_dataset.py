"""Texts of several styles as ids on disk and as batches: plain, without their markers, or with definitions."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from foundation.errors import UserError
from foundation.seeds import generator
from modelserving.training.batches import Batch, Batches, Rows, bucket_by_length, bucket_by_tokens, pad
from modelserving.training.callbacks import Callbacks
from modelserving.training.concept_definitions import definition_words
from modelserving.training.process_group import ProcessGroup
from modelserving.training.tokenization import Tokenizer, Vocabularies
from modelserving.training.tokenized_dataset import TokenizedDataset, TokenizedDatasetWriter

# Texts without their attribute markers as ids on disk and as batches: the target is the whole text.

NAMES = ("content", "markers", "target", "style")
WHOLE_MARKED = "whole"  # a file that stands there when all the others are written


class MarkedRow(NamedTuple):
    """The ids of a text's content, of markers, and of the text itself; `style` is one number."""

    content: list[int]
    markers: list[int]
    target: list[int]
    style: tuple[int]


class MarkedBatches(Batches):
    """END stands behind content and markers too, so none is ever empty."""

    def __init__(self, folder: Path, size: int, seed: int, tokens: int = 0) -> None:
        super().__init__(size, seed, tokens)
        self.content, self.markers, self.target, style = (TokenizedDataset(folder / name) for name in NAMES)
        self.styles: NDArray[np.int64] = np.array([int(row[0]) for row in style], dtype=np.int64)

    def order(self, epoch: int) -> list[Rows]:
        chance = generator(self.seed, "order", epoch)
        lengths = self.target.lengths.astype(np.int64)
        keys = lengths * (int(self.content.lengths.max()) + 1) + self.content.lengths
        if self.tokens:
            return bucket_by_tokens(keys, lengths + 1, self.tokens, chance)
        return bucket_by_length(keys, self.size, chance)

    def batch(self, rows: Rows) -> Batch:
        markers, marker_lengths = pad([self.markers[i] for i in rows], end=True)
        return Batch(
            *pad([self.content[i] for i in rows], end=True),
            *pad([self.target[i] for i in rows], end=True),
            styles=torch.from_numpy(self.styles[rows]),
            markers=markers,
            marker_lengths=marker_lengths,
        )


def marked_batches(
    rows: Callable[[], Iterable[MarkedRow]], options: Any, callbacks: Callbacks, group: ProcessGroup
) -> MarkedBatches:
    """The batches of the rows; the files of an earlier try are taken."""
    folder = callbacks.folder / "ids"
    if group.first and not (folder / WHOLE_MARKED).exists():
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            writers = [stack.enter_context(TokenizedDatasetWriter(folder / name)) for name in NAMES]
            for row in rows():
                for writer, ids in zip(writers, row, strict=True):
                    writer.add(ids)
        (folder / WHOLE_MARKED).touch()
    group.wait()
    return MarkedBatches(folder, options.batch, callbacks.seed, options.batch_tokens)


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
    """Half of each batch is of either style; the texts of a smaller style come again within the epoch."""

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
    """Batches of each style in turn; those of a style with fewer are spread over the epoch."""
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
    """The batches of the texts; the files of an earlier try are taken."""
    folder = callbacks.folder / "ids"
    if group.first:
        write_text_ids(folder, texts, vocabularies, options.longest, callbacks)
    group.wait()
    rows = [TokenizedDataset(folder / str(i)) for i in range(len(texts))]
    return kind(rows, options.batch, callbacks.seed, apart, options.batch_tokens)


def write_text_ids(folder: Path, texts: Texts, vocabularies: Vocabularies, longest: int, callbacks: Callbacks) -> None:
    """Write the ids of the texts that are neither empty nor too long, a file for each style."""
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
    """The words of the training texts."""
    for text in map(tokenizer.tokenize, lines):
        if 0 < len(text) <= longest:
            yield text


# Texts of several styles as batches, beside each the definitions of its concepts as ids on disk.

LOOK_EVERY = 256  # texts
WHOLE_DEFINED = "whole-definitions"  # a file that stands there when all the others are written


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
    """Write the ids of the definitions of the training texts, a file for each style; existing files are taken."""
    if (folder / WHOLE_DEFINED).exists():
        return
    tokenizer = vocabularies.tokenizer
    for place, lines in enumerate(texts.values()):
        with TokenizedDatasetWriter(folder / f"definitions-{place}") as writer:
            for number, words in enumerate(cut(lines, tokenizer, options.longest)):
                if number % LOOK_EVERY == 0:
                    callbacks.at(0, 1)
                writer.add(vocabularies.source.ids(definition_words(words, tokenizer, options.definition_words)))
    (folder / WHOLE_DEFINED).touch()


def defined_batches(
    styled: Batches, texts: Texts, vocabularies: Vocabularies, options: Any, callbacks: Callbacks, group: ProcessGroup
) -> DefinedBatches:
    """The batches of the texts with definitions; the files of an earlier try are taken."""
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
