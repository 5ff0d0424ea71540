"""Encoders: transformers models in folders of this machine, and their embeddings of tokens and of texts.

BERTScore's folder is named by a setting or by `RESTYLE_BERTSCORE_MODEL`. `RESTYLE_BERTSCORE_LAYER` says which layer's
embeddings it compares; without it the one that the authors found best for a model of that name, else the last. Nothing
is fetched.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foundation.errors import UserError
from foundation.local_resources import local_path, missing_resource_message

FOLDER, LAYER = "RESTYLE_BERTSCORE_MODEL", "RESTYLE_BERTSCORE_LAYER"
KIND = "language model"
LACKING = f"BERTScore needs a language model on this machine; name its folder as {FOLDER}."
BEST = {  # of bert-score's table, by the name of the folder
    "roberta-large": 17, "roberta-base": 10, "bert-base-uncased": 9, "bert-base-cased": 9, "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9, "bert-base-chinese": 8, "distilbert-base-uncased": 5, "distilroberta-base": 5,
    "xlm-roberta-base": 9, "xlm-roberta-large": 17, "scibert-scivocab-uncased": 8, "deberta-xlarge-mnli": 40,
    "deberta-v3-base": 9, "deberta-v3-large": 12,
}  # fmt: skip
OF_A_MODEL = frozenset({".safetensors", ".json", ".txt", ".model"})  # what is read of its folder
WITH_PREFIX = {"roberta", "gpt2"}  # whose first word is encoded as one inside a sentence
LONGEST = 512  # tokens, where the tokenizer names no bound that a model could have


class Embedded(NamedTuple):
    """A text's tokens (n,) with the special ones, their vectors (n, width) of length 1, and which are special (n,)."""

    tokens: list[int]
    vectors: NDArray[np.float32]
    special: NDArray[np.bool_]


class Encoder:
    """A model and the layer that is compared."""

    def __init__(self, folder: Path, layer: int | None) -> None:
        from transformers import AutoConfig, AutoModel, AutoTokenizer

        config = AutoConfig.from_pretrained(folder, local_files_only=True)
        prefix = {"add_prefix_space": True} if config.model_type in WITH_PREFIX else {}
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True, **prefix)
        model: Any = AutoModel.from_pretrained(folder, local_files_only=True, use_safetensors=True)
        self.model: Any = getattr(model, "encoder", model) if hasattr(model, "decoder") else model
        self.model.eval()
        self.layers = int(config.num_hidden_layers)
        self.layer = self.layers if layer is None else layer
        if not 0 <= self.layer <= self.layers:
            raise UserError(f"This model has the layers 0 to {self.layers}.", where=LAYER)
        self.longest = longest(self.tokenizer, config)

    def embed(self, texts: Sequence[str]) -> dict[str, Embedded]:
        """The tokens of each text and their vectors; the same text once.

        Each goes through the model by itself: beside others its last digits would hang on how long those are, and two
        systems that wrote the same would not be tied.
        """
        return {text: self._embed(self._tokens(text)) for text in dict.fromkeys(texts)}

    def _tokens(self, text: str) -> list[int]:
        tokens: list[int] = self.tokenizer.encode(text.strip(), truncation=True, max_length=self.longest)
        return tokens

    def pooled(self, texts: Sequence[str], how: str) -> NDArray[np.float32]:
        """A vector for each text, (n, width): the mean of its tokens' states, or the first one's for "cls"."""
        states = (self._states(self._tokens(text)).float().numpy() for text in texts)
        return np.stack([state[0] if how == "cls" else state.mean(axis=0) for state in states])

    def _embed(self, tokens: list[int]) -> Embedded:
        import torch

        unit = torch.nn.functional.normalize(self._states(tokens), dim=-1).float().numpy()
        special = {self.tokenizer.cls_token_id, self.tokenizer.sep_token_id}
        return Embedded(tokens, unit, np.array([token in special for token in tokens], dtype=bool))

    def _states(self, tokens: list[int]) -> Any:
        """The layer's states of one text, (tokens, width)."""
        import torch

        ids = torch.tensor([tokens or [self.tokenizer.pad_token_id or 0]])  # of nothing there are no states
        with torch.inference_mode():
            found = self.model(ids, attention_mask=torch.ones_like(ids), output_hidden_states=True)
        return found.hidden_states[self.layer][0]


