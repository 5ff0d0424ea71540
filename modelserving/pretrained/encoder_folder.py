"""The folder of a pretrained encoder (BERT and those of its form), looked at before anything of it is loaded."""

from collections.abc import Iterable

from foundation.base_folder import KIND, TOKENIZER, BaseFolder, base_folder
from foundation.model_folders import required_folder
from modelserving.pretrained.subwords import Subwords

ENCODERS = ("bert", "distilbert", "electra", "roberta")
AFTER_PADDING = ("roberta",)  # count their positions from behind that of padding
ENDS = 2  # special tokens at the ends of a text
USUAL, USUAL_WIDTH = 512, 768  # positions and size of the states, where the configuration does not say


def encoder_folder(name: str, where: str = "folder") -> BaseFolder:
    """Look at a folder below RESTYLE_MODELS; a UserError where no encoder lies there that can be loaded."""
    return base_folder(name, ENCODERS, where)


def most_pieces(folder: BaseFolder) -> int:
    """Pieces of a text that the encoder can read at most, the special tokens at its ends not counted."""
    before = int(folder.config.get("pad_token_id") or 0) + 1 if folder.architecture in AFTER_PADDING else 0
    return max(1, (folder.positions or USUAL) - before - ENDS)


def width(folder: BaseFolder) -> int:
    """The size of the encoder's states."""
    return int(folder.config.get("dim" if folder.architecture == "distilbert" else "hidden_size") or USUAL_WIDTH)


def piece_lengths(folder: str, texts: Iterable[str]) -> list[int]:
    """How many pieces each text has for the encoder of a folder below RESTYLE_MODELS; raises as `token_lengths`."""
    subwords = Subwords(required_folder(folder, "folder", KIND) / TOKENIZER)
    return [max(0, length - ENDS) for length in subwords.lengths(texts)]
