"""JoeyNMT's side of the figures of networks, run by the Python that has JoeyNMT: `python joeynmt_side.py FOLDER`.

It trains by JoeyNMT's own trainer on the folder's texts, rewrites by its own search, and leaves its weights and a loss
in the folder, for the other side to have the same. The last line printed is JSON.
"""

import copy
import json
import sys
import time
from pathlib import Path

import numpy as np
import torch
from joeynmt.config import parse_global_args
from joeynmt.prediction import predict, prepare
from joeynmt.training import TrainManager


def main(folder: Path) -> None:
    about = json.loads((folder / "about.json").read_text())
    torch.set_num_threads(about["threads"])
    args = parse_global_args(_config(folder, about), rank=0, mode="train")
    model, train, dev, _ = prepare(args, rank=0, mode="train")
    _leave(folder, model, dev, about)
    trainer = TrainManager(
        model=model, model_dir=args.model_dir, device=args.device, n_gpu=0, rank=0, num_workers=0,
        autocast=args.autocast, seed=1, train_args=args.train, dev_args=args.test,
    )  # fmt: skip
    trainer._save_checkpoint = lambda *_: None  # its time is not training's
    begun = time.perf_counter(), time.process_time()
    trainer.train_and_validate(train_data=train, valid_data=dev)
    trained = time.perf_counter() - begun[0], time.process_time() - begun[1]
    found = {"trained": trained}
    for count in about["together"]:
        begun = time.perf_counter(), time.process_time()
        test = args.test._replace(batch_size=count)
        predict(model, _first(dev, count), args.device, 0, args=test, autocast=args.autocast)
        found[count] = time.perf_counter() - begun[0], time.process_time() - begun[1]
    sys.stdout.write("\n" + json.dumps(found) + "\n")


def _first(data, count: int):
    """The first texts of a set of texts."""
    part = copy.copy(data)
    part.data = {side: texts[:count] for side, texts in data.data.items()}
    part.indices = list(range(count))
    return part


def _leave(folder: Path, model, data, about) -> None:
    """The weights as they begin, and the loss that they give on the first batch of the texts to rewrite."""
    np.savez(folder / "weights.npz", **{name: one.numpy() for name, one in model.state_dict().items()})
    batch = next(iter(data.make_iter(
        batch_size=about["batch"], eos_index=model.eos_index, pad_index=model.pad_index, device=torch.device("cpu"),
    )))  # fmt: skip
    batch.sort_by_src_length()
    model.eval()
    with torch.no_grad():
        loss, *_ = model(return_type="loss", **vars(batch))
    (folder / "loss.json").write_text(json.dumps(float(loss)))


def _config(folder: Path, about) -> dict:
    (folder / "joeynmt").mkdir(exist_ok=True)
    sides = {
        side: {"lang": side, "level": "word", "max_length": 1000, "voc_file": str(folder / "voc.txt")}
        for side in ("src", "trg")
    }
    return {
        "name": "bench", "model_dir": str(folder / "joeynmt"), "use_cuda": False, "random_seed": 1,
        "data": {
            "train": str(folder / "train"), "dev": str(folder / "dev"), "dataset_type": "plain", **sides,
        },
        "training": {
            "optimizer": "adam", "learning_rate": 0.001, "learning_rate_min": 1e-9, "clip_grad_norm": 5.0,
            "batch_size": about["batch"], "normalization": "tokens", "epochs": 1, "validation_freq": 10**9,
            "logging_freq": 10, "scheduling": "decaying", "decrease_factor": 1.0,
        },
        "testing": {
            "beam_size": about["beam"], "beam_alpha": 0.0, "batch_size": max(about["together"]),
            "min_output_length": about["steps"], "max_output_length": about["steps"],
        },
        "model": _recurrent(about) if about["network"] == "Seq2Seq" else _transformer(about),
    }  # fmt: skip


def _recurrent(about) -> dict:
    side = {
        "type": "recurrent", "rnn_type": "lstm", "embeddings": {"embedding_dim": about["embedding"]},
        "hidden_size": about["hidden"], "num_layers": 1, "dropout": 0.0, "hidden_dropout": 0.0,
    }  # fmt: skip
    return {
        "encoder": {**side, "bidirectional": True},
        "decoder": {**side, "init_hidden": "bridge", "attention": "bahdanau", "input_feeding": True},
    }


def _transformer(about) -> dict:
    side = {
        "type": "transformer", "num_layers": about["layers"], "num_heads": about["heads"], "layer_norm": "post",
        "embeddings": {"embedding_dim": about["hidden"], "scale": True, "dropout": 0.0},
        "hidden_size": about["hidden"], "ff_size": about["feedforward"], "dropout": 0.0,
    }  # fmt: skip
    return {"encoder": side, "decoder": side, "tied_embeddings": True, "tied_softmax": True}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
