"""The batches of a network and their order: rows of about one length together, in a new order each epoch.

A batch is made of rows of ids on disk; only it is in memory.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from foundation.errors import UserError
from foundation.seeds import generator
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import Pairs
from modelserving.training.process_group import ProcessGroup
from modelserving.training.tokenization import END, PAD, UNKNOWN, Vocabularies
from modelserving.training.tokenized_dataset import TokenizedDataset, TokenizedDatasetWriter

Rows = NDArray[np.int64]
POOL = 100  # batches whose rows are sorted by length among themselves
NO_IDS = torch.zeros(0, 0, dtype=torch.int64)


@dataclass(frozen=True)
class Batch:
    """n texts. Ids are int64, padded with PAD; lengths count real ids and stay on the CPU.

    `sources` (n, Tx) are words; `targets` (n, Ty) are words and then END (absent when a text is rewritten, not learnt
    from). `styles` (n,) is the style of each target, and `markers` (n, Tm) are words of attribute markers and then END,
    for networks that are given them; `definitions` (n, Td) likewise are words of what a source's concepts mean. For
    networks that copy, `copied` (n, Tx) and `aimed` (n, Ty) are the two with ids of the extended vocabulary: an unknown
    source word is V + its place among its text's different unknown words, and `copies` is how many a text has at most.
    """

    sources: Tensor
    source_lengths: Tensor
    targets: Tensor = NO_IDS
    target_lengths: Tensor = NO_IDS
    styles: Tensor | None = None
    markers: Tensor = NO_IDS
    marker_lengths: Tensor = NO_IDS
    definitions: Tensor = NO_IDS
    definition_lengths: Tensor = NO_IDS
    copied: Tensor = NO_IDS
    aimed: Tensor = NO_IDS
    copies: int = 0

    def __len__(self) -> int:
        return len(self.sources)

    def to(self, device: torch.device | str) -> "Batch":
        """The batch on the device, except its lengths."""
        if str(device) == "cpu":
            return self
        return self._changed(lambda tensor: tensor.to(device, non_blocking=True))

    def pin(self) -> "Batch":
        """The batch in memory from which a GPU copies while the processor goes on."""
        return self._changed(Tensor.pin_memory)

    def _changed(self, change: Callable[[Tensor], Tensor]) -> "Batch":
        """The batch with each tensor changed, except the lengths."""
        changed: dict[str, Any] = {
            field.name: change(getattr(self, field.name))
            for field in fields(self)
            if isinstance(getattr(self, field.name), Tensor) and not field.name.endswith("lengths")
        }
        return replace(self, **changed)


def pad(rows: Sequence[Sequence[int] | NDArray[np.int32]], end: bool = False) -> tuple[Tensor, Tensor]:
    """Rows of different lengths as one array.

    Args:
        rows: n rows of ids.
        end: Whether END stands behind each row; it is then counted.

    Returns:
        Ids (n, T), padded with PAD, and lengths (n,).
    """
    lengths = np.array([len(row) + end for row in rows], dtype=np.int64)
    ids = np.full((len(rows), int(lengths.max(initial=0))), PAD, dtype=np.int64)
    for at, row in enumerate(rows):
        ids[at, : len(row)] = row
        if end:
            ids[at, len(row)] = END
    return torch.from_numpy(ids), torch.from_numpy(lengths)


class Batches(ABC):
    """The batches of a training: of `size` texts, or of texts with `tokens` tokens in all where that is not 0."""

    def __init__(self, size: int, seed: int, tokens: int = 0) -> None:
        self.size = size
        self.seed = seed
        self.tokens = tokens

    @abstractmethod
    def order(self, epoch: int) -> list[Rows]:
        """The rows of each batch of an epoch: equal for equal seed and epoch."""

    @abstractmethod
    def batch(self, rows: Rows) -> Batch:
        """The batch of these rows."""


class PairBatches(Batches):
    """Pairs of a source and a target; for networks that copy, with their ids of the extended vocabulary."""

    def __init__(
        self, sources: TokenizedDataset, targets: TokenizedDataset, size: int, seed: int,
        copied: TokenizedDataset | None = None, aimed: TokenizedDataset | None = None, known: int = 0, tokens: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(size, seed, tokens)
        self.sources, self.targets = sources, targets
        self.copied, self.aimed, self.known = copied, aimed, known

    def order(self, epoch: int) -> list[Rows]:
        chance = generator(self.seed, "order", epoch)
        keys = self.targets.lengths.astype(np.int64) * (int(self.sources.lengths.max()) + 1) + self.sources.lengths
        if self.tokens:
            longer = np.maximum(self.sources.lengths, self.targets.lengths + 1)
            return bucket_by_tokens(keys, longer, self.tokens, chance)
        return bucket_by_length(keys, self.size, chance)

    def batch(self, rows: Rows) -> Batch:
        made = Batch(
            *pad([self.sources[i] for i in rows]),
            *pad([self.targets[i] for i in rows], end=True),
        )
        if self.copied is None or self.aimed is None:
            return made
        copied, _ = pad([self.copied[i] for i in rows])
        aimed, _ = pad([self.aimed[i] for i in rows], end=True)
        return replace(made, copied=copied, aimed=aimed, copies=max(0, int(copied.max()) + 1 - self.known))


def bucket_by_length(keys: NDArray[Any], size: int, chance: np.random.Generator) -> list[Rows]:
    """Batches of rows of about one length, in random order.

    Args:
        keys: The keys that sort rows within a pool of `POOL` batches, (n,).
        size: Rows of a batch; the last of a pool may have fewer.
        chance: Shuffles rows and batches.

    Returns:
        Each row's place once.
    """
    shuffled: Rows = chance.permutation(len(keys))
    batches: list[Rows] = []
    for start in range(0, len(shuffled), size * POOL):
        pool = shuffled[start : start + size * POOL]
        pool = pool[np.argsort(keys[pool], kind="stable")]
        batches.extend(pool[at : at + size] for at in range(0, len(pool), size))
    return [batches[i] for i in chance.permutation(len(batches))]


def bucket_by_tokens(keys: NDArray[Any], lengths: NDArray[Any], tokens: int, chance: np.random.Generator) -> list[Rows]:
    """Batches of rows of about one length, in random order, with so many tokens at most.

    Args:
        keys: The keys that sort rows within a pool of about `POOL` batches, (n,).
        lengths: Tokens of each row, (n,).
        tokens: The most of a batch, padding counted; a longer row is a batch of its own.
        chance: Shuffles rows and batches.

    Returns:
        Each row's place once.
    """
    shuffled: Rows = chance.permutation(len(keys))
    size = max(1, int(tokens / max(1.0, lengths.mean() if len(lengths) else 1.0)))
    batches: list[Rows] = []
    for start in range(0, len(shuffled), size * POOL):
        pool = shuffled[start : start + size * POOL]
        pool = pool[np.argsort(keys[pool], kind="stable")]
        batches.extend(_filled(pool, lengths[pool], tokens))
    return [batches[i] for i in chance.permutation(len(batches))]


def _filled(rows: Rows, lengths: NDArray[Any], tokens: int) -> Iterator[Rows]:
    begin, longest = 0, 0
    for at, length in enumerate(lengths.tolist()):
        longest = max(longest, length)
        if at > begin and longest * (at + 1 - begin) > tokens:
            yield rows[begin:at]
            begin, longest = at, length
    if begin < len(rows):
        yield rows[begin:]


def extended_vocabulary_ids(
    words: Sequence[str], ids: Sequence[int], unknown: dict[str, int], known: int, grow: bool
) -> list[int]:
    """The ids with those of `unknown` words in the extended vocabulary; with `grow` (a source) it takes new ones."""
    found = list(ids)
    for at, one in enumerate(ids):
        if one == UNKNOWN:
            if grow:
                unknown.setdefault(words[at], known + len(unknown))
            found[at] = unknown.get(words[at], UNKNOWN)
    return found


# Pairs of texts as ids on disk and as batches, with ids of the extended vocabulary for networks that copy.

PLAIN, COPYING = ("source", "target"), ("source", "target", "copied", "aimed")
Columns = Callable[[list[str], list[str], Vocabularies], Iterable[list[int]]]
"""The rows of ids that a pair's words have, one for each file."""
WHOLE = "whole"  # a file that is written after all the others


