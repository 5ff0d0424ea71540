"""A pretrained model that is ready: how it rewrites texts, and how it is saved.

A saved model is a folder that transformers can load too (its weights called `weights.safetensors`), and `model.json`:
its name, options and directions, and the digest of the folder that it was trained from, which is needed no more.
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora.knowledge.brackets import bracketed
from foundation.base_folder import OURS, TOKENIZER, WEIGHTS, BaseFolder
from foundation.model_folders import signature_safe
from foundation.options import options_as_stored
from modelserving.ctranslate2_models import ConvertedModel, SearchSettings, version
from modelserving.interface import BatchModel, Direction
from modelserving.pretrained.options import CTRANSLATE2, SidesGenerationOptions, signed
from modelserving.pretrained.subwords import read_subwords

if TYPE_CHECKING:
    from modelserving.pretrained.quick_search import HeldDecoder

# Texts from a pretrained encoder and decoder by CTranslate2, searched for as by PyTorch.


class ConvertedWriter:
    """Holds the converted model of the last quantization that was asked for; `net` must not be trained any more."""

    def __init__(self, net: Any) -> None:
        self._net = net
        self._held: tuple[str, ConvertedModel] | None = None

    def write(
        self, rows: Sequence[Sequence[int]], options: SidesGenerationOptions, positions: int = 0
    ) -> list[list[int]]:
        """The ids that the model writes for each row of ids; arguments and errors are those of `writing.write`."""
        tokens = self._net.generation_config
        settings = search_settings(options, positions, tokens.forced_bos_token_id, tokens.forced_eos_token_id)
        settings.check()
        if self._held is None or self._held[0] != options.quantization:
            self._held = None  # its memory is needed
            self._held = options.quantization, ConvertedModel(self._net, options.quantization)
        return self._held[1].generate(rows, settings)


def search_settings(
    options: SidesGenerationOptions, positions: int = 0, first: int | None = None, last: int | None = None
) -> SearchSettings:
    """The options in CTranslate2's form; outputs have less than `positions` tokens, where that is not 0."""
    longest = min(options.longest, positions - 1) if positions else options.longest
    return SearchSettings(
        options.beam, options.length_penalty, longest, min(options.shortest, longest), options.no_repeat,
        options.early_stopping, options.sample, first, last,
    )  # fmt: skip


def check_engine(options: SidesGenerationOptions) -> None:
    """Raise a UserError where CTranslate2 is asked for a setting that it carries out otherwise than PyTorch."""
    if options.engine == CTRANSLATE2:
        search_settings(options).check()


def engine_version(options: SidesGenerationOptions) -> dict[str, str]:
    """The version of CTranslate2, if it computes, for a signature; a UserError where it is not installed."""
    return {"ctranslate2": version()} if options.engine == CTRANSLATE2 else {}


ABOUT = "model.json"
BESIDE = ("tokenizer_config.json", "special_tokens_map.json")  # kept where they are, for transformers' own tokenizer
WINDOW = 512  # texts that are put in order of length at a time


class PretrainedModel(BatchModel):
    """A model of transformers with its tokenizer, on its device.

    `prefix` stands before each source, of which `read` tokens are read; `marked`: it writes brackets, which are taken
    off. One without directions takes any.
    """

    def __init__(
        self, name: str, net: Any, folder: BaseFolder, *, prefix: str, read: int, marked: bool = False,
        options: Any = None, directions: tuple[Direction, ...] = (), base: dict[str, str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._converted = ConvertedWriter(net)
        self._held: HeldDecoder | None = None
        self.name, self.net, self.folder = name, net, folder
        self.subwords = read_subwords(folder)
        self.prefix, self.marked, self.options, self.directions = prefix, marked, options, directions
        self.read = min(read, folder.positions or read)
        self.base = base or {"folder": folder.path.name, "digest": folder.digest, "architecture": folder.architecture}

    def transfer(self, texts: Sequence[str], direction: Direction, decoding: Any) -> Iterator[str]:
        self.check_direction(direction)
        return self._transfer(texts, decoding)

    def _transfer(self, texts: Sequence[str], decoding: Any) -> Iterator[str]:
        for start in range(0, len(texts), WINDOW):
            part = texts[start : start + WINDOW]
            there = [place for place, text in enumerate(part) if text.strip()]
            rows = self.subwords.ids([f"{self.prefix}{part[place]}" for place in there], self.read)
            outputs = [""] * len(part)
            for place, ids in zip(there, self._written(rows, decoding), strict=True):
                outputs[place] = self.text(ids)
            yield from outputs

    def _written(self, rows: Sequence[Sequence[int]], decoding: Any) -> list[list[int]]:
        if decoding.engine == CTRANSLATE2:
            return self._converted.write(rows, decoding, self.folder.positions)
        from modelserving.pretrained.writing import write

        return write(self.net, rows, decoding, self.folder.positions, self.context, self._held)

    def hold(self) -> None:
        """Keep what searches make of the weights, which must not be trained any more."""
        from modelserving.pretrained.quick_search import HeldDecoder

        self._held = HeldDecoder()

    def text(self, ids: Sequence[int]) -> str:
        """The text of ids that it wrote."""
        text = self.subwords.text(ids)
        return " ".join(bracketed(text)[0].split()) if self.marked else text

    def signature(self, direction: Direction, decoding: Any) -> str:
        return signature_of(self.name, direction, self.base["digest"], decoding, signed(self.options))

    def save(self, folder: Path) -> None:
        """Write the model; of one in parts all processes call it, and the first one writes."""
        from modelserving.training import weights

        state = weights.whole(weights.tensors_of(self.net)) if weights.in_parts(self.net) else {}
        if state is None:
            return
        self.net.save_pretrained(folder, max_shard_size="1000GB", state_dict=state or None)
        (folder / WEIGHTS).rename(folder / OURS)
        shutil.copyfile(self.subwords.path, folder / TOKENIZER)
        for name in BESIDE:
            if (self.folder.path / name).is_file():
                shutil.copyfile(self.folder.path / name, folder / name)
        about = {"model": self.name, "directions": self.directions, "options": options_as_stored(self.options),
                 "base": self.base}  # fmt: skip
        (folder / ABOUT).write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")


def signature_of(name: str, direction: Direction, digest: str, decoding: Any, more: Mapping[str, str] = {}) -> str:
    """The signature of a model from the base folder with that digest."""
    parts = {"model": name, "direction": "-".join(direction), "base": digest, **more, **options_as_stored(decoding),
             **engine_version(decoding)}  # fmt: skip
    return "|".join(f"{key}:{signature_safe(str(value))}" for key, value in parts.items())
