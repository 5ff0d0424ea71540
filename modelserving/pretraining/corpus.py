"""Texts as pieces of ids on disk: tokenized once, packed, with the ends of sentences; some are held back for measuring.

train.ids, tune.ids      a row a piece: tokens, and SENTENCE between two sentences (`TokenizedDataset`)
corpus.json              their numbers, and the digest of their texts
"""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from corpora.knowledge import sentences
from foundation.errors import UserError
from modelserving.pretraining.noise import Ids, apart, pack
from modelserving.training.dataset import Lines, write_lines
from modelserving.training.tokenized_dataset import TokenizedDataset, write

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

# Plain text from files: a line is a text. Files of any size are streamed; some lines are held back to measure by.

ENDING = ".txt"
EACH, FROM, MOST = 100, 200, 1_000  # each hundredth line is held back, where there are 200 at least; at most 1,000


def files_named(paths: Sequence[Path]) -> list[Path]:
    """The files, and in folders those that end in .txt, in the order of their names.

    A UserError where there is none.
    """
    found = []
    for path in paths:
        inner = sorted(one for one in path.rglob(f"*{ENDING}") if one.is_file()) if path.is_dir() else [path]
        if not inner or not inner[0].is_file():
            what = f"There is no file that ends in {ENDING} in it." if path.is_dir() else "There is no such file."
            raise UserError(what, where=str(path))
        found += inner
    return found


def lines_of(paths: Sequence[Path]) -> Iterator[str]:
    """The lines that are not empty; a UserError where a file is no text in UTF-8."""
    for path in paths:
        try:
            with path.open(encoding="utf-8-sig") as file:
                for number, line in enumerate(file, 1):
                    if "\0" in line:
                        raise UserError(
                            "Line {number:,} holds a NUL character: this is not plain text.",
                            number=number,
                            where=path.name,
                        )
                    if line.strip():
                        yield " ".join(line.splitlines()).strip()
        except UnicodeDecodeError:
            raise UserError("The file is not in UTF-8.", where=path.name) from None
        except OSError as error:
            raise UserError("The file cannot be read ({strerror}).", strerror=error.strerror, where=path.name) from None


@dataclass(frozen=True)
class TextFolder:
    """Texts in a folder, read from there line by line; those to measure by are kept apart."""

    folder: Path

    @classmethod
    def write(cls, folder: Path, train: Iterator[str], tune: Iterator[str] | None = None) -> "TextFolder":
        """Write texts; if there are none to measure by, some of the others are held back."""
        folder.mkdir(parents=True, exist_ok=True)
        if tune is not None:
            write_lines(folder / "tune", tune)
            write_lines(folder / "train", train)
            return cls(folder)
        write_lines(folder / "all", train)
        lines = Lines(folder / "all")
        held = set(range(EACH - 1, len(lines), EACH)[:MOST]) if len(lines) >= FROM else set[int]()
        write_lines(folder / "tune", (lines[place] for place in sorted(held)))
        write_lines(folder / "train", (line for place, line in enumerate(lines) if place not in held))
        (folder / "all").unlink()
        return cls(folder)

    @cached_property
    def train(self) -> Lines:
        return Lines(self.folder / "train")

    @cached_property
    def tune(self) -> Lines:
        return Lines(self.folder / "tune")


# Tokenizers made of texts: the unigram form for T5 (Kudo 2018), byte-level BPE for BART (Sennrich et al. 2016).
#
# A text that spells a special token (`</s>`) is data, never that token: no special token is a piece of the model, and
# the folder says so (`split_special_tokens`).

SENTINELS = 100  # of T5: <extra_id_0> to <extra_id_99>
UNKNOWN = "<unk>"
WORD = r"▁?(?:[\p{L}\p{M}]+|\p{N}+|[^\p{L}\p{M}\p{N}▁]+|▁)"  # letters, digits or signs: no piece has two of these
LETTERS = 1_000  # different ones that T5's tokenizer knows; rarer ones are unknown
ROUNDS = 3  # of cutting and counting
MOST_TEXTS = 1_000_000  # that a tokenizer is made of
CHECKED_AT_A_TIME = 5_000
T5_TOKENS = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": UNKNOWN}
BART_TOKENS = {
    "bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>", "mask_token": "<mask>",
    "cls_token": "<s>", "sep_token": "</s>",
}  # fmt: skip


