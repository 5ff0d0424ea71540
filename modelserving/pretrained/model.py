"""A pretrained model that is ready: how it rewrites texts, and how it is saved.

A saved model is a folder that transformers can load too (its weights called `weights.safetensors`), and `model.json`:
its name, options and directions, and the digest of the folder that it was trained from, which is needed no more.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from corpora.knowledge.brackets import bracketed
from foundation.base_folder import OURS, TOKENIZER, WEIGHTS, BaseFolder
from foundation.model_folders import signature_safe
from foundation.options import options_as_stored
from modelserving.interface import BatchModel, Direction
from modelserving.pretrained.converted_writing import ConvertedWriter, engine_version
from modelserving.pretrained.options import CTRANSLATE2
from modelserving.pretrained.subwords import read_subwords

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
                outputs[place] = self._text(ids)
            yield from outputs

    def _written(self, rows: Sequence[Sequence[int]], decoding: Any) -> list[list[int]]:
        if decoding.engine == CTRANSLATE2:
            return self._converted.write(rows, decoding, self.folder.positions)
        from modelserving.pretrained.writing import write

        return write(self.net, rows, decoding, self.folder.positions, self.context)

    def _text(self, ids: Sequence[int]) -> str:
        text = self.subwords.text(ids)
        return " ".join(bracketed(text)[0].split()) if self.marked else text

    def signature(self, direction: Direction, decoding: Any) -> str:
        return signature_of(self.name, direction, self.base["digest"], decoding)

    def save(self, folder: Path) -> None:
        self.net.save_pretrained(folder, max_shard_size="1000GB")
        (folder / WEIGHTS).rename(folder / OURS)
        shutil.copyfile(self.subwords.path, folder / TOKENIZER)
        for name in BESIDE:
            if (self.folder.path / name).is_file():
                shutil.copyfile(self.folder.path / name, folder / name)
        about = {"model": self.name, "directions": self.directions, "options": options_as_stored(self.options),
                 "base": self.base}  # fmt: skip
        (folder / ABOUT).write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")


def signature_of(name: str, direction: Direction, digest: str, decoding: Any) -> str:
    """Of a model from the base folder with that digest."""
    parts = {"model": name, "direction": "-".join(direction), "base": digest, **options_as_stored(decoding),
             **engine_version(decoding)}  # fmt: skip
    return "|".join(f"{key}:{signature_safe(str(value))}" for key, value in parts.items())
