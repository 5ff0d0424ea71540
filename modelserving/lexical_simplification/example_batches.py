"""Examples of DECLARE on disk and as batches: what the locator, the interpreter and the polisher are given."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from corpora.knowledge.brackets import bracketed
from foundation.errors import UserError
from foundation.seeds import generator
from modelserving.lexical_simplification.marked_sentences import Example, Pieces, Sentence, aim
from modelserving.lexical_simplification.word_pieces import Special, WordPieces
from modelserving.training.batches import NO_IDS, Batch, Batches, Rows, bucket_by_length, bucket_by_tokens
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import Pairs
from modelserving.training.process_group import ProcessGroup
from modelserving.training.tokenized_dataset import TokenizedDataset, TokenizedDatasetWriter

# Examples as rows of numbers on disk, and back.

UNTOLD = -1  # which full form is right


def packed(example: Example) -> list[int]:
    """words | which are located | place, right form, full forms of each word that has some | rewrites of the runs."""
    found = [*_nested(example.words), *map(int, example.located), len(example.forms)]
    for place, forms in example.forms.items():
        found += [place, example.right.get(place, UNTOLD), *_nested(forms)]
    return found + _nested(example.rewrites)


def unpacked(row: Iterable[int]) -> Example:
    """The example of `packed`'s row."""
    numbers = iter(map(int, row))
    words = _read_nested(numbers)
    located = [next(numbers) == 1 for _ in words]
    forms, right = dict[int, list[Pieces]](), dict[int, int]()
    for _ in range(next(numbers)):
        place, told = next(numbers), next(numbers)
        forms[place] = _read_nested(numbers)
        right |= {} if told == UNTOLD else {place: told}
    return Example(words, forms, located, right, _read_nested(numbers))


def _nested(rows: Sequence[Sequence[int]]) -> list[int]:
    return [len(rows), *(number for row in rows for number in (len(row), *row))]


def _read_nested(numbers: Iterator[int]) -> list[Pieces]:
    return [[next(numbers) for _ in range(next(numbers))] for _ in range(next(numbers))]


NAMES = ("source", "target", "example")
WHOLE = "whole"  # a file that stands there when all the others are written
IGNORED = -100  # of labels
ENDS = 2


class Term(NamedTuple):
    """A located word that has several full forms: the number of its sentence, and its place in that."""

    sentence: int
    place: int


@dataclass(frozen=True)
class ExampleBatch(Batch):
    """n examples with t terms of m full forms at most. Ids are the encoder's; sources have its ends around them.

    `labels` (n, Tx) are 1 for pieces of located words, 0 for others, and -100 at the ends and for padding. Targets are
    what the polisher is to write, `own` (n, Ty) where that is its own. `contexts` (t, Tc) are the sources with a term
    masked, `questions` (t, Tq) the terms, `options` (t, m, Ta) their full forms, and `right` (t,) which is, or -100.
    """

    labels: Tensor = NO_IDS
    own: Tensor = NO_IDS
    contexts: Tensor = NO_IDS
    questions: Tensor = NO_IDS
    options: Tensor = NO_IDS
    right: Tensor = NO_IDS
    terms: Sequence[Term] = ()
    examples: Sequence[Example] = ()


class ExampleBatches(Batches):
    """The examples of a folder."""

    def __init__(self, folder: Path, special: Special, options: Any, seed: int) -> None:
        super().__init__(options.batch, seed, options.batch_tokens)
        self.special = special
        self.sources, self.targets, self.examples = (TokenizedDataset(folder / name) for name in NAMES)

    def order(self, epoch: int) -> list[Rows]:
        chance = generator(self.seed, "order", epoch)
        sources, targets = (one.lengths.astype(np.int64) for one in (self.sources, self.targets))
        keys = targets * (int(sources.max()) + 1) + sources
        if self.tokens:
            return bucket_by_tokens(keys, np.maximum(sources, targets) + ENDS, self.tokens, chance)
        return bucket_by_length(keys, self.size, chance)

    def batch(self, rows: Rows) -> ExampleBatch:
        examples, padding = [unpacked(self.examples[i]) for i in rows], self.special.padding
        labels = [
            [IGNORED, *(int(is_one) for word, is_one in zip(example.words, example.located, strict=True) for _ in word),
             IGNORED]
            for example in examples
        ]  # fmt: skip
        aims, own = zip(*(aim(example, self.special.mask) for example in examples), strict=True)
        terms = terms_of(examples, [example.located for example in examples])
        plain = ExampleBatch(
            *padded([self._within(example.pieces) for example in examples], padding),
            *padded(aims, padding),
            labels=padded(labels, IGNORED)[0],
            own=padded(own, False)[0].bool(),
            right=torch.tensor([examples[one.sentence].right.get(one.place, IGNORED) for one in terms]),
            terms=terms,
            examples=examples,
        )
        contexts, questions, options = asked(examples, terms, self.special)
        return replace(plain, contexts=contexts, questions=questions, options=options)

    def _within(self, pieces: Pieces) -> Pieces:
        return [self.special.begin, *pieces, self.special.end]