def pair_batches(
    pairs: Pairs,
    vocabularies: Vocabularies,
    options: Any,
    callbacks: Callbacks,
    group: ProcessGroup,
    copies: bool = False,
) -> PairBatches:
    """The batches of the pairs; the ids of an earlier try are taken."""
    folder = callbacks.folder / "ids"
    names = COPYING if copies else PLAIN
    if group.first:
        write_pair_ids(folder, pairs, vocabularies, options.longest, callbacks, names, columns)
    group.wait()
    source, target, *extended_ids = [TokenizedDataset(folder / name) for name in names]
    copied, aimed = extended_ids if copies else (None, None)
    known = len(vocabularies.target)
    return PairBatches(source, target, options.batch, callbacks.seed, copied, aimed, known, options.batch_tokens)


def write_pair_ids(
    folder: Path, pairs: Pairs, vocabularies: Vocabularies, longest: int, callbacks: Callbacks, names: Sequence[str],
    columns: Columns, *, identical: bool = True,
) -> None:  # fmt: skip
    """Write the ids of the pairs that are neither empty nor too long, a file of each name; see `columns`.

    Without `identical`, pairs with the same words on both sides are left out too.
    """
    if (folder / WHOLE).exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    kept = 0
    with ExitStack() as stack:
        writers = [stack.enter_context(TokenizedDatasetWriter(folder / name)) for name in names]
        for source, target in _cut(pairs, vocabularies):
            fits = 0 < len(source) <= longest and 0 < len(target) <= longest
            if fits and (identical or source != target):
                kept += 1
                for writer, ids in zip(writers, columns(source, target, vocabularies), strict=False):
                    writer.add(ids)
    if not kept:
        different = "" if identical else "different "
        raise UserError(
            "No pair has {different}texts of 1 to {longest} words.", different=different, longest=longest, where="train"
        )
    others = "" if identical else ", or the same on both sides"
    callbacks.say(
        f"{kept:,} pairs; {len(pairs) - kept:,} left out that are empty or longer than {longest} words{others}."
    )
    (folder / WHOLE).touch()


