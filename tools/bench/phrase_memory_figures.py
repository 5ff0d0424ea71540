"""Phrase-based translation on many pairs: the time of its training, and the memory of its phrases.

`python -m tools.bench.phrase_memory_figures PAIRS FOLDER` counts the phrases of so many linked pairs in a process of
its own and prints the peak.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tools.bench.bench_study import SEED, Writer
from tools.bench.clock import Took, timed

if TYPE_CHECKING:
    from modelserving.phrase_based.word_alignment import Bitext, Links

TRAINED, TUNED, CHANGES = 20_000, 200, 3
WORDS, VOCABULARY, TOGETHER = 20, 50_000, 10_000
CHANGED, UNLINKED = 0.25, 0.1  # of the words


def many_phrases(pairs: int) -> dict[str, Took]:
    """Each figure by its words."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tools.bench.phrase_memory_figures", str(pairs), folder]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(done.stdout)
    return {
        f"pbmt trained on {TRAINED:,} pairs, tuned on {TUNED}": _trained(),
        f"phrases of {pairs:,} pairs counted": Took(*found["took"])._replace(peak=found["peak"]),
    }


def _trained() -> Took:
    from foundation.options import validate_options
    from modelserving.training.callbacks import Callbacks
    from modelserving.training.dataset import DevSet, Pairs, TrainingData
    from modelserving.transfer import TRANSFERS

    writer = Writer(SEED)
    sources = [writer.sentence() for _ in range(TRAINED + TUNED)]
    made = [(" ".join(source), " ".join(writer.rewritten(source, CHANGES))) for source in sources]
    froms, tos = map(list, zip(*made, strict=True))
    tune = DevSet(froms[TRAINED:], [tos[TRAINED:]])
    data = TrainingData("expert", "lay", train=Pairs(froms[:TRAINED], tos[:TRAINED]), dev=tune)
    kind = TRANSFERS["pbmt"]
    with tempfile.TemporaryDirectory() as folder:
        return timed(lambda: kind.fit(data, validate_options(kind.Options, {}), Callbacks(Path(folder), SEED)))


def main(pairs: int, folder: Path) -> None:
    from modelserving.phrase_based import table_builder

    texts = _texts(pairs, folder)
    links = _links(texts)
    took = timed(lambda: table_builder.build(texts, links, table_builder.Shape(), nothing))
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    sys.stdout.write(json.dumps({"peak": int(peak.split()[1]) / 1024, "took": took}) + "\n")


def _texts(pairs: int, folder: Path) -> "Bitext":
    """Words by Zipf's law, a quarter of them another one in the target."""
    from modelserving.phrase_based.word_alignment import read

    chance = np.random.default_rng(SEED)
    shares = 1 / np.arange(1, VOCABULARY + 1)
    shares /= shares.sum()
    with (folder / "source.ids").open("wb") as source, (folder / "target.ids").open("wb") as target:
        for first in range(0, pairs, TOGETHER):
            shape = (min(TOGETHER, pairs - first), WORDS)
            words = chance.choice(VOCABULARY, size=shape, p=shares).astype(np.int32)
            others = chance.choice(VOCABULARY, size=shape, p=shares).astype(np.int32)
            source.write(words.tobytes())
            target.write(np.where(chance.random(shape) < CHANGED, others, words).tobytes())
    for side in ("source", "target"):
        np.arange(0, (pairs + 1) * WORDS, WORDS, dtype=np.int64).tofile(folder / f"{side}.ends")
    np.ones(pairs, dtype=np.int32).tofile(folder / "weights")
    return read(folder, [f"w{number}" for number in range(VOCABULARY)])


def _links(texts: "Bitext") -> "Links":
    """Each word linked to the word at its place, some in one direction or in none."""
    from modelserving.phrase_based.word_alignment import NONE, symmetrize

    chance = np.random.default_rng(SEED + 1)
    ways = [np.tile(np.arange(WORDS, dtype=np.int16), len(texts)) for _ in range(2)]
    for way in ways:
        way[chance.random(len(way)) < UNLINKED] = NONE
    return symmetrize(texts, *ways)


def nothing() -> None:
    """A step forward that nobody looks at."""


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
