"""Our side of the figures of networks, in a process of its own: `python -m bench.network_side FOLDER`."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from bench.joeynmt_weights import weights_of
from modelserving.nets.beam_search import beam_search, length_batches
from modelserving.nets.recurrent import AttentionNetwork, Shape
from modelserving.nets.transformer import Transformer, TransformerSizes
from modelserving.training import tokenized_dataset
from modelserving.training.batches import Batch, PairBatches, pad
from modelserving.training.callbacks import Callbacks
from modelserving.training.decoding import BeamSearchOptions
from modelserving.training.recipe import TrainingRecipe
from modelserving.training.trainer import Trainer

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
    callbacks = Callbacks(folder / "run")
    callbacks.keep = lambda what, write: None  # type: ignore[method-assign]  # its time is not training's
    trainer = Trainer(net, batches, TrainingRecipe(epochs=1), callbacks, save=lambda folder: None)
    trained, written = _took(trainer.run), _took(lambda: _rewrite(net, rows["dev.src"], about))
    sys.stdout.write(json.dumps({"trained": trained, "written": written}) + "\n")


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
    for places in length_batches([len(row) for row in rows], about["together"], 10**9):
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