def terms_of(sentences: Sequence[Sentence], located: Sequence[Sequence[bool]]) -> list[Term]:
    """The located words among whose full forms one has to choose."""
    return [
        Term(number, place)
        for number, (sentence, is_located) in enumerate(zip(sentences, located, strict=True))
        for place, forms in sentence.forms.items()
        if is_located[place] and len(forms) > 1
    ]


def asked(sentences: Sequence[Sentence], terms: Sequence[Term], special: Special) -> tuple[Tensor, Tensor, Tensor]:
    """What the interpreter is given: `contexts`, `questions` and `options` of the terms, as in `ExampleBatch`."""

    def around(pieces: Pieces) -> Pieces:
        return [special.begin, *pieces, special.end]

    contexts, questions, options = [], [], list[list[Pieces]]()
    for number, place in terms:
        words = sentences[number].words
        masked = [*words[:place], [special.mask], *words[place + 1 :]]
        contexts.append(around([piece for word in masked for piece in word]))
        questions.append(around(words[place]))
        options.append([around(list(form)) for form in sentences[number].forms[place]])
    most = max(map(len, options), default=0)
    flat, _ = padded([form for one in options for form in one + [[]] * (most - len(one))], special.padding)
    shaped = flat.view(len(terms), most, -1) if terms else NO_IDS
    return padded(contexts, special.padding)[0], padded(questions, special.padding)[0], shaped


def padded(rows: Sequence[Sequence[int]], filler: int) -> tuple[Tensor, Tensor]:
    """Rows of different lengths as one array of int64 (n, T), and their lengths (n,)."""
    lengths = torch.tensor([len(row) for row in rows], dtype=torch.int64)
    ids = np.full((len(rows), max(map(len, rows), default=0)), filler, dtype=np.int64)
    for at, row in enumerate(rows):
        ids[at, : len(row)] = row
    return torch.from_numpy(ids), lengths


def example_batches(
    pairs: Pairs, pieces: WordPieces, options: Any, callbacks: Callbacks, group: ProcessGroup
) -> ExampleBatches:
    """The batches of the pairs; what was written by an earlier try is taken."""
    folder = callbacks.folder / "ids"
    if group.first and not (folder / WHOLE).exists():
        _write(folder, pairs, pieces, options.longest - ENDS, callbacks)
    group.wait()
    return ExampleBatches(folder, pieces.special, options, callbacks.seed)


def _write(folder: Path, pairs: Pairs, pieces: WordPieces, longest: int, callbacks: Callbacks) -> None:
    """Write the pairs that are neither empty nor too long; a UserError where none is left."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = 0
    with ExitStack() as stack:
        writers = [stack.enter_context(TokenizedDatasetWriter(folder / name)) for name in NAMES]
        for source, marked in zip(pairs.sources, pairs.marked, strict=True):
            lengths = [len(pieces.pieces(text)) for text in (source, bracketed(marked)[0])]
            example = pieces.example(source, marked) if min(lengths) > 0 and max(lengths) <= longest else None
            if example is None:
                continue
            kept += 1
            rows = (example.pieces, aim(example, pieces.special.mask)[0], packed(example))
            for writer, row in zip(writers, rows, strict=True):
                writer.add(row)
    if not kept:
        raise UserError("No pair has texts of 1 to {longest} tokens.", longest=longest, where="train")
    callbacks.say(f"{kept:,} pairs; {len(pairs) - kept:,} left out that are empty or longer than {longest} tokens.")
    (folder / WHOLE).touch()
