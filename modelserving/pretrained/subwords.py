"""A model's tokenizer, exactly as in its tokenizer.json. Without torch and transformers."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from foundation.base_folder import KIND, LARGEST_TOKENIZER, TOKENIZER, BaseFolder
from foundation.errors import UserError
from foundation.model_folders import required_folder

if TYPE_CHECKING:
    from tokenizers import Tokenizer

AT_A_TIME = 256  # texts


class Piece(NamedTuple):
    """A piece of a text: its id, its spelling ("##ing"), and its start and end in the text."""

    id: int
    spelling: str
    place: tuple[int, int]


class Subwords:
    """Texts into ids and back. A special token's spelling in a text ("</s>") is text."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._tokenizer = _read(path)
        self._most = 0

    @property
    def size(self) -> int:
        """One more than the highest id."""
        return 1 + max(self._tokenizer.get_vocab(with_added_tokens=True).values(), default=-1)

    def cut(self, texts: Sequence[str], most: int) -> list[tuple[list[int], bool]]:
        """The ids of each text with the special tokens at its ends, and whether it was longer than `most` in all."""
        self._limit(most)
        return [(list(one.ids), bool(one.overflowing)) for one in self._tokenizer.encode_batch(list(texts))]

    def ids(self, texts: Sequence[str], most: int) -> list[list[int]]:
        """The ids alone."""
        return [ids for ids, _ in self.cut(texts, most)]

    def pieces(self, text: str) -> list[Piece]:
        """The whole text, without the special tokens at its ends."""
        self._limit(0)
        found = self._tokenizer.encode(text, add_special_tokens=False)
        return [Piece(*one) for one in zip(found.ids, found.tokens, found.offsets, strict=True)]

    @cached_property
    def ends(self) -> tuple[int, int]:
        """The ids of the special tokens that stand before and behind each text ([CLS] and [SEP])."""
        self._limit(0)
        match self._tokenizer.encode("").ids:
            case [first, last]:
                return int(first), int(last)
        raise UserError("The tokenizer puts no special token at the begin and one at the end of a text.",
                        where=self.path.name)  # fmt: skip

    def id_of(self, piece: str) -> int:
        """The id of a special piece, such as [MASK]; a UserError where the tokenizer has none of that spelling."""
        found = self._tokenizer.token_to_id(piece)
        if found is None:
            raise UserError("The tokenizer has no piece {piece}.", piece=piece, where=self.path.name)
        return int(found)

    @property
    def unknown(self) -> int | None:
        """The id for text without a piece; None where bytes are pieces, so that all text has one."""
        name = getattr(self._tokenizer.model, "unk_token", None)
        return self._tokenizer.token_to_id(name) if name else None

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """Each piece's id, in the order of the ids; special tokens left out."""
        special = {id for id, token in self._tokenizer.get_added_tokens_decoder().items() if token.special}
        found = sorted(self._tokenizer.get_vocab(with_added_tokens=True).items(), key=lambda item: item[1])
        return {piece: id for piece, id in found if id not in special and id != self.unknown}

    def joined(self, pieces: Sequence[str]) -> str:
        """The text of pieces, joined as the tokenizer joins them."""
        decoder = self._tokenizer.decoder
        text = decoder.decode(list(pieces)) if decoder else " ".join(pieces)
        return " ".join(text.split())

    def text(self, ids: Sequence[int]) -> str:
        """The text of ids, special tokens left out; line breaks and runs of spaces are one space."""
        return " ".join(self._tokenizer.decode(list(ids), skip_special_tokens=True).split())

    def lengths(self, texts: Iterable[str]) -> Iterable[int]:
        """How many ids each text has, with the special tokens."""
        self._limit(0)
        waiting = iter(texts)
        while part := list(islice(waiting, AT_A_TIME)):
            yield from (len(one.ids) for one in self._tokenizer.encode_batch(part))

    def _limit(self, most: int) -> None:
        """Cut texts after so many ids; nowhere with 0."""
        if most != self._most:
            self._tokenizer.enable_truncation(most) if most else self._tokenizer.no_truncation()
            self._most = most


def read_subwords(folder: BaseFolder) -> Subwords:
    """The tokenizer of a model's folder; a UserError where it cannot be read, or has pieces that the model lacks."""
    try:
        found = Subwords(folder.path / TOKENIZER)
    except UserError as error:
        raise UserError(error.sentence, where=f"{folder.where}, {error.where}") from None
    if found.size > int(folder.config.get("vocab_size", 0)):
        raise UserError(
            "The tokenizer has {size:,} pieces, more than the model knows.", size=found.size, where=folder.where
        )
    return found


def _read(path: Path) -> "Tokenizer":
    from tokenizers import Tokenizer

    try:
        if path.stat().st_size > LARGEST_TOKENIZER:
            raise UserError("The file is too large for a tokenizer.", where=path.name)
        found = Tokenizer.from_file(str(path))
    except UserError:
        raise
    except Exception:  # the library raises plain Exceptions
        raise UserError("The tokenizer is missing or cannot be read.", where=path.name) from None
    found.no_padding()
    found.no_truncation()
    found.encode_special_tokens = True
    return found


def can_count_tokens() -> bool:
    """Whether tokenizers is installed here: an image for web servers alone lacks it."""
    try:
        return find_spec("tokenizers") is not None
    except ModuleNotFoundError:
        return False


def token_lengths(folder: str, texts: Iterable[str]) -> list[int]:
    """How many tokens each text has for the model of a folder below RESTYLE_MODELS, special tokens at its ends counted.

    A UserError where the folder or its tokenizer is missing.
    """
    return list(Subwords(required_folder(folder, "folder", KIND) / TOKENIZER).lengths(texts))
