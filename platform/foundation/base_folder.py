"""The folder of a pretrained model, looked at before anything of it is loaded: no library is imported for this.

    config.json                        sizes, architecture; nothing in it is code
    model.safetensors                  or model.safetensors.index.json and the files that it names
    tokenizer.json                     a fast tokenizer
    generation_config.json             where there is one

A fault of it is one sentence; a folder without faults is a `BaseFolder`.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from foundation import checkpoint_members as members
from foundation.errors import UserError
from foundation.model_folders import CONFIG as CONFIG
from foundation.model_folders import model_name, required_folder, weights_digest

GENERATION, TOKENIZER = "generation_config.json", "tokenizer.json"
WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
OURS = "weights.safetensors"  # as a checkpoint of ours names it
KIND = "pretrained model"
LARGEST_CONFIG = 4_000_000  # bytes
LARGEST_TOKENIZER = 100_000_000
MOST = 10_000_000  # the largest number that a configuration may hold: no model has larger sizes
PICKLED = (".bin", ".pt", ".pth", ".ckpt", ".h5", ".msgpack")
SHARD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.safetensors")
Shape = tuple[int, ...]


@dataclass(frozen=True)
class BaseFolder:
    """A folder that can be loaded, as far as can be told. `where` stands before the sentences about it."""

    path: Path
    config: Mapping[str, Any]
    generation: Mapping[str, Any]
    weights: tuple[Path, ...]
    shapes: Mapping[str, Shape]
    where: str

    @property
    def architecture(self) -> str:
        """transformers' model_type."""
        return str(self.config["model_type"])

    @property
    def numbers(self) -> int:
        """How many numbers its weights are."""
        return sum(map(math.prod, self.shapes.values()))

    @cached_property
    def digest(self) -> str:
        """The digest of weights, configuration and tokenizer."""
        return weights_digest(self.path)

    @property
    def positions(self) -> int:
        """Tokens that it can read or write at most; 0 where nothing limits them."""
        most = self.config.get("max_position_embeddings", 0)
        return int(most) if isinstance(most, int) and most > 0 else 0


def base_folder(name: str, architectures: Sequence[str], where: str = "folder") -> BaseFolder:
    """Look at a folder below RESTYLE_MODELS.

    Args:
        name: Its name.
        architectures: The model_types that will do.
        where: The option that names it, for the error.

    Returns:
        What it holds.

    Raises:
        UserError: It is not there, or no model that can be loaded.
    """
    return read_base_folder(required_folder(name, where, KIND), architectures, where)


def read_base_folder(path: Path, architectures: Sequence[str], where: str = "") -> BaseFolder:
    """Look at a folder, wherever it is; raises as `base_folder`."""
    place = f"{where}, {model_name(path)}" if where else model_name(path)
    try:
        config = _config(path / CONFIG, architectures)
        weights = _weights(path)
        shapes = {name: shape for file in weights for name, shape in tensor_shapes(file).items()}
        _check_layers(config, len(shapes))
        _check_tokenizer(path / TOKENIZER)
        generation = read_json(path / GENERATION) if (path / GENERATION).exists() else {}
    except UserError as error:
        raise UserError(error.sentence, where=f"{place}, {error.where}" if error.where else place) from None
    return BaseFolder(path, config, generation, weights, shapes, place)


def check_sizes(path: Path) -> None:
    """Hold the configuration of any model's folder to the headers of its weights, before a library builds the model.

    Raises:
        UserError: A size that no model has, more layers than tensors, weights that are pickled or whose header is not
            true.
    """
    try:
        config = read_json(path / CONFIG)
        _check_bounds(config)
        _check_layers(config, sum(len(tensor_shapes(file)) for file in _weights(path)))
    except UserError as error:
        name = model_name(path)
        raise UserError(error.sentence, where=f"{name}, {error.where}" if error.where else name) from None


def _config(path: Path, architectures: Sequence[str]) -> dict[str, Any]:
    config = read_json(path)
    if config.get("auto_map"):
        raise UserError("The model needs to run its own code (auto_map), which is never allowed here.", where=CONFIG)
    if config.get("quantization_config"):
        raise UserError("The weights are quantized; here they must be plain ones.", where=CONFIG)
    kind = config.get("model_type")
    if kind not in architectures:
        raise UserError(
            "The model's architecture is {kind!r}; this takes {architectures}.",
            kind=str(kind)[:60],
            architectures=" or ".join(architectures),
            where=CONFIG,
        )
    _check_numbers(config)
    return config


