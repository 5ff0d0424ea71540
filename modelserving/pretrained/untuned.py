"""A pretrained model that is not trained further: it writes as it is; its folder is an option of writing."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from foundation.base_folder import CONFIG, GENERATION, BaseFolder, base_folder
from foundation.errors import UserError
from foundation.options import options_as_stored, validate_options
from modelserving.interface import Direction, Model, Transfer
from modelserving.pretrained.folder_list import check_memory, folders_of, why_none
from modelserving.pretrained.model import PretrainedModel, check_engine
from modelserving.pretrained.options import UntunedOptions

# transformers' names, what goes before another first; max_length and min_length count the token that begins an output.
NAMES = {
    "num_beams": ("beam", 0), "early_stopping": ("early_stopping", 0), "length_penalty": ("length_penalty", 0),
    "no_repeat_ngram_size": ("no_repeat", 0), "max_new_tokens": ("longest", 0), "max_length": ("longest", 1),
    "min_new_tokens": ("shortest", 0), "min_length": ("shortest", 1),
}  # fmt: skip


def as_folder_says(decoding: UntunedOptions, folder: BaseFolder) -> UntunedOptions:
    """The options; an option at its default takes the folder's value, if the folder has one.

    Folders are read as by transformers: generation_config.json, or if there is none, config.json.

    Raises:
        UserError: The folder says something that the option does not take.
    """
    if not decoding.as_folder:
        return decoding
    said, usual = folder.generation or folder.config, type(decoding)()
    found: dict[str, object] = {}
    for name, (ours, begin) in NAMES.items():
        value = said.get(name)
        if value is not None and ours not in found and getattr(decoding, ours) == getattr(usual, ours):
            found[ours] = max(0, value - begin) if begin and type(value) is int else value
    try:
        chosen: UntunedOptions = validate_options(type(decoding), {**options_as_stored(decoding), **found})
    except UserError as error:
        file = GENERATION if folder.generation else CONFIG
        raise UserError(
            "The folder's {file} asks for a search that is not supported here: {error} Set the option, or search "
            "without the folder's settings.",
            file=file,
            error=error,
            where="as_folder",
        ) from None
    return chosen


class UntunedModel(Model):
    """Holds the model of the last folder that was asked for, as long as the folder is unchanged."""

    def __init__(self, name: str, architectures: Sequence[str], device: str) -> None:
        self.name, self.architectures, self.device = name, architectures, device
        self._held: tuple[tuple[str, str], PretrainedModel] | None = None

    def transfer(self, texts: Sequence[str], direction: Direction, decoding: UntunedOptions) -> Iterator[str]:
        model = self._model(decoding)
        yield from model.transfer(texts, direction, as_folder_says(decoding, model.folder))

    def _model(self, decoding: UntunedOptions) -> PretrainedModel:
        from modelserving.pretrained.loading import load_network
        from modelserving.pretrained.writing import type_of_weights

        folder = base_folder(decoding.folder, self.architectures)
        dtype = type_of_weights(self.device, decoding.precision)
        key = folder.digest, str(dtype)
        if self._held is None or self._held[0] != key:
            self._held = None  # its memory is needed
            check_memory(folder.numbers, dtype.itemsize, self.device, "folder")
            net = load_network(folder, dtype, self.device)
            self._held = key, PretrainedModel(self.name, net, folder, prefix=decoding.prefix, read=decoding.read)
            self._held[1].hold()
        held = self._held[1]
        held.prefix, held.read = decoding.prefix, min(decoding.read, folder.positions or decoding.read)
        return held

    def signature(self, direction: Direction, decoding: UntunedOptions) -> str:
        from modelserving.pretrained.model import signature_of

        folder = base_folder(decoding.folder, self.architectures)
        return signature_of(self.name, direction, folder.digest, as_folder_says(decoding, folder))


class UntunedTransfer(Transfer):
    """A kind of model that only writes; it goes in any direction."""

    device = "gpu"
    architectures: ClassVar[Sequence[str]]
    Decoding: ClassVar[type] = UntunedOptions

    @property
    def name(self) -> str:
        return type(self).__module__.rpartition(".")[2]

    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        if folder is not None:
            raise UserError("{label} needs no training, so it has no checkpoints.", label=self.label)
        return UntunedModel(self.name, self.architectures, device)

    def why_unavailable(self) -> str:
        return why_none(self.label, self.architectures)

    def usual_decoding(self) -> Any:
        """The defaults, with another folder of its architecture if theirs is missing."""
        usual, there = self.Decoding(), [one.name for one in folders_of(self.architectures)]
        return usual if usual.folder in there or not there else replace(usual, folder=there[0])

    def check_decoding(self, decoding: Any) -> None:
        check_engine(as_folder_says(decoding, base_folder(decoding.folder, self.architectures)))
