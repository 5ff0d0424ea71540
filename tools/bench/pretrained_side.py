"""One side of the figures of the pretrained road, in a process of its own: `bench.pretrained_side SIDE FOLDER`.

The last line printed is JSON: seconds on the clock and of the processor between the first updates and the last, the
peak of memory in MiB, and the loss at the end.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from tools.bench.pretrained_figures import OURS, THREADS

WORDS, LENGTH, PAIRS, BATCH, FIRST, UPDATES, RATE = 4_000, 40, 512, 8, 4, 64, 1e-3
SIZES = {"d_model": 128, "d_kv": 32, "d_ff": 512, "num_layers": 3, "num_heads": 4}


def main(side: str, folder: Path) -> None:
    import torch
    from transformers.utils import logging

    logging.disable_progress_bar()
    torch.set_num_threads(THREADS)
    if side == "make":
        _make(folder)
        return
    clock = Clock()
    loss, numbers = (_ours if side == OURS else _plain)(folder, clock)
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    found = {
        "took": clock.took, "peak": int(peak.split()[1]) / 1024, "loss": loss, "numbers": numbers,
        "updates": UPDATES - FIRST, "tokens": (UPDATES - FIRST) * BATCH * (LENGTH + 1),
    }  # fmt: skip
    sys.stdout.write("\n" + json.dumps(found) + "\n")


class Clock:
    """Runs from the update FIRST to the end of the last."""

    def __init__(self) -> None:
        self._begun = (0.0, 0.0)
        self.took = (0.0, 0.0)

    def at(self, update: int) -> None:
        now = time.perf_counter(), time.process_time()
        if update == FIRST:
            self._begun = now
        if update == UPDATES:
            self.took = now[0] - self._begun[0], now[1] - self._begun[1]


def _make(folder: Path) -> None:
    """A T5 of words, and texts of one length: no batch has padding, in whatever order it comes."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    names = ["<pad>", "</s>", "<unk>", *(f"w{number}" for number in range(WORDS))]
    named = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    listed = {name: place for place, name in enumerate(names)}
    whole = Tokenizer(models.WordLevel(listed, unk_token=named["unk_token"]))
    whole.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    whole.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    fast: Any = PreTrainedTokenizerFast
    fast(tokenizer_object=whole, **named).save_pretrained(folder / "t5")
    torch.manual_seed(1)
    config: Any = T5Config
    ids = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0, "dropout_rate": 0.0}
    T5ForConditionalGeneration(config(vocab_size=len(names), **SIZES, **ids)).save_pretrained(folder / "t5")
    chance, likely = np.random.default_rng(1), 1 / np.arange(1, WORDS + 1)
    for side in ("source", "target"):
        rows = chance.choice(WORDS, (PAIRS, LENGTH), p=likely / likely.sum())
        (folder / f"{side}.txt").write_text("".join(" ".join(f"w{word}" for word in row) + "\n" for row in rows))


def _texts(folder: Path, side: str) -> list[str]:
    return (folder / f"{side}.txt").read_text().splitlines()


def _ours(folder: Path, clock: Clock) -> tuple[float, int]:
    from foundation.options import validate_options
    from modelserving.training.callbacks import Callbacks
    from modelserving.training.dataset import Pairs, TrainingData
    from modelserving.transfer import TRANSFERS

    losses: list[float] = []

    class Timed(Callbacks):
        def at(self, done: int, total: int) -> None:
            clock.at(done)

        def point(self, curve: str, step: int, value: float) -> None:
            losses.extend([value] if curve == "loss" else [])
            clock.at(step)

        def keep(self, what: Any, write: Any) -> None:
            """Do nothing: states are kept on a disk, and Trainer is told to keep nothing here."""

    run = folder / "run"
    run.mkdir(exist_ok=True)
    for old in sorted(run.rglob("*"), reverse=True):
        old.rmdir() if old.is_dir() else old.unlink()
    given = {"folder": "t5", "prefix": "", "batch": BATCH, "epochs": UPDATES * BATCH // PAIRS, "rate": RATE}
    kind = TRANSFERS["t5"]
    data = TrainingData("a", "b", train=Pairs(_texts(folder, "source"), _texts(folder, "target")))
    model: Any = kind.fit(data, validate_options(kind.Options, given), Timed(run))
    return losses[-1], sum(one.numel() for one in model.net.parameters())


def _plain(folder: Path, clock: Clock) -> tuple[float, int]:
    from transformers import (
        AutoTokenizer,
        DataCollatorForSeq2Seq,
        Seq2SeqTrainer,
        Seq2SeqTrainingArguments,
        T5ForConditionalGeneration,
        TrainerCallback,
    )

    class Timed(TrainerCallback):
        def on_step_begin(self, args: Any, state: Any, control: Any, **others: Any) -> None:
            clock.at(state.global_step)

        def on_step_end(self, args: Any, state: Any, control: Any, **others: Any) -> None:
            clock.at(state.global_step)

    net: Any = T5ForConditionalGeneration.from_pretrained(folder / "t5", local_files_only=True)
    tokenizer: Any = AutoTokenizer.from_pretrained(folder / "t5", local_files_only=True)
    read, written = (tokenizer(_texts(folder, side))["input_ids"] for side in ("source", "target"))
    rows = [{"input_ids": ids, "labels": labels} for ids, labels in zip(read, written, strict=True)]
    arguments = Seq2SeqTrainingArguments(
        output_dir=str(folder / "plain"), per_device_train_batch_size=BATCH, num_train_epochs=UPDATES * BATCH // PAIRS,
        learning_rate=RATE, use_cpu=True, save_strategy="no", logging_steps=20, report_to=[], disable_tqdm=True,
    )  # fmt: skip
    collate = DataCollatorForSeq2Seq(tokenizer, net)
    trainer: Any = Seq2SeqTrainer(
        model=net, args=arguments, train_dataset=rows, data_collator=collate, callbacks=[Timed()]
    )
    trainer.train()
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    return float(losses[-1]), sum(one.numel() for one in net.parameters())


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
