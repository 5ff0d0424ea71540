"""The figures of networks: Seq2Seq trained and rewriting, beside JoeyNMT with the same architecture, texts and threads.

JoeyNMT has a Python of its own, which RESTYLE_JOEYNMT names. Our side begins with its weights, and the bench fails
where they give another loss. All texts are written to one length by a beam of five, for both to have the same to do.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import numpy as np

from bench.clock import Took

WORDS, PAIRS, TEXTS, STEPS = 8_000, 900, 64, 21
ABOUT = {
    "hidden": 256, "embedding": 256, "batch": 30, "beam": 5, "threads": 2, "steps": STEPS, "together": 64,
}  # fmt: skip
INSTALL = "DIR/bin/pip install joeynmt importlib_metadata torch==2.13.0, then RESTYLE_JOEYNMT=DIR/bin/python"
SIDE = Path(__file__).with_name("joeynmt_side.py")


def training() -> dict[str, Took | None]:
    """Each figure by its words; JoeyNMT's are None where it is not installed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = _write_texts(folder)
        python = os.environ.get("RESTYLE_JOEYNMT", "")
        theirs = _run([python, "-I", str(SIDE), name]) if python else None
        ours = _run([sys.executable, "-m", "bench.training_figures", name])
    learnt, written = f"Seq2Seq, {words:,} target words learnt", f"{TEXTS} texts by a beam of 5, {STEPS} words each"
    found: dict[str, Took | None] = {
        _rate(learnt, "words", words, ours["trained"]): Took(*ours["trained"]),
        _rate(written, "texts", TEXTS, ours["written"]): Took(*ours["written"]),
    }
    if theirs is None:
        return found | {f"JoeyNMT: absent ({INSTALL})": None}
    return found | {
        _rate(f"{learnt}, by JoeyNMT", "words", words, theirs["trained"]): Took(*theirs["trained"]),
        _rate(f"{written}, by JoeyNMT", "texts", TEXTS, theirs["written"]): Took(*theirs["written"]),
    }


def _rate(words: str, unit: str, count: int, took: list[float]) -> str:
    return f"{words}: {count / took[0]:,.0f} {unit} a second"


