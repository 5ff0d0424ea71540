"""The figures of the pretrained road: a T5 trained by the entry `t5`, and by transformers' own Seq2SeqTrainer.

Both train the same weights, made on the spot, on the same texts of one length, each in a process of its own. The
bench fails where they come to another loss.
"""

import json
import os
import subprocess
import sys
import tempfile

from tools.bench.clock import Took

THREADS, TURNS = 1, 2  # two threads that wait for each other on a busy machine would be counted
OURS, PLAIN = "the entry t5", "transformers' Seq2SeqTrainer"
CLOSE = 0.05  # of the losses at the end, whose batches come in other orders


def pretrained() -> dict[str, Took | None]:
    """Each figure by its words: the quickest of the turns, by the processor."""
    with tempfile.TemporaryDirectory() as name:
        _run("make", name)
        found = {side: [_run(side, name) for _ in range(TURNS)] for side in (OURS, PLAIN)}
    best = {side: min(turns, key=lambda turn: turn["took"][1]) for side, turns in found.items()}
    ours, plain = best[OURS], best[PLAIN]
    if abs(ours["loss"] - plain["loss"]) > CLOSE * plain["loss"]:
        raise ValueError(f"Our loss is {ours['loss']}, that of transformers' Trainer {plain['loss']}.")
    processor, memory = ours["took"][1] / plain["took"][1] - 1, ours["peak"] / plain["peak"] - 1
    rows: dict[str, Took | None] = {_words(side, one): _took(one) for side, one in best.items()}
    return rows | {f"ours beside theirs: {processor:+.1%} of processor time, {memory:+.1%} of memory": None}


def _words(side: str, one: dict) -> str:
    return f"T5 of {one['numbers'] / 1e6:.1f} million, {one['updates']} updates by {side}, target tokens"


def _took(one: dict) -> Took:
    return Took(*one["took"])._replace(count=one["tokens"], peak=one["peak"])


def _run(side: str, folder: str) -> dict:
    environment = {**os.environ, "OMP_NUM_THREADS": str(THREADS), "RESTYLE_MODELS": folder}
    command = [sys.executable, "-m", "tools.bench.pretrained_side", side, folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        sys.stderr.write(done.stderr)
        done.check_returncode()
    return json.loads(done.stdout.strip().rpartition("\n")[2] or "{}")


if __name__ == "__main__":
    for words, took in pretrained().items():
        sys.stdout.write(f"{words}  {took or ''}\n")
