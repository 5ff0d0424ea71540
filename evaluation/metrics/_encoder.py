"""The encoder of BERTScore: a transformers model in a folder of this machine, and its embeddings of tokens.

The folder is named by `RESTYLE_BERTSCORE_MODEL`. `RESTYLE_BERTSCORE_LAYER` says which layer's embeddings are compared;
without it the one that the authors found best for a model of that name, else the last. Nothing is fetched.
"""

import hashlib
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foundation.errors import UserError

FOLDER, LAYER = "RESTYLE_BERTSCORE_MODEL", "RESTYLE_BERTSCORE_LAYER"
LACKING = f"BERTScore needs a language model on this machine; name its folder as {FOLDER}."
BEST = {  # of bert-score's table, by the name of the folder
    "roberta-large": 17, "roberta-base": 10, "bert-base-uncased": 9, "bert-base-cased": 9, "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9, "bert-base-chinese": 8, "distilbert-base-uncased": 5, "distilroberta-base": 5,
    "xlm-roberta-base": 9, "xlm-roberta-large": 17, "scibert-scivocab-uncased": 8, "deberta-xlarge-mnli": 40,
    "deberta-v3-base": 9, "deberta-v3-large": 12,
}  # fmt: skip
BATCH = 32
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
        asked = self.tokenizer.model_max_length
        bound = getattr(config, "max_position_embeddings", LONGEST)
        self.longest = int(min(asked, bound)) if asked < 1_000_000 else int(bound)

    def embed(self, texts: Sequence[str]) -> dict[str, Embedded]:
        """The tokens of each text and their vectors; the same text once."""
        encoded = {text: self._tokens(text) for text in texts}
        order = sorted(encoded, key=lambda text: len(encoded[text]))  # little padding
        found: dict[str, Embedded] = {}
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            found.update(zip(part, self._embed([encoded[text] for text in part]), strict=True))
        return found

    def _tokens(self, text: str) -> list[int]:
        tokens: list[int] = self.tokenizer.encode(text.strip(), truncation=True, max_length=self.longest)
        return tokens

    def _embed(self, encoded: Sequence[list[int]]) -> list[Embedded]:
        import torch

        width = max(map(len, encoded))
        pad = self.tokenizer.pad_token_id or 0
        ids = torch.tensor([tokens + [pad] * (width - len(tokens)) for tokens in encoded])
        mask = torch.tensor([[1] * len(tokens) + [0] * (width - len(tokens)) for tokens in encoded])
        with torch.inference_mode():
            states = self.model(ids, attention_mask=mask, output_hidden_states=True).hidden_states[self.layer]
            unit = torch.nn.functional.normalize(states, dim=-1).float().numpy()
        special = {self.tokenizer.cls_token_id, self.tokenizer.sep_token_id}
        return [
            Embedded(tokens, row[: len(tokens)], np.array([token in special for token in tokens], dtype=bool))
            for tokens, row in zip(encoded, unit, strict=True)
        ]


def folder() -> Path | None:
    """The model's folder; None where none is named, or nothing is there."""
    named = os.environ.get(FOLDER, "")
    return Path(named) if named and (Path(named) / "config.json").is_file() else None


def layer_of(found: Path) -> int | None:
    """The layer that the environment names, or that is known to be the best; None is the last."""
    named = os.environ.get(LAYER, "")
    if named and not (named.isascii() and named.isdigit()):
        raise UserError(f"Expected the number of a layer, found {named!r}.", where=LAYER)
    return int(named) if named else BEST.get(found.name)


def encoder() -> Encoder:
    found = folder()
    if found is None:
        raise UserError(LACKING, where="bertscore")
    return _loaded(found, layer_of(found))


@lru_cache(maxsize=1)
def _loaded(found: Path, layer: int | None) -> Encoder:
    return Encoder(found, layer)


def named() -> str:
    """The model's name, the layer and the beginning of its weights' SHA-256, for a signature."""
    found = folder()
    if found is None:
        return "none"
    layer = layer_of(found)
    return f"{found.name.replace('|', '-').replace(':', '-')}_L{'last' if layer is None else layer}_{_digest(found)}"


@lru_cache(maxsize=4)
def _digest(found: Path) -> str:
    """Of all weights and the configuration, so that another model of the same name is told apart."""
    digest = hashlib.sha256()
    for file in sorted([*found.glob("*.safetensors"), found / "config.json"]):
        with file.open("rb") as stream:
            while piece := stream.read(1 << 20):
                digest.update(piece)
    return digest.hexdigest()[:12]