def _run(command: list[str]) -> dict[str, list[float]]:
    threads = str(ABOUT["threads"])
    environment = {**os.environ, "OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)  # noqa: S603
    if done.returncode:
        sys.stderr.write(done.stderr)
        done.check_returncode()
    found: dict[str, list[float]] = json.loads(done.stdout.strip().rpartition("\n")[2])
    return found


def _write_texts(folder: Path) -> int:
    """Made texts of 4 to 45 words, 20 on average, whose words' frequencies fall as their ranks rise (Zipf)."""
    chance = np.random.default_rng(1)
    likely = 1 / np.arange(1, WORDS + 1)
    names = np.array([f"w{number}" for number in range(WORDS)])
    learnt = 0
    for part, count in (("train", PAIRS), ("dev", TEXTS)):
        for side in ("src", "trg"):
            lengths = np.clip(np.rint(chance.gamma(5, 4, count)), 4, 45).astype(int)
            texts = [" ".join(names[chance.choice(WORDS, size, p=likely / likely.sum())]) for size in lengths]
            (folder / f"{part}.{side}").write_text("\n".join(texts) + "\n")
            learnt += int(lengths.sum() + count) if (part, side) == ("train", "trg") else 0
    (folder / "voc.txt").write_text("\n".join(names) + "\n")
    (folder / "about.json").write_text(json.dumps(ABOUT))
    return learnt


# Our side, in a process of its own.


def main(folder: Path) -> None:
    import torch

    from modelserving.nets.recurrent import AttentionNetwork, Shape
    from modelserving.training import tokenized_dataset
    from modelserving.training.batches import PairBatches
    from modelserving.training.callbacks import Callbacks
    from modelserving.training.recipe import TrainingRecipe
    from modelserving.training.trainer import Trainer

    torch.set_num_threads(json.loads((folder / "about.json").read_text())["threads"])
    torch.manual_seed(1)
    net = AttentionNetwork(Shape(WORDS + 4, WORDS + 4, ABOUT["embedding"], ABOUT["hidden"]))
    rows = {name: _rows(folder / name) for name in ("train.src", "train.trg", "dev.src", "dev.trg")}
    if (folder / "weights.npz").exists():
        _take(net, folder)
        _same_loss(net, rows, float(json.loads((folder / "loss.json").read_text())))
    sides = [tokenized_dataset.write(folder / f"{name}.ids", rows[name]) for name in ("train.src", "train.trg")]
    batches = PairBatches(sides[0], sides[1], ABOUT["batch"], seed=1)
    callbacks = Callbacks(folder / "run")
    callbacks.keep = lambda what, write: None  # type: ignore[method-assign]  # its time is not training's
    trainer = Trainer(net, batches, TrainingRecipe(epochs=1), callbacks, save=lambda folder: None)
    trained, written = _took(trainer.run), _took(lambda: _rewrite(net, rows["dev.src"]))
    sys.stdout.write(json.dumps({"trained": trained, "written": written}) + "\n")


def _took(work: Callable[[], object]) -> list[float]:
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return [time.perf_counter() - wall, time.process_time() - processor]


def _rows(path: Path) -> list[list[int]]:
    """JoeyNMT reads END after a source: so do we here."""
    end = [3] if path.suffix == ".src" else []
    return [[int(word[1:]) + 4 for word in line.split()] + end for line in path.read_text().splitlines()]


def _rewrite(net, rows: list[list[int]]) -> list[list[int]]:
    """The ids of each text, of the bench's one length."""
    from modelserving.nets.beam_search import beam_search, length_batches
    from modelserving.training.batches import Batch, pad
    from modelserving.training.decoding import BeamSearchOptions

    class OneLength(BeamSearchOptions):
        def limit(self, words: int) -> int:
            return STEPS

    step, options = net.step, OneLength(beam=ABOUT["beam"])
    net.step = lambda memory, state, last: _unending(step(memory, state, last))
    found = {}
    for places in length_batches([len(row) for row in rows], ABOUT["together"], 10**9):
        batch = Batch(*pad([rows[i] for i in places]))
        found |= {int(i): one.ids for i, one in zip(places, beam_search(net, batch, options), strict=True)}
    net.step = step
    return [found[i] for i in range(len(rows))]


def _unending(step):
    step.scores[:, 3] = -1e4  # never among the best; at the last place there is nothing else
    return step


def _take(net, folder: Path) -> None:
    """JoeyNMT's weights, by its names."""
    import torch

    given = np.load(folder / "weights.npz", allow_pickle=False)
    names = {
        "src_embed.lut.weight": "encoder.embed.weight", "trg_embed.lut.weight": "embed.weight",
        **dict(chain.from_iterable(
            ((f"encoder.rnn.{kind}_l0", f"encoder.forwards.0.{kind}_l0"),
             (f"encoder.rnn.{kind}_l0_reverse", f"encoder.backwards.0.{kind}_l0"),
             (f"decoder.rnn.{kind}_l0", f"cell.{kind}"))
            for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))),
        "decoder.bridge_layer.weight": "bridge.weight", "decoder.bridge_layer.bias": "bridge.bias",
        "decoder.att_vector_layer.weight": "combine.weight", "decoder.att_vector_layer.bias": "combine.bias",
        "decoder.attention.key_layer.weight": "key.weight", "decoder.attention.query_layer.weight": "query.weight",
        "decoder.attention.energy_layer.weight": "energy.weight", "decoder.output_layer.weight": "output.weight",
    }  # fmt: skip
    order = [1, 0, *range(2, WORDS + 4)]  # padding stands after the unknown word there
    net.load_state_dict({
        names[name]: torch.from_numpy(given[name][order] if len(given[name]) == len(order) else given[name])
        for name in given.files
    })  # fmt: skip


def _same_loss(net, rows, theirs: float) -> None:
    """A ValueError where our loss of the first texts is another than JoeyNMT's."""
    import torch

    from modelserving.training.batches import Batch, pad

    size = ABOUT["batch"]
    batch = Batch(*pad(rows["dev.src"][:size]), *pad(rows["dev.trg"][:size], end=True))
    with torch.inference_mode():
        ours = float(net.eval().losses(batch)[0].total)
    if abs(ours - theirs) > 1e-4 * theirs:
        raise ValueError(f"Our loss is {ours}, JoeyNMT's {theirs}.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
