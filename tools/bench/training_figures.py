"""The figures of networks, trained and rewriting, beside JoeyNMT with the same architectures, texts and threads.

JoeyNMT has a Python of its own, which RESTYLE_JOEYNMT names. Our side begins with its weights, and the bench fails
where they give another loss. All texts are written to one length by a beam of five, so that both have the same work.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from tools.bench.clock import Took

WORDS, PAIRS, TOGETHER, STEPS = 8_000, 900, (16, 64), 21
TURNS = 3  # of each side; two threads that wait for each other on a busy machine would be counted
ABOUT = {"hidden": 256, "beam": 5, "threads": 1, "steps": STEPS, "together": TOGETHER, "words": WORDS}
NETWORKS = {
    "Seq2Seq": {"embedding": 256, "batch": 30},
    "Transformer": {"layers": 3, "heads": 4, "feedforward": 1024, "batch": 64},
}
INSTALL = "DIR/bin/pip install joeynmt importlib_metadata torch==2.13.0, then RESTYLE_JOEYNMT=DIR/bin/python"
TRAINED = "trained"
Side = dict[str, list[float]]
"""Seconds on the clock and of the processor: of the training, and of rewriting so many texts at a time."""
SIDE = Path(__file__).with_name("joeynmt_side.py")


def training() -> dict[str, Took | None]:
    """Each figure by its words; JoeyNMT's are None where it is not installed."""
    found: dict[str, Took | None] = {}
    for network in NETWORKS:
        found |= _figures(network)
    return found if _joeynmt() else found | {f"JoeyNMT: absent ({INSTALL})": None}


def _figures(network: str) -> dict[str, Took | None]:
    """The least of the turns, by the processor; the two sides take turns."""
    sides: dict[str, list[Side]] = {"": [], ", by JoeyNMT": []}
    with tempfile.TemporaryDirectory() as name:
        words = _write_texts(Path(name), network)
        for _ in range(TURNS):
            if _joeynmt():
                sides[", by JoeyNMT"].append(_run([_joeynmt(), "-I", str(SIDE), name]))
            sides[""].append(_run([sys.executable, "-m", "tools.bench.network_side", name]))
    found: dict[str, Took | None] = {}
    for by, turns in sides.items():
        for what in turns[0] if turns else ():
            count = words if what == TRAINED else int(what)
            said = (
                f"{words:,} target words learnt"
                if what == TRAINED
                else (f"{what} texts by a beam of 5, {STEPS} words each")
            )
            least = min((turn[what] for turn in turns), key=lambda took: took[1])
            found[f"{network}, {said}{by}"] = Took(*least)._replace(count=count)
    return found


def _joeynmt() -> str:
    return os.environ.get("RESTYLE_JOEYNMT", "")


def _run(command: list[str]) -> Side:
    threads = str(ABOUT["threads"])
    environment = {**os.environ, "OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        sys.stderr.write(done.stderr)
        done.check_returncode()
    found: Side = json.loads(done.stdout.strip().rpartition("\n")[2])
    return found


def _write_texts(folder: Path, network: str) -> int:
    """Made texts of 4 to 45 words, 20 on average, whose words' frequencies fall as their ranks rise (Zipf)."""
    chance = np.random.default_rng(1)
    likely = 1 / np.arange(1, WORDS + 1)
    names = np.array([f"w{number}" for number in range(WORDS)])
    learnt = 0
    for part, count in (("train", PAIRS), ("dev", max(TOGETHER))):
        for side in ("src", "trg"):
            lengths = np.clip(np.rint(chance.gamma(5, 4, count)), 4, 45).astype(int)
            texts = [" ".join(names[chance.choice(WORDS, size, p=likely / likely.sum())]) for size in lengths]
            (folder / f"{part}.{side}").write_text("\n".join(texts) + "\n")
            learnt += int(lengths.sum() + count) if (part, side) == ("train", "trg") else 0
    (folder / "voc.txt").write_text("\n".join(names) + "\n")
    (folder / "about.json").write_text(json.dumps({**ABOUT, **NETWORKS[network], "network": network}))
    return learnt
