"""The encoder that BERTScore uses: its folder, its layer, and how a signature names them.

The folder is named by a setting or by `RESTYLE_BERTSCORE_MODEL`. `RESTYLE_BERTSCORE_LAYER` says which layer's
embeddings are compared; without it the one that the authors found best for a model of that name, else the last.
Nothing is fetched.
"""

import os
from pathlib import Path

from evaluation.learned_scorers.encoders import LAYER_VARIABLE, Encoder, load_encoder
from foundation.errors import UserError
from foundation.local_resources import missing_resource_message
from foundation.model_folders import KIND, model_folder, model_name, signature_safe, weights_digest

FOLDER_VARIABLE = "RESTYLE_BERTSCORE_MODEL"
BERTSCORE_MODEL_MISSING = f"BERTScore needs a language model on this machine; name its folder as {FOLDER_VARIABLE}."
BEST_LAYERS = {  # of bert-score's table, by the name of the folder
    "roberta-large": 17, "roberta-base": 10, "bert-base-uncased": 9, "bert-base-cased": 9, "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9, "bert-base-chinese": 8, "distilbert-base-uncased": 5, "distilroberta-base": 5,
    "xlm-roberta-base": 9, "xlm-roberta-large": 17, "scibert-scivocab-uncased": 8, "deberta-xlarge-mnli": 40,
    "deberta-v3-base": 9, "deberta-v3-large": 12,
}  # fmt: skip


def bertscore_folder(name: str = "") -> Path | None:
    """BERTScore's folder; None where none is named, or nothing is there."""
    if name:
        return model_folder(name, "metrics.bertscore.model")
    folder = os.environ.get(FOLDER_VARIABLE, "")
    return Path(folder) if folder and (Path(folder) / "config.json").is_file() else None


def layer_of(folder: Path) -> int | None:
    """The layer that the environment names, or that is known to be the best; None is the last."""
    number = os.environ.get(LAYER_VARIABLE, "")
    if number and not (number.isascii() and number.isdigit()):
        raise UserError("Expected the number of a layer, found {number!r}.", number=number, where=LAYER_VARIABLE)
    return int(number) if number else BEST_LAYERS.get(model_name(folder))


def bertscore_encoder(name: str = "") -> Encoder:
    """The encoder of that name, or of the environment.

    Raises:
        UserError: There is no such model on this machine.
    """
    folder = bertscore_folder(name)
    if folder is None:
        raise UserError(missing_resource_message(KIND, name) if name else BERTSCORE_MODEL_MISSING, where="bertscore")
    return load_encoder(folder, layer_of(folder))


def bertscore_signature(name: str = "") -> str:
    """The model's name, the layer and the beginning of its weights' SHA-256, for a signature."""
    folder = bertscore_folder(name)
    if folder is None:
        return "none"
    layer = layer_of(folder)
    return f"{signature_safe(model_name(folder))}_L{'last' if layer is None else layer}_{weights_digest(folder)}"
