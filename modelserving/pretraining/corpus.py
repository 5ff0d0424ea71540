"""Texts as pieces of ids on disk: tokenized once, packed, with where a sentence ends; some are held back to measure by.

train.ids, tune.ids      a row a piece: tokens, and SENTENCE between two sentences (`TokenizedDataset`)
corpus.json              how many there are, and the digest of the texts that they are made of
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from corpora.knowledge import sentences
from foundation.errors import UserError
from modelserving.denoising.packing import apart, pack
from modelserving.denoising.spans import Ids
from modelserving.training.tokenized_dataset import TokenizedDataset, write

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

SENTENCE = -1
FILE = "corpus.json"
BATCH = 1_000  # texts that are cut at a time
LEAST = 2  # tokens of a piece: of one nothing can be dropped


@dataclass(frozen=True)
class Counts:
    """What a corpus is made of: texts, their pieces and tokens, and the digest of all texts in their order."""

    digest: str
    texts: int
    pieces: int
    tune: int
    tokens: int


@dataclass(frozen=True)
class Corpus:
    """Pieces to train on, and pieces to measure the loss by (there may be none)."""

    train: TokenizedDataset
    tune: TokenizedDataset
    counts: Counts


class Texts(Protocol):
    """Texts to train on and texts to measure by; they are read while a corpus is made, and not again."""

    @property
    def train(self) -> Sequence[str]: ...

    @property
    def tune(self) -> Sequence[str]: ...


def make_corpus(folder: Path, texts: Texts, tokenizer: "PreTrainedTokenizerFast", longest: int, packed: bool) -> Corpus:
    """Write the texts as pieces into the folder and read them there; one that is whole is taken as it is."""
    if not (folder / FILE).exists():
        train, tune = texts.train, texts.tune
        way = pack if packed else apart
        made = [
            write(folder / f"{name}.ids", _rows(way(_tokenized(some, tokenizer, packed), longest)))
            for name, some in (("train", train), ("tune", tune))
        ]
        if not len(made[0]):
            raise UserError("There is nothing to train on: the texts hold no word.")
        counts = Counts(digest_of(train), len(train), len(made[0]), len(made[1]), int(made[0].lengths.sum()))
        (folder / FILE).write_text(json.dumps(asdict(counts)), encoding="utf-8")
    return read_corpus(folder)


def read_corpus(folder: Path) -> Corpus:
    """The corpus that was made there."""
    counts = Counts(**json.loads((folder / FILE).read_text(encoding="utf-8")))
    return Corpus(TokenizedDataset(folder / "train.ids"), TokenizedDataset(folder / "tune.ids"), counts)


def sentences_of(row: Ids) -> list[Ids]:
    """The sentences of a piece."""
    return np.split(row[row != SENTENCE], np.flatnonzero(row == SENTENCE) - np.arange((row == SENTENCE).sum()))


def digest_of(texts: Iterable[str]) -> str:
    """SHA-256 of the texts, a line each."""
    whole = hashlib.sha256()
    for text in texts:
        whole.update(f"{text}\n".encode("utf-8", "surrogatepass"))
    return whole.hexdigest()


def _rows(pieces: Iterable[list[Sequence[int]]]) -> Iterator[list[int]]:
    for piece in pieces:
        row = [token for sentence in piece for token in (*sentence, SENTENCE)][:-1]
        if len(row) >= LEAST:
            yield row


def _tokenized(texts: Iterable[str], tokenizer: "PreTrainedTokenizerFast", packed: bool) -> Iterator[list[list[int]]]:
    """The sentences of each text as ids; one that others stand before begins with a space, as it does in a text.

    What a text spells that is a special token is an unknown piece of it, never that token.
    """
    unknown = [] if tokenizer.unk_token_id is None else [tokenizer.unk_token_id]
    special = set(tokenizer.all_special_ids) - set(unknown)
    rows = iter(texts)
    while some := list(islice(rows, BATCH)):
        cut = [sentences.split(text) for text in some]
        flat = [f" {one}" if packed or place else one for listed in cut for place, one in enumerate(listed)]
        if flat:
            ids = tokenizer(flat, add_special_tokens=False, split_special_tokens=True).input_ids
        found = iter(ids if flat else [])
        for listed in cut:
            yield [[one for token in next(found) for one in (unknown if token in special else [token])] for _ in listed]