def _check_numbers(config: Mapping[str, Any]) -> None:
    """No size is negative or beyond all models, which would fill the memory before the weights are looked at."""
    _check_bounds(config)
    for name, value in config.items():
        if _is_size(name) and not (isinstance(value, int) and value > 0):
            raise _no_size(name, value)


def _check_bounds(config: Mapping[str, Any]) -> None:
    for name, value in config.items():
        if isinstance(value, int | float) and not -MOST <= value <= MOST:
            raise _no_size(name, value)


def _no_size(name: str, value: Any) -> UserError:
    sentence = "The configuration has a size that no model has: {name} is {value}."
    return UserError(sentence, name=name[:60], value=str(value)[:60], where=CONFIG)


def _is_size(name: str) -> bool:
    return name in ("vocab_size", "d_model", "d_ff", "d_kv", "hidden_size", "intermediate_size") or name.endswith(
        ("_layers", "_heads", "_ffn_dim", "max_position_embeddings", "num_buckets")
    )


def _check_layers(config: Mapping[str, Any], tensors: int) -> None:
    """Each layer has tensors: one of more layers than tensors is built for hours, and then does not fit."""
    for name, value in config.items():
        if name.endswith("layers") and isinstance(value, int) and value > tensors:
            raise UserError("The configuration disagrees with the weights: {name} is {value:,}, and there are "
"{tensors:,} tensors.", name=name[:60], value=value, tensors=tensors, where=CONFIG)  # fmt: skip


def _weights(path: Path) -> tuple[Path, ...]:
    """The files of the weights."""
    for name in (WEIGHTS, OURS):
        if (path / name).is_file():
            return (path / name,)
    if (path / INDEX).is_file():
        return _shards(path)
    pickled = sorted(file.name for file in path.iterdir() if file.suffix in PICKLED)
    if pickled:
        raise UserError(
            "The model's weights are pickled ({pickled}), and pickles are never opened here; save them as {weights}.",
            pickled=pickled[0],
            weights=WEIGHTS,
        )
    raise UserError("There are no weights in it: expected {weights}.", weights=WEIGHTS)


def _shards(path: Path) -> tuple[Path, ...]:
    named = read_json(path / INDEX).get("weight_map")
    names = sorted(set(map(str, named.values()))) if isinstance(named, dict) else []
    if not names or not all(SHARD.fullmatch(name) for name in names):
        raise UserError("The index of the weights names no files, or names that are paths.", where=INDEX)
    missing = [name for name in names if not (path / name).is_file()]
    if missing:
        raise UserError("The weight file {missing} is missing.", missing=missing[0], where=INDEX)
    return tuple(path / name for name in names)


def tensor_shapes(path: Path) -> dict[str, Shape]:
    """The tensors of a safetensors file, by its header, which is checked; no tensor is read."""
    with path.open("rb") as file:
        members.check(path.name, file, path.stat().st_size)
        file.seek(0)
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    return {name: tuple(about["shape"]) for name, about in header.items() if name != "__metadata__"}


def _check_tokenizer(path: Path) -> None:
    if not path.is_file():
        raise UserError("There is no {tokenizer}: only fast tokenizers are taken; load the tokenizer with "
"transformers and save it again.", tokenizer=TOKENIZER)  # fmt: skip
    if path.stat().st_size > LARGEST_TOKENIZER:
        raise UserError("The file is too large for a tokenizer.", where=TOKENIZER)


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object of a file; a UserError where it is missing, too large, broken, or none."""
    if not path.is_file():
        raise UserError("There is no {name}.", name=path.name)
    if path.stat().st_size > (LARGEST_TOKENIZER if path.name == INDEX else LARGEST_CONFIG):
        raise UserError("The file is too large for a file of its kind.", where=path.name)
    found = members.json_of(path.read_bytes(), path.name, finite=True)
    if not isinstance(found, dict):
        raise UserError("Expected a JSON object.", where=path.name)
    return found
