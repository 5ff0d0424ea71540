"""Our side of the figures of networks, in a process of its own: `python -m tools.bench.network_side FOLDER`."""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from modelserving.nets.beam_search import beam_search, length_batches
from modelserving.nets.recurrent import AttentionNetwork, Shape
from modelserving.nets.transformer import Transformer, TransformerSizes
from modelserving.training import tokenized_dataset
from modelserving.training.batches import Batch, PairBatches, pad
from modelserving.training.callbacks import Callbacks
from modelserving.training.recipe import BeamSearchOptions, TrainingRecipe
from modelserving.training.trainer import Trainer

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


END = 3


def main(folder: Path) -> None:
    about = json.loads((folder / "about.json").read_text())
    torch.set_num_threads(about["threads"])
    torch.manual_seed(1)
    net = _network(about)
    rows = {name: _rows(folder / name) for name in ("train.src", "train.trg", "dev.src", "dev.trg")}
    if (folder / "weights.npz").exists():
        given = np.load(folder / "weights.npz", allow_pickle=False)
        net.load_state_dict(weights_of(given, about))
        _same_loss(net, rows, about["batch"], float(json.loads((folder / "loss.json").read_text())))
    sides = [tokenized_dataset.write(folder / f"{name}.ids", rows[name]) for name in ("train.src", "train.trg")]
    batches = PairBatches(sides[0], sides[1], about["batch"], seed=1)
    callbacks = Callbacks(Path(tempfile.mkdtemp(dir=folder)))
    callbacks.keep = lambda what, write: None  # type: ignore[method-assign]  # its time is not training's
    trainer = Trainer(net, batches, TrainingRecipe(epochs=1), callbacks, save=lambda folder: None)
    found = {"trained": _took(trainer.run)}
    for count in about["together"]:
        found[count] = _took(lambda texts=rows["dev.src"][:count]: _rewrite(net, texts, about))
    sys.stdout.write(json.dumps(found) + "\n")


def _network(about):
    words, hidden = about["words"] + 4, about["hidden"]
    if about["network"] == "Seq2Seq":
        return AttentionNetwork(Shape(words, words, about["embedding"], hidden))
    sizes = hidden, about["layers"], about["heads"], about["feedforward"], 0.0
    return Transformer(TransformerSizes(words, words, *sizes, shared=True, tied=True))


def _took(work: Callable[[], object]) -> list[float]:
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return [time.perf_counter() - wall, time.process_time() - processor]


def _rows(path: Path) -> list[list[int]]:
    """JoeyNMT reads END after a source: so do we here."""
    end = [END] if path.suffix == ".src" else []
    return [[int(word[1:]) + 4 for word in line.split()] + end for line in path.read_text().splitlines()]


def _rewrite(net, rows: list[list[int]], about) -> list[list[int]]:
    """The ids of each text, of the bench's one length."""

    class OneLength(BeamSearchOptions):
        def limit(self, words: int) -> int:
            steps: int = about["steps"]
            return steps

    step, options = net.step, OneLength(beam=about["beam"])
    net.step = lambda memory, state, last: _unending(step(memory, state, last))
    net.eval()
    found = {}
    for places in length_batches([len(row) for row in rows], len(rows), 10**9):
        batch = Batch(*pad([rows[i] for i in places]))
        found |= {int(i): one.ids for i, one in zip(places, beam_search(net, batch, options), strict=True)}
    net.step = step
    return [found[i] for i in range(len(rows))]


def _unending(step):
    step.scores[:, END] = -1e4  # never among the best; at the last place there is nothing else
    return step


def _same_loss(net, rows, size: int, theirs: float) -> None:
    """A ValueError where our loss of the first texts is another than JoeyNMT's."""
    batch = Batch(*pad(rows["dev.src"][:size]), *pad(rows["dev.trg"][:size], end=True))
    with torch.inference_mode():
        ours = float(net.eval().losses(batch)[0].total)
    if abs(ours - theirs) > 1e-4 * theirs:
        raise ValueError(f"Our loss is {ours}, JoeyNMT's {theirs}.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
