"""JoeyNMT's weights by the names of ours."""

from collections.abc import Iterator, Mapping
from itertools import chain

import numpy as np
import torch
from numpy.typing import NDArray

Weights = Mapping[str, NDArray[np.float32]]
EMBEDDINGS = {"src_embed.lut.weight": "encoder.embed.weight", "trg_embed.lut.weight": "embed.weight"}
OUTPUT = {"decoder.output_layer.weight": "output.weight"}
RECURRENT = {
    **EMBEDDINGS, **OUTPUT,
    **dict(chain.from_iterable(
        ((f"encoder.rnn.{kind}_l0", f"encoder.forwards.0.{kind}_l0"),
         (f"encoder.rnn.{kind}_l0_reverse", f"encoder.backwards.0.{kind}_l0"),
         (f"decoder.rnn.{kind}_l0", f"cell.{kind}"))
        for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))),
    "decoder.bridge_layer.weight": "bridge.weight", "decoder.bridge_layer.bias": "bridge.bias",
    "decoder.att_vector_layer.weight": "combine.weight", "decoder.att_vector_layer.bias": "combine.bias",
    "decoder.attention.key_layer.weight": "key.weight", "decoder.attention.query_layer.weight": "query.weight",
    "decoder.attention.energy_layer.weight": "energy.weight",
}  # fmt: skip
SELF, ACROSS = "self_attn", "multihead_attn"
ATTENTION = {"encoder": {"src_src_att": SELF}, "decoder": {"trg_trg_att": SELF, "src_trg_att": ACROSS}}
LAYER = {
    "encoder": {
        "layer_norm": "norm1", "feed_forward.layer_norm": "norm2",
        "feed_forward.pwff_layer.0": "linear1", "feed_forward.pwff_layer.3": "linear2",
    },
    "decoder": {
        "x_layer_norm": "norm1", "dec_layer_norm": "norm2", "feed_forward.layer_norm": "norm3",
        "feed_forward.pwff_layer.0": "linear1", "feed_forward.pwff_layer.3": "linear2",
    },
}  # fmt: skip


def weights_of(given: Weights, about) -> dict[str, torch.Tensor]:
    """The state of our network that `about` describes; padding stands after the unknown word in theirs."""
    order = [1, 0, *range(2, about["words"] + 4)]
    named = _recurrent(given) if about["network"] == "Seq2Seq" else _transformer(given, about["layers"])
    return {
        name: torch.from_numpy(one[order] if len(one) == len(order) else one) for name, one in named
    }  # fmt: skip


def _recurrent(given: Weights) -> Iterator[tuple[str, NDArray[np.float32]]]:
    for theirs, ours in RECURRENT.items():
        yield ours, given[theirs]


def _transformer(given: Weights, layers: int) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Queries, keys and values are one matrix in ours."""
    for theirs, ours in {**EMBEDDINGS, **OUTPUT}.items():
        yield ours, given[theirs]
    for side in ("encoder", "decoder"):
        for layer, kind in (
            (f"{side}.layers.{number}", kind) for number in range(layers) for kind in ("weight", "bias")
        ):
            for theirs, ours in LAYER[side].items():
                yield f"{layer}.{ours}.{kind}", given[f"{layer}.{theirs}.{kind}"]
            for theirs, ours in ATTENTION[side].items():
                parts = [given[f"{layer}.{theirs}.{part}_layer.{kind}"] for part in "qkv"]
                yield f"{layer}.{ours}.in_proj_{kind}", np.concatenate(parts)
                yield f"{layer}.{ours}.out_proj.{kind}", given[f"{layer}.{theirs}.output_layer.{kind}"]
