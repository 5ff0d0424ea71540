"""The memory that a network's training takes on many pairs: 200 batches, its words counted and put to disk before.

`python -m tools.bench.training_memory_figures MODEL PAIRS FOLDER` does it in a process of its own and prints the peak.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tools.bench.clock import Took

MODEL, BATCHES, WORDS = "seq2seq", 200, 200_000


def many_pairs(pairs: int) -> dict[str, Took]:
    """The figure by its words."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tools.bench.training_memory_figures", MODEL, str(pairs), folder]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(done.stdout)
    words = f"{MODEL}, {BATCHES} batches of {pairs:,} pairs, words counted first"
    return {words: Took(*found["took"])._replace(peak=found["peak"])}


def main(name: str, pairs: int, folder: Path) -> None:
    from foundation.options import validate_options
    from modelserving.training.callbacks import Callbacks, Stopped
    from modelserving.training.dataset import FILE, read_dataset, write_lines
    from modelserving.transfer import TRANSFERS
    from tools.bench.clock import timed

    class Enough(Callbacks):
        def at(self, done: int, total: int) -> None:
            if done == BATCHES:
                raise Stopped

    for place, side in enumerate(("source", "target")):
        write_lines(folder / f"train.{side}", _texts(pairs, place))
    for empty in ("tune.source", "dictionary.tsv"):
        (folder / empty).touch()
    about = {"source_style": "expert", "target_style": "lay", "styles": [], "references": 0}
    (folder / FILE).write_text(json.dumps(about))
    (folder / "run").mkdir()
    kind = TRANSFERS[name]

    def work() -> None:
        try:
            kind.fit(read_dataset(folder), validate_options(kind.Options, {}), Enough(folder / "run"))
        except Stopped:
            return

    took = timed(work)
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    sys.stdout.write(json.dumps({"peak": int(peak.split()[1]) / 1024, "took": took}) + "\n")


def _texts(count: int, seed: int) -> Iterator[str]:
    """Texts of 20 words on average, whose words' frequencies fall as their ranks rise (Zipf)."""
    chance = np.random.default_rng(seed)
    likely = np.cumsum(1 / np.arange(1, WORDS + 1))
    for _ in range(0, count, 1000):
        lengths = np.clip(np.rint(chance.gamma(5, 4, 1000)), 4, 45).astype(int)
        ranks = np.searchsorted(likely, chance.random(int(lengths.sum())) * likely[-1])
        at = 0
        for length in lengths:
            yield " ".join(f"w{rank}" for rank in ranks[at : at + length]) + "."
            at += length


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
