"""Pairs of texts as ids on disk and as batches; for networks that copy, with ids of the extended vocabulary."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from foundation.errors import UserError
from modelserving.training.batches import Batch, PairBatches, extended_vocabulary_ids, pad
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import Pairs
from modelserving.training.process_group import ProcessGroup
from modelserving.training.tokenization import Vocabularies
from modelserving.training.tokenized_dataset import TokenizedDataset, TokenizedDatasetWriter

PLAIN, COPYING = ("source", "target"), ("source", "target", "copied", "aimed")
Columns = Callable[[list[str], list[str], Vocabularies], Iterable[list[int]]]
"""The rows of ids that a pair's words have, one for each file."""
WHOLE = "whole"  # a file that stands there when all the others are written


def pair_batches(
    pairs: Pairs,
    vocabularies: Vocabularies,
    options: Any,
    callbacks: Callbacks,
    group: ProcessGroup,
    copies: bool = False,
) -> PairBatches:
    """The batches of the pairs; what was written by an earlier try is taken."""
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

    Without `identical` those are left out too whose source and target are the same words.
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
    """The ids of a pair: source, target, and both in the extended vocabulary, whose words beyond V are this pair's."""
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
