"""Pairs of texts with the edits between them, as ids on disk and as batches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from modelserving.edit_operations import TaggedVocabularies, label_ids, label_weights, oracle_edits
from modelserving.training.batches import NO_IDS, Batch, PairBatches, Rows, pad
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import Pairs
from modelserving.training.pair_dataset import write_pair_ids
from modelserving.training.process_group import ProcessGroup
from modelserving.training.tokenization import Vocabularies
from modelserving.training.tokenized_dataset import TokenizedDataset

PLAIN, TAGGED = ("source", "target", "edits"), ("source", "target", "edits", "tags")


@dataclass(frozen=True)
class EditBatch(Batch):
    """n texts, END behind each source too. The vocabulary is one for both sides.

    `edits` (n, Tz) are labels with END as STOP, `weights` (n, Tz) what the loss of each counts, `edit_lengths` (n,) how
    many of a text count anything; `tags` (n, Tx) are ids of parts of speech, and empty where there are none.
    """

    edits: Tensor = NO_IDS
    weights: Tensor = NO_IDS
    edit_lengths: Tensor = NO_IDS
    tags: Tensor = NO_IDS


class EditBatches(PairBatches):
    """`weights` (V + 2,) is what the loss of each label counts."""

    def __init__(
        self, sources: TokenizedDataset, targets: TokenizedDataset, edits: TokenizedDataset,
        tags: TokenizedDataset | None, weights: NDArray[np.float32], size: int, seed: int, tokens: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(sources, targets, size, seed, tokens=tokens)
        self.edits, self.tags, self.weights = edits, tags, torch.from_numpy(weights)

    def batch(self, rows: Rows) -> EditBatch:
        edits, _ = pad([self.edits[i] for i in rows], end=True)
        weights = self.weights[edits]
        return EditBatch(
            *pad([self.sources[i] for i in rows], end=True),
            *pad([self.targets[i] for i in rows], end=True),
            edits=edits,
            weights=weights,
            edit_lengths=(weights > 0).sum(1),
            tags=NO_IDS if self.tags is None else pad([self.tags[i] for i in rows], end=True)[0],
        )


def edit_batches(
    pairs: Pairs, vocabularies: Vocabularies, options: Any, callbacks: Callbacks, group: ProcessGroup
) -> EditBatches:
    """The batches of the pairs; what was written by an earlier try is taken."""
    folder = callbacks.folder / "ids"
    names = TAGGED if isinstance(vocabularies, TaggedVocabularies) else PLAIN
    if group.first:
        write_pair_ids(
            folder, pairs, vocabularies, options.longest, callbacks, names, edit_columns, identical=options.identical
        )
    group.wait()
    source, target, edits, *tags = [TokenizedDataset(folder / name) for name in names]
    weights = label_weights(
        edits, len(vocabularies.target), options.balance, options.add_weight, options.keep_weight, options.delete_weight
    )
    return EditBatches(
        source, target, edits, tags[0] if tags else None, weights,
        options.batch, callbacks.seed, options.batch_tokens,
    )  # fmt: skip


def edit_columns(source: list[str], target: list[str], vocabularies: Vocabularies) -> Iterator[list[int]]:
    """The ids of a pair: source, target, the edits between them, and the source's parts of speech where they are told.

    The edits are those of the words, not of the ids: two unknown words are not one.
    """
    yield vocabularies.source.ids(source)
    yield vocabularies.target.ids(target)
    yield label_ids(oracle_edits(source, target), vocabularies.target)
    if isinstance(vocabularies, TaggedVocabularies):
        yield vocabularies.tagger.ids(source)


def source_batch(texts: Sequence[list[str]], vocabularies: Vocabularies) -> EditBatch:
    """A batch of sources alone."""
    tags = NO_IDS
    if isinstance(vocabularies, TaggedVocabularies):
        tags, _ = pad([vocabularies.tagger.ids(text) for text in texts], end=True)
    return EditBatch(*pad([vocabularies.source.ids(text) for text in texts], end=True), tags=tags)
