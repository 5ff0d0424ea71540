"""Checkpoints of learned metrics, so small that tests make them on the spot: architecture and names as released.

All weights are drawn by NumPy, tensor by tensor in the order of their names, so that they are the same with every
version of PyTorch: other programs' numbers of the very same weights are golden values.
"""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import yaml

HIDDEN, LAYERS, LONGEST = 16, 2, 66
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
WORDS = "the a patient has had no high blood pressure pain since 2010 is short of breath . , doctor cup cat sat on mat"
HPARAMS: dict[str, dict[str, Any]] = {
    "regression": {"class_identifier": "regression_metric", "pool": "avg", "layer_norm": True},
    "referenceless": {"class_identifier": "referenceless_regression_metric", "pool": "cls", "layer_norm": False},
    "multi": {"class_identifier": "regression_metric_multi_ref", "pool": "avg", "layer_norm": True},
    "unified": {"class_identifier": "unified_metric", "input_segments": ["mt", "src"], "layer_norm": False,
                "layer_transformation": "sparsemax", "word_level_training": False},
    "unified_ref": {"class_identifier": "unified_metric", "input_segments": ["mt", "src", "ref"], "layer_norm": True,
                    "layer_transformation": "sparsemax", "word_level_training": False},
    "xcomet": {"class_identifier": "xcomet_metric", "input_segments": ["mt", "src", "ref"], "layer_norm": False,
               "layer_transformation": "sparsemax", "word_layer": 2},
    "salsa": {"class_identifier": "unified_metric", "input_segments": ["edit_simplified", "edit_original"],
              "layer_norm": True, "layer_transformation": "sparsemax", "word_level_training": True, "word_layer": 2,
              "span_targets": ["edit_simplified", "edit_original"], "span_tokens": ["bad"]},
}  # fmt: skip
SEEDS = {"xcomet": 24}  # of weights that mark spans, and give scores below 1
INPUTS = {"regression": 6, "referenceless": 4, "multi": 7}


def estimator(kind: str, folder: Path) -> Path:
    """A checkpoint of COMET or LENS: `encoder.model.*`, `layerwise_attention.*`, `estimator.ff.*`, hyperparameters."""
    tags = {"xcomet": 4, "salsa": 2}.get(kind, 0)
    shapes: dict[str, tuple[int, ...]] = {
        f"layerwise_attention.scalar_parameters.{place}": (1,) for place in range(LAYERS + 1)
    }
    shapes |= {"layerwise_attention.gamma": (1,)}
    sizes = [HIDDEN * INPUTS.get(kind, 1), 12, 8, 1]
    for number, (wide, high) in enumerate(pairwise(sizes)):
        shapes |= {f"estimator.ff.{3 * number}.weight": (high, wide), f"estimator.ff.{3 * number}.bias": (high,)}
    if tags:
        shapes |= {"hidden2tag.weight": (tags, HIDDEN), "hidden2tag.bias": (tags,)}
    _save(folder, "encoder.model.", shapes, pooling=False, more=2 * (kind == "salsa"), seed=SEEDS.get(kind, 1))
    hparams = {
        "hidden_sizes": [12, 8],
        "activations": "Tanh",
        "final_activation": None,
        "dropout": 0.1,
        **HPARAMS[kind],
    }
    (folder / "hparams.yaml").write_text(yaml.safe_dump(hparams))
    return folder


def align_score(folder: Path) -> Path:
    """AlignScore's state: `base_model.*` and its three heads."""
    shapes: dict[str, tuple[int, ...]] = {}
    for head, count in (("tri", 3), ("bin", 2), ("reg", 1)):
        shapes |= {f"{head}_layer.weight": (count, HIDDEN), f"{head}_layer.bias": (count,)}
    _save(folder, "base_model.", shapes, pooling=True)
    return folder


def classifier(folder: Path, labels: dict[int, str]) -> Path:
    """A classifier of transformers over the same encoder; one label makes it a regression."""
    from transformers import XLMRobertaForSequenceClassification

    config = _config(folder)
    config.num_labels, config.id2label = len(labels), labels
    config.label2id = {label: place for place, label in labels.items()}
    model = XLMRobertaForSequenceClassification(config).eval()
    model.load_state_dict(_drawn({name: tuple(of.shape) for name, of in model.state_dict().items()}))
    model.save_pretrained(folder)
    return folder


def convolution(folder: Path) -> Path:
    """SummaC-Conv's two layers."""
    from safetensors.torch import save_file

    shapes = {"mlp.weight": (1, 23), "mlp.bias": (1,), "layer_final.weight": (2, 3), "layer_final.bias": (2,)}
    save_file(_drawn(shapes), folder / "conv.safetensors")
    return folder


def _save(
    folder: Path, prefix: str, shapes: dict[str, tuple[int, ...]], *, pooling: bool, more: int = 0, seed: int = 1
) -> None:
    from safetensors.torch import save_file
    from transformers import XLMRobertaModel

    config = _config(folder, more)
    config.save_pretrained(folder)
    model = XLMRobertaModel(config, add_pooling_layer=pooling)
    own = {f"{prefix}{name}": tuple(of.shape) for name, of in model.state_dict().items() if of.is_floating_point()}
    save_file(_drawn(own | shapes, seed), folder / "model.safetensors")


def _config(folder: Path, more: int = 0) -> Any:
    """The configuration, with the tokenizer saved; `more` tokens than the tokenizer has, as spans' marks are."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, XLMRobertaConfig

    words = [*SPECIAL, *WORDS.split()]
    raw = Tokenizer(models.WordLevel({word: place for place, word in enumerate(words)}, unk_token="<unk>"))
    raw.pre_tokenizer = pre_tokenizers.Whitespace()
    ends = [("<s>", 0), ("</s>", 2)]
    raw.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=ends
    )
    PreTrainedTokenizerFast(
        tokenizer_object=raw, bos_token="<s>", cls_token="<s>", pad_token="<pad>", eos_token="</s>", sep_token="</s>",
        unk_token="<unk>", model_max_length=LONGEST - 2,
    ).save_pretrained(folder)  # fmt: skip
    return XLMRobertaConfig(
        vocab_size=len(words) + more, hidden_size=HIDDEN, num_hidden_layers=LAYERS, num_attention_heads=2,
        intermediate_size=2 * HIDDEN, max_position_embeddings=LONGEST, type_vocab_size=1, pad_token_id=1,
    )  # fmt: skip


def _drawn(shapes: dict[str, tuple[int, ...]], seed: int = 1) -> dict[str, Any]:
    import torch

    draws = np.random.default_rng(seed)
    return {
        name: torch.tensor(draws.normal(0, 0.8, shape), dtype=torch.float32) for name, shape in sorted(shapes.items())
    }