def make_tokenizer(architecture: str, texts: Iterable[str], words: int) -> "PreTrainedTokenizerFast":
    """A tokenizer of at most `words` pieces besides its special tokens; equal texts make an equal one."""
    from transformers import PreTrainedTokenizerFast

    fast: Any = PreTrainedTokenizerFast
    whole, named, more = (_unigram if architecture == "t5" else _byte_pairs)(_counted(texts), words)
    made: PreTrainedTokenizerFast = fast(
        tokenizer_object=whole, **named, additional_special_tokens=more, split_special_tokens=True
    )
    return made


def _counted(texts: Iterable[str]) -> Iterator[str]:
    """The texts; a UserError where they have no word."""
    empty = True
    for text in texts:
        if text.strip():
            empty = False
            yield text
    if empty:
        raise UserError("There is no text to make a tokenizer of.")


def _unigram(texts: Iterator[str], words: int) -> "tuple[Tokenizer, dict[str, str], list[str]]":
    """Pieces learnt by merging pairs, then weighed by their frequency in the most probable cut.

    The library's own trainer of this form finds other pieces with every process.
    """
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    whole = Tokenizer(models.BPE(unk_token=UNKNOWN))
    whole.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip()]
    )
    apart = pre_tokenizers.Split(Regex(WORD), "isolated")
    whole.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(), apart])
    whole.decoder = decoders.Metaspace()
    known = list(islice(texts, MOST_TEXTS))
    trainer = trainers.BpeTrainer(
        vocab_size=words, limit_alphabet=min(LETTERS, words), special_tokens=[UNKNOWN], show_progress=False
    )
    whole.train_from_iterator(known, trainer)
    sentinels = [f"<extra_id_{number}>" for number in range(SENTINELS)]
    special = [T5_TOKENS["pad_token"], T5_TOKENS["eos_token"], UNKNOWN, *sentinels]
    pieces = sorted(set(whole.get_vocab()) - set(special))
    for _ in range(ROUNDS):
        whole.model = models.Unigram(_weighed(whole, known, pieces), unk_id=0)
    whole.add_special_tokens(special)
    _end_with(whole, "$A </s>", "$A </s> $B </s>", ["</s>"])
    return whole, T5_TOKENS, sentinels


def _weighed(whole: "Tokenizer", texts: list[str], pieces: list[str]) -> list[tuple[str, float]]:
    """The unknown piece, then all with their log-probabilities, the most probable first."""
    counts = Counter[str]()
    for start in range(0, len(texts), CHECKED_AT_A_TIME):
        for encoded in whole.encode_batch(texts[start : start + CHECKED_AT_A_TIME], add_special_tokens=False):
            counts.update(encoded.tokens)
    total = sum(counts[piece] for piece in pieces) + len(pieces)
    rows = sorted((-counts[piece], piece) for piece in pieces)
    return [(UNKNOWN, 0.0), *((piece, math.log((1 - minus) / total)) for minus, piece in rows)]


def _byte_pairs(texts: Iterator[str], words: int) -> "tuple[Tokenizer, dict[str, str], list[str]]":
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    whole = Tokenizer(models.BPE())
    whole.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=words, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), show_progress=False
    )
    whole.train_from_iterator(islice(texts, MOST_TEXTS), trainer)
    whole.decoder = decoders.ByteLevel()
    whole.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    _end_with(whole, "<s> $A </s>", "<s> $A </s> </s> $B </s>", ["<s>", "</s>"])
    return whole, BART_TOKENS, []


def _end_with(whole: "Tokenizer", single: str, pair: str, tokens: list[str]) -> None:
    from tokenizers import processors

    named = [(token, whole.token_to_id(token)) for token in tokens]
    whole.post_processor = processors.TemplateProcessing(single=single, pair=pair, special_tokens=named)


SENTENCE = -1
FILE = "corpus.json"
BATCH = 1_000  # texts that are cut at a time
LEAST = 2  # the least tokens of a piece: from a single one nothing can be dropped


@dataclass(frozen=True)
class Counts:
    """The numbers of a corpus's texts, pieces and tokens, and the digest of all texts in their order."""

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
    """Write the texts as pieces into the folder and read them there; a complete corpus is taken as it is."""
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
    """The corpus that was written there."""
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
    """The sentences of each text as ids; each but the first begins with a space, as it does in a text.

    A special token that a text spells is an unknown piece of it, never that token.
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
