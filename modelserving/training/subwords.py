"""Subwords by byte-pair encoding (Sennrich et al. 2016), over the bytes of UTF-8, so that no text has an unknown one.

Pieces are spelt as GPT-2 spells bytes: a printable one is itself, each other has a letter of its own. A text begins
with a space of ours, which the join takes away: a text that is cut and joined is unchanged. The BPE trainer of
`tokenizers` gives one vocabulary for one corpus; its trainer of unigrams sums in a random order.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foundation.checkpoint_members import LARGEST_JSON, json_of
from foundation.errors import UserError
from modelserving.training.tokenization import Tokenizer, Vocabulary

if TYPE_CHECKING:
    import tokenizers

FILE = "subwords.json"
LONGEST_PIECE = 32  # bytes of a piece
MOST = 1_000_000  # merges of a file
LEAST = 2  # the least count of a pair that is merged
PRINTABLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
OTHERS = [byte for byte in range(256) if byte not in PRINTABLE]
LETTERS = {byte: chr(byte) for byte in PRINTABLE} | {byte: chr(256 + place) for place, byte in enumerate(OTHERS)}
BYTES = {letter: byte for byte, letter in LETTERS.items()}
BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
CONTROLS = {code: None for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) != "\t"}
ONE_LINE = CONTROLS | str.maketrans(BREAKS, " " * len(BREAKS))

Merge = tuple[str, str]


class SubwordTokenizer(Tokenizer):
    """Cuts by merges, in their order. `pieces`: the 256 bytes, then the results of merges."""

    def __init__(self, merges: Sequence[Merge], lowercase: bool = False) -> None:
        self.merges, self.lowercase = tuple(merges), lowercase
        self.pieces = tuple(dict.fromkeys([*sorted(BYTES), *(first + second for first, second in self.merges)]))
        self._encoder = _encoder(self.pieces, self.merges)

    def tokenize(self, text: str) -> list[str]:
        """The pieces; none for a text of white space alone."""
        if not text.strip():
            return []
        whole = text.encode("utf-8", "replace").decode()  # half a surrogate pair is no character
        tokens: list[str] = self._encoder.encode(f" {whole.lower() if self.lowercase else whole}").tokens
        return tokens

    def detokenize(self, words: Sequence[str]) -> str:
        """The text of pieces on one line, without control characters and broken ones; other words stay as they are."""
        data = b"".join(bytes([BYTES[letter]]) if letter in BYTES else letter.encode() for letter in "".join(words))
        return data.decode("utf-8", "ignore").translate(ONE_LINE).removeprefix(" ")

    def vocabulary(self) -> Vocabulary:
        """Its pieces as a network knows them."""
        return Vocabulary(self.pieces)

    def write(self, path: Path) -> None:
        path.write_text(json.dumps({"merges": self.merges}, ensure_ascii=False, indent=0), encoding="utf-8")


def learn(texts: Iterable[str], most: int, lowercase: bool = False) -> SubwordTokenizer:
    """The merges that give at most so many pieces for the texts; the 256 bytes are always among them."""
    from tokenizers import Tokenizer as Learner
    from tokenizers import models, pre_tokenizers, trainers

    learner = Learner(models.BPE())
    learner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=max(most, len(BYTES)),
        min_frequency=LEAST,
        initial_alphabet=sorted(BYTES),
        max_token_length=LONGEST_PIECE,
        show_progress=False,
    )
    whole = (text.encode("utf-8", "replace").decode() for text in texts)
    learner.train_from_iterator((f" {text.lower() if lowercase else text}" for text in whole if text.strip()), trainer)
    merges = json.loads(learner.to_str())["model"]["merges"]
    return SubwordTokenizer([(first, second) for first, second in merges], lowercase)


def read(path: Path, lowercase: bool = False) -> SubwordTokenizer:
    """The tokenizer of a file; a UserError where it is missing, or no list of merges of pieces that are there."""
    try:
        data = path.read_bytes() if path.stat().st_size <= LARGEST_JSON else b""
    except OSError:
        raise UserError("The file of subwords is missing.", where=path.name) from None
    return SubwordTokenizer(_checked(json_of(data, path.name, finite=True), path.name), lowercase)


def _checked(found: Any, where: str) -> list[Merge]:
    merges = found.get("merges") if isinstance(found, dict) else None
    if not isinstance(merges, list) or len(merges) > MOST:
        raise UserError("The file of subwords has no list of at most {most:,} merges.", most=MOST, where=where)
    known, checked = set(BYTES), dict[Merge, None]()
    for place, found_merge in enumerate(merges, 1):
        merge = _merge(found_merge, known, f"Merge {place} of the subwords", where)
        if merge in checked:
            raise UserError("Merge {place} of the subwords is there twice.", place=place, where=where)
        checked[merge] = None
        known.add(merge[0] + merge[1])
    return list(checked)


def _merge(found: Any, known: set[str], name: str, where: str) -> Merge:
    match found:
        case [str(first), str(second)] if first in known and second in known:
            if len(first + second) > LONGEST_PIECE:
                raise UserError(
                    "{name} makes a piece of more than {longest_piece} bytes.",
                    name=name,
                    longest_piece=LONGEST_PIECE,
                    where=where,
                )
            return first, second
    raise UserError("{name} does not join two earlier pieces.", name=name, where=where)


def _encoder(pieces: Sequence[str], merges: Sequence[Merge]) -> "tokenizers.Tokenizer":
    """The encoder, made of known parts, never from a file of the library's form: that can hold any kind of pattern."""
    from tokenizers import Tokenizer as Encoder
    from tokenizers import models, pre_tokenizers

    encoder = Encoder(models.BPE({piece: place for place, piece in enumerate(pieces)}, list(merges)))
    encoder.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return encoder
