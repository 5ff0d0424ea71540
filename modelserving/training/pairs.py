"""Pairs of texts as ids on disk and as batches; for networks that copy, with ids of the extended vocabulary."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from foundation.errors import UserError
from modelserving.training.batches import Batch, PairBatches, extended, padded
from modelserving.training.data import Pairs
from modelserving.training.encoded import Encoded, Writer
from modelserving.training.parallel import Group
from modelserving.training.watch import Watch
from modelserving.training.words import Words

PLAIN, COPYING = ("source", "target"), ("source", "target", "copied", "aimed")
WHOLE = "whole"  # a file that stands there when all the others are written


def pair_batches(
    pairs: Pairs, words: Words, options: Any, watch: Watch, group: Group, copies: bool = False
) -> PairBatches:
    """The batches of the pairs; what was written by an earlier try is taken."""
    folder = watch.folder / "ids"
    if group.first:
        written(folder, pairs, words, options.longest, copies, watch)
    group.wait()
    source, target, *extended_ids = [Encoded(folder / name) for name in (COPYING if copies else PLAIN)]
    copied, aimed = extended_ids if copies else (None, None)
    return PairBatches(source, target, options.batch, watch.seed, copied, aimed, len(words.target))


def written(folder: Path, pairs: Pairs, words: Words, longest: int, copies: bool, watch: Watch) -> None:
    """Write the ids of the pairs that are neither empty nor too long."""
    if (folder / WHOLE).exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    kept = 0
    names = COPYING if copies else PLAIN
    with ExitStack() as stack:
        writers = [stack.enter_context(Writer(folder / name)) for name in names]
        for source, target in _cut(pairs, words):
            if 0 < len(source) <= longest and 0 < len(target) <= longest:
                kept += 1
                for writer, ids in zip(writers, columns(source, target, words), strict=False):
                    writer.add(ids)
    if not kept:
        raise UserError(f"No pair has texts of 1 to {longest} words.", where="train")
    watch.say(f"{kept:,} pairs; {len(pairs) - kept:,} left out that are empty or longer than {longest} words.")
    (folder / WHOLE).touch()


def _cut(pairs: Pairs, words: Words) -> Iterator[tuple[list[str], list[str]]]:
    for source, target in zip(pairs.sources, pairs.targets, strict=True):
        yield words.cutter.words(source), words.cutter.words(target)


def columns(source: list[str], target: list[str], words: Words) -> Iterator[list[int]]:
    """The ids of a pair: source, target, and both in the extended vocabulary, whose words beyond V are this pair's."""
    known, unknown = len(words.target), dict[str, int]()
    source_ids, target_ids = words.source.ids(source), words.target.ids(target)
    yield from (source_ids, target_ids)
    yield extended(source, source_ids, unknown, known, grow=True)
    yield extended(target, target_ids, unknown, known, grow=False)


def reading(texts: Sequence[list[str]], words: Words, copies: bool) -> Batch:
    """A batch of sources alone."""
    ids = [words.source.ids(text) for text in texts]
    if not copies:
        return Batch(*padded(ids))
    known = len(words.target)
    copied, _ = padded([extended(text, row, {}, known, grow=True) for text, row in zip(texts, ids, strict=True)])
    return Batch(*padded(ids), copied=copied, copies=max(0, int(copied.max()) + 1 - known))
