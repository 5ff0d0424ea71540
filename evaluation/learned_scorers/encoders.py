"""Encoders: transformers models in folders of this machine, and their embeddings of tokens and of texts."""

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.learned_scorers.words import Window, all_tokens, windows
from foundation.base_folder import check_sizes
from foundation.errors import UserError

LAYER_VARIABLE = "RESTYLE_BERTSCORE_LAYER"
WITH_PREFIX = {"roberta", "gpt2"}  # whose first word is encoded as one inside a sentence
DENSE = "model.safetensors"
ACTIVATIONS = {"Tanh": np.tanh, "Identity": lambda values: values}
OTHER_DENSE = "The layer {layer} has the activation {activation}, or no {file}: expected Tanh or none, and safetensors."
LONGEST = 512  # tokens, where the tokenizer names no bound that a model could have


class Embedded(NamedTuple):
    """A text's tokens (n,) with the special ones, their vectors (n, width) of length 1, and which are special (n,)."""

    tokens: list[int]
    vectors: NDArray[np.float32]
    special: NDArray[np.bool_]


class Encoder:
    """A model and the layer that is compared."""

    def __init__(self, folder: Path, layer: int | None) -> None:
        check_sizes(folder)
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
            raise UserError("This model has the layers 0 to {layers}.", layers=self.layers, where=LAYER_VARIABLE)
        self.longest = longest(self.tokenizer, config)
        self.dense = dense_of(folder)

    def embed(self, texts: Sequence[str]) -> dict[str, Embedded]:
        """The tokens of each text and their vectors.

        Each text goes through the model by itself: in a batch its last digits would depend on the lengths of the
        others, and two systems that wrote the same would not be tied.

        Args:
            texts: The texts; equal ones are embedded once.

        Returns:
            By text its n tokens and their vectors (n, width).
        """
        return {text: self._embed(all_tokens(self.tokenizer, text)) for text in dict.fromkeys(texts)}

    def too_long(self, text: str) -> bool:
        """Whether a text has more tokens than the model reads at once."""
        return len(all_tokens(self.tokenizer, text)) > self.longest

    def pooled(self, texts: Sequence[str], how: str) -> NDArray[np.float32]:
        """A vector for each text, after the folder's dense layers, if it has any (as LaBSE's).

        Args:
            texts: The n texts.
            how: "cls" for the first token's state, of several windows the mean; else the mean of the tokens' states.

        Returns:
            float32 (n, width).
        """
        vectors = [self._pooled(all_tokens(self.tokenizer, text), how) for text in texts]
        for layer in self.dense:
            vectors = [layer(vector) for vector in vectors]
        return np.stack(vectors)

    def _pooled(self, tokens: list[int], how: str) -> NDArray[np.float32]:
        states = [(self._states(window.tokens).float().numpy(), window) for window in self._windows(tokens)]
        parts = [state[:1] if how == "cls" else state[window.first : window.last] for state, window in states]
        mean: NDArray[np.float32] = parts[0].mean(axis=0) if len(parts) == 1 else np.concatenate(parts).mean(axis=0)
        return mean

    def _embed(self, tokens: list[int]) -> Embedded:
        import torch

        parts = [self._states(window.tokens)[window.first : window.last] for window in self._windows(tokens)]
        unit = torch.nn.functional.normalize(torch.cat(parts), dim=-1).float().numpy()
        special = {self.tokenizer.cls_token_id, self.tokenizer.sep_token_id}
        return Embedded(tokens, unit, np.array([token in special for token in tokens], dtype=bool))

    def _windows(self, tokens: list[int]) -> list[Window]:
        """A single empty one for an empty text of a tokenizer without special tokens."""
        special = set(self.tokenizer.all_special_ids) - {self.tokenizer.unk_token_id}
        return [window._replace(last=window.last or 1) for window in windows(tokens, special, self.longest)]

    def _states(self, tokens: list[int]) -> Any:
        """The layer's states of one text, (tokens, width)."""
        import torch

        ids = torch.tensor([tokens or [self.tokenizer.pad_token_id or 0]])  # of nothing there are no states
        with torch.inference_mode():
            output = self.model(ids, attention_mask=torch.ones_like(ids), output_hidden_states=True)
        return output.hidden_states[self.layer][0]


def longest(tokenizer: Any, config: Any) -> int:
    """The model's limit in tokens; since transformers 5 a tokenizer without a limit names a huge number."""
    asked = tokenizer.model_max_length
    known: Any = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None) or LONGEST
    bound = int(known)
    if getattr(config, "model_type", "") in {"roberta", "xlm-roberta", "camembert"}:
        bound -= 2  # whose positions begin behind that of the padding
    return int(min(asked, bound)) if asked < 1_000_000 else bound


@lru_cache(maxsize=1)
def load_encoder(folder: Path, layer: int | None) -> Encoder:
    """The encoder of a folder; the last one stays in memory.

    Args:
        folder: Where model, configuration and tokenizer lie.
        layer: The layer whose states are compared, 0 being the embeddings; None for the last.
    """
    return Encoder(folder, layer)


def pooling_of(folder: Path) -> str:
    """Is "cls" where the folder is one of sentence-transformers that says so, else "mean"."""
    place = folder / "1_Pooling" / "config.json"
    about = json.loads(place.read_text(encoding="utf-8")) if place.is_file() else {}
    return "cls" if about.get("pooling_mode_cls_token") or about.get("pooling_mode") == "cls" else "mean"


def dense_of(folder: Path) -> list[Callable[[NDArray[np.float32]], NDArray[np.float32]]]:
    """The dense layers of a folder of sentence-transformers, in order: `2_Dense` and so on.

    Raises:
        UserError: One has another activation than Tanh or none, or no weights as safetensors.
    """
    layers = []
    for place in sorted(folder.glob("[0-9]_Dense"), key=lambda path: path.name):
        about = json.loads((place / "config.json").read_text(encoding="utf-8"))
        activation = str(about.get("activation_function", "Identity")).rpartition(".")[2]
        if activation not in ACTIVATIONS or not (place / DENSE).is_file():
            raise UserError(OTHER_DENSE, layer=place.name, activation=activation, file=DENSE, where=folder.name)
        layers.append(_layer(place / DENSE, ACTIVATIONS[activation]))
    return layers


def _layer(file: Path, activation: Any) -> Callable[[NDArray[np.float32]], NDArray[np.float32]]:
    from safetensors.numpy import load_file

    state = load_file(file)
    weight, bias = state["linear.weight"], state.get("linear.bias", np.float32(0))
    return lambda vector: np.asarray(activation(weight @ vector + bias), dtype=np.float32)
