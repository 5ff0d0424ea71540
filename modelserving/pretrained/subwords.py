"""A model's tokenizer, as its tokenizer.json has it to the letter. Without torch and transformers."""

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from foundation.errors import UserError
from foundation.model_folders import required_folder
from modelserving.pretrained.base_folder import KIND, LARGEST_TOKENIZER, TOKENIZER

if TYPE_CHECKING:
    from tokenizers import Tokenizer

AT_A_TIME = 256  # texts


class Subwords:
    """Texts into ids and back. What looks like a special token in a text ("</s>") is text."""

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
        if most != self._most:
            self._tokenizer.enable_truncation(most)
            self._most = most
        return [(list(one.ids), bool(one.overflowing)) for one in self._tokenizer.encode_batch(list(texts))]

    def ids(self, texts: Sequence[str], most: int) -> list[list[int]]:
        """The ids alone."""
        return [ids for ids, _ in self.cut(texts, most)]

    def text(self, ids: Sequence[int]) -> str:
        """The text of ids, special tokens left out; line breaks and runs of spaces are one space."""
        return " ".join(self._tokenizer.decode(list(ids), skip_special_tokens=True).split())

    def lengths(self, texts: Iterable[str]) -> Iterable[int]:
        """How many ids each text has, with the special tokens."""
        self._tokenizer.no_truncation()
        self._most = 0
        waiting = iter(texts)
        while part := list(islice(waiting, AT_A_TIME)):
            yield from (len(one.ids) for one in self._tokenizer.encode_batch(part))


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
    """Whether tokenizers is installed here: an image of web servers alone goes without it."""
    try:
        return find_spec("tokenizers") is not None
    except ModuleNotFoundError:
        return False


def token_lengths(folder: str, texts: Iterable[str]) -> list[int]:
    """How many tokens each text has for the model of a folder below RESTYLE_MODELS, special tokens at its ends counted.

    A UserError where the folder or its tokenizer is not there.
    """
    return list(Subwords(required_folder(folder, "folder", KIND) / TOKENIZER).lengths(texts))
