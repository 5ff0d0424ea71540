"""What a network on a pretrained encoder knows of texts: the encoder's own tokenization and pieces, on both sides.

Sources go to the encoder by its own ids. The decoder knows the same pieces by ids of ours, the special ones left out.
"""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from foundation.base_folder import CONFIG, TOKENIZER, BaseFolder, read_base_folder
from foundation.errors import UserError
from modelserving.pretrained.encoder_folder import ENCODERS
from modelserving.pretrained.subwords import Subwords, read_subwords
from modelserving.training.tokenization import Tokenizer, Vocabularies
from modelserving.training.vocabulary import Vocabulary

PARTS = ("folder", "digest", "architecture")  # of what is kept about the folder that was trained on


@dataclass(frozen=True)
class PieceTokenizer(Tokenizer):
    """Cuts into the encoder's pieces. What has no piece stays as the text spells it."""

    subwords: Subwords

    def tokenize(self, text: str) -> list[str]:
        unknown = self.subwords.unknown
        return [
            (text[slice(*one.place)] or one.spelling) if one.id == unknown else one.spelling
            for one in self.subwords.pieces(text)
        ]

    def detokenize(self, words: Sequence[str]) -> str:
        return self.subwords.joined(words)


class EncoderPieces(Vocabulary):
    """Pieces by the encoder's ids, each one higher: 0 stays padding."""

    def __init__(self, subwords: Subwords, size: int) -> None:
        self.words = ()
        self._size = size
        self._ids = {piece: id + 1 for piece, id in subwords.vocabulary.items()}
        self._unknown = 1 + (subwords.ends[1] if subwords.unknown is None else subwords.unknown)

    def __len__(self) -> int:
        return 1 + self._size

    def ids(self, words: Iterable[str]) -> list[int]:
        get = self._ids.get
        return [get(word, self._unknown) for word in words]


@dataclass(frozen=True)
class EncoderVocabularies(Vocabularies):
    """`folder` has the encoder's configuration; `base` says which folder it was trained from, by `PARTS`."""

    folder: BaseFolder
    subwords: Subwords
    base: Mapping[str, str]

    @property
    def padding(self) -> int:
        """The encoder's id of what fills up; a UserError where it has none such."""
        found = self.folder.config.get("pad_token_id", 0)
        if type(found) is not int or not 0 <= found < int(self.folder.config["vocab_size"]):
            raise UserError(
                "The special token pad_token_id is {found}, which the model has no piece for.",
                found=str(found)[:60],
                where=self.folder.where,
            )
        return found

    def write(self, folder: Path) -> None:
        """The encoder's configuration and tokenizer, by which it is built again."""
        shutil.copyfile(self.subwords.path, folder / TOKENIZER)
        (folder / CONFIG).write_text(json.dumps(dict(self.folder.config), indent=1), encoding="utf-8")


def encoder_vocabularies(folder: BaseFolder, base: Mapping[str, str] | None = None) -> EncoderVocabularies:
    """Those of a looked-at folder; a UserError where its tokenizer is none that an encoder can be given texts by."""
    subwords = read_subwords(folder)
    try:
        subwords.ends  # noqa: B018 (that there are some)
    except UserError as error:
        raise UserError(error.sentence, where=f"{folder.where}, {error.where}") from None
    source = EncoderPieces(subwords, int(folder.config["vocab_size"]))
    target = Vocabulary(list(subwords.vocabulary))
    about = base or dict(zip(PARTS, (folder.path.name, folder.digest, folder.architecture), strict=True))
    return EncoderVocabularies(PieceTokenizer(subwords), source, target, folder, subwords, about)


def read_encoder_vocabularies(folder: Path, about: str) -> EncoderVocabularies:
    """Those of a checkpoint's files; its file `about` says which folder it was trained from."""
    try:
        found = json.loads((folder / about).read_text(encoding="utf-8"))["base"]
        base = {name: str(found[name])[:200] for name in PARTS}
    except (OSError, KeyError, TypeError, ValueError, RecursionError):
        raise UserError("The file that describes the model is missing or broken.", where=about) from None
    return encoder_vocabularies(read_base_folder(folder, ENCODERS), base)
