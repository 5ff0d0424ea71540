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

WORDS, PAIRS, TEXTS, STEPS = 8_000, 900, 64, 21
ABOUT = {"hidden": 256, "beam": 5, "threads": 2, "steps": STEPS, "together": 64, "words": WORDS}
NETWORKS = {
    "Seq2Seq": {"embedding": 256, "batch": 30},
    "Transformer": {"layers": 3, "heads": 4, "feedforward": 1024, "batch": 64},
}
INSTALL = "DIR/bin/pip install joeynmt importlib_metadata torch==2.13.0, then RESTYLE_JOEYNMT=DIR/bin/python"
SIDE = Path(__file__).with_name("joeynmt_side.py")


def training() -> dict[str, Took | None]:
    """Each figure by its words; JoeyNMT's are None where it is not installed."""
    found: dict[str, Took | None] = {}
    for network in NETWORKS:
        found |= _figures(network)
    return found if _joeynmt() else found | {f"JoeyNMT: absent ({INSTALL})": None}


def _figures(network: str) -> dict[str, Took | None]:
    with tempfile.TemporaryDirectory() as name:
        words = _write_texts(Path(name), network)
        theirs = _run([_joeynmt(), "-I", str(SIDE), name]) if _joeynmt() else None
        ours = _run([sys.executable, "-m", "tools.bench.network_side", name])
    learnt = f"{network}, {words:,} target words learnt"
    written = f"{network}, {TEXTS} texts by a beam of 5, {STEPS} words each"
    found: dict[str, Took | None] = {}
    for side, by in ((ours, ""), (theirs, ", by JoeyNMT")):
        if side is not None:
            found[f"{learnt}{by}"] = Took(*side["trained"])._replace(count=words)
            found[f"{written}{by}"] = Took(*side["written"])._replace(count=TEXTS)
    return found


def _joeynmt() -> str:
    return os.environ.get("RESTYLE_JOEYNMT", "")


def _run(command: list[str]) -> dict[str, list[float]]:
    threads = str(ABOUT["threads"])
    environment = {**os.environ, "OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        sys.stderr.write(done.stderr)
        done.check_returncode()
    found: dict[str, list[float]] = json.loads(done.stdout.strip().rpartition("\n")[2])
    return found


def _write_texts(folder: Path, network: str) -> int:
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
    (folder / "about.json").write_text(json.dumps({**ABOUT, **NETWORKS[network], "network": network}))
    return learnt