def longest(tokenizer: Any, config: Any) -> int:
    """How many tokens the model takes; since transformers 5 a tokenizer that says nothing names a huge number."""
    asked = tokenizer.model_max_length
    known: Any = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None) or LONGEST
    bound = int(known)
    if getattr(config, "model_type", "") in {"roberta", "xlm-roberta", "camembert"}:
        bound -= 2  # whose positions begin behind that of the padding
    return int(min(asked, bound)) if asked < 1_000_000 else bound


def model_folder(name: str, where: str = "") -> Path | None:
    """The folder of that name below RESTYLE_MODELS, where a model lies in it."""
    found = local_path(name, where=where)
    return found if found is not None and (found / "config.json").is_file() else None


def why_not(name: str) -> str:
    """The sentence for a model that is not there; "" where it is."""
    try:
        return "" if model_folder(name) else missing_resource_message(KIND, name)
    except UserError as error:
        return str(error)


def needed(name: str, where: str) -> Path:
    """The folder; a UserError where it is not there."""
    found = model_folder(name, where)
    if found is None:
        raise UserError(missing_resource_message(KIND, name), where=where)
    return found


def pooling_of(found: Path) -> str:
    """Is "cls" where the folder is one of sentence-transformers that says so, else "mean"."""
    place = found / "1_Pooling" / "config.json"
    about = json.loads(place.read_text(encoding="utf-8")) if place.is_file() else {}
    return "cls" if about.get("pooling_mode_cls_token") or about.get("pooling_mode") == "cls" else "mean"


def folder(name: str = "") -> Path | None:
    """BERTScore's folder; None where none is named, or nothing is there."""
    if name:
        return model_folder(name, "metrics.bertscore.model")
    named = os.environ.get(FOLDER, "")
    return Path(named) if named and (Path(named) / "config.json").is_file() else None


def layer_of(found: Path) -> int | None:
    """The layer that the environment names, or that is known to be the best; None is the last."""
    named = os.environ.get(LAYER, "")
    if named and not (named.isascii() and named.isdigit()):
        raise UserError(f"Expected the number of a layer, found {named!r}.", where=LAYER)
    return int(named) if named else BEST.get(found.name)


def encoder(name: str = "") -> Encoder:
    found = folder(name)
    if found is None:
        raise UserError(missing_resource_message(KIND, name) if name else LACKING, where="bertscore")
    return loaded(found, layer_of(found))


@lru_cache(maxsize=1)
def loaded(found: Path, layer: int | None) -> Encoder:
    return Encoder(found, layer)


def named(name: str = "") -> str:
    """The model's name, the layer and the beginning of its weights' SHA-256, for a signature."""
    found = folder(name)
    if found is None:
        return "none"
    layer = layer_of(found)
    return f"{signed(found.name)}_L{'last' if layer is None else layer}_{digest(found)}"


def signed(text: str) -> str:
    """As a signature's field may hold it."""
    return text.replace("|", "-").replace(":", "-")


def digest(found: Path) -> str:
    """Of weights, configuration and tokenizer, so that another model of the same name is told apart."""
    files = sorted(file for file in found.iterdir() if file.suffix in OF_A_MODEL)
    return _digest(tuple((file, file.stat().st_mtime_ns, file.stat().st_size) for file in files))


@lru_cache(maxsize=8)
def _digest(files: tuple[tuple[Path, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for file, _, _ in files:
        with file.open("rb") as stream:
            while piece := stream.read(1 << 20):
                digest.update(piece)
    return digest.hexdigest()[:12]
