"""A trained DECLARE's locator by itself: which words of a text are terms. Saved and loaded without the other parts.

Its files are those of a saved DECLARE, of whose weights it keeps and reads its own (`locator. ...`).
"""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora.knowledge.abbreviations import Abbreviations
from foundation.base_folder import CONFIG, OURS, TOKENIZER, BaseFolder, read_base_folder
from foundation.errors import UserError
from modelserving.lexical_simplification.full_forms import FullForms
from modelserving.lexical_simplification.options import ARCHITECTURES
from modelserving.lexical_simplification.word_pieces import Word, WordPieces
from modelserving.pretrained.encoder_folder import most_pieces
from modelserving.pretrained.subwords import read_subwords
from modelserving.training.checkpoint import unpack

if TYPE_CHECKING:
    from modelserving.lexical_simplification.locator import Locator

PART = "locator."
NO_FORMS = FullForms(Abbreviations({}), frozenset())
MODEL = "declare"


class WordLocator:
    """A locator with its tokenizer, on its device."""

    def __init__(self, net: "Locator", folder: BaseFolder, device: str) -> None:
        self.net, self.folder, self.device = net, folder, device
        self.pieces = WordPieces(read_subwords(folder), NO_FORMS, 0)

    def locate(self, words: Sequence[Word]) -> list[bool]:
        """Of each word of a text whether it is a term; words behind what the encoder reads are none."""
        import torch

        sentence = self.pieces.sentence([word.text for word in words])
        read = self.pieces.sentence([word.text for word in words[: sentence.fitting(most_pieces(self.folder))]])
        if not read.words:
            return [False] * len(words)
        begin, end, _, padding = self.pieces.special
        (found,) = self.net.words([read], torch.tensor([[begin, *read.pieces, end]], device=self.device), padding)
        return found + [False] * (len(words) - len(found))

    def save(self, folder: Path) -> None:
        """Write its files into the folder."""
        from modelserving.training import weights

        weights.write(folder / OURS, {PART + name: one for name, one in weights.tensors_of(self.net).items()})
        for name in (CONFIG, TOKENIZER):
            shutil.copyfile(self.folder.path / name, folder / name)


def read_locator(folder: Path, device: str = "cpu") -> WordLocator:
    """The locator of a saved DECLARE, or one that was saved alone; a UserError where a file is missing or broken."""
    from modelserving.lexical_simplification.locator import Locator
    from modelserving.pretrained.encoder_loading import new_encoder
    from modelserving.training import weights

    found = read_base_folder(folder, ARCHITECTURES)
    net: Any = Locator(new_encoder(found))
    weights.read_network(folder / OURS, net, PART)
    return WordLocator(net.to(device).eval(), found, device)


def locator_of_checkpoint(path: Path, folder: Path, device: str = "cpu") -> WordLocator:
    """The locator of the checkpoint, which is unpacked into the folder; a UserError where it is no DECLARE's."""
    manifest = unpack(path, folder, "locator")
    if manifest.model != MODEL:
        raise UserError(
            "This is a checkpoint of {model}, and a locator is a part of {expected}.",
            model=manifest.model,
            expected=MODEL,
            where="locator",
        )
    return read_locator(folder, device)