def _cut(pairs: Pairs, vocabularies: Vocabularies) -> Iterator[tuple[list[str], list[str]]]:
    for source, target in zip(pairs.sources, pairs.targets, strict=True):
        yield vocabularies.tokenizer.tokenize(source), vocabularies.tokenizer.tokenize(target)


def columns(source: list[str], target: list[str], vocabularies: Vocabularies) -> Iterator[list[int]]:
    """The ids of a pair: source, target, and both in the extended vocabulary, where ids from V on are this pair's."""
    known, unknown = len(vocabularies.target), dict[str, int]()
    source_ids, target_ids = vocabularies.source.ids(source), vocabularies.target.ids(target)
    yield from (source_ids, target_ids)
    yield extended_vocabulary_ids(source, source_ids, unknown, known, grow=True)
    yield extended_vocabulary_ids(target, target_ids, unknown, known, grow=False)


def source_batch(texts: Sequence[list[str]], vocabularies: Vocabularies, copies: bool) -> Batch:
    """A batch of sources alone."""
    ids = [vocabularies.source.ids(text) for text in texts]
    if not copies:
        return Batch(*pad(ids))
    known = len(vocabularies.target)
    copied, _ = pad(
        [extended_vocabulary_ids(text, row, {}, known, grow=True) for text, row in zip(texts, ids, strict=True)]
    )
    return Batch(*pad(ids), copied=copied, copies=max(0, int(copied.max()) + 1 - known))
