"""Simplification on ASSET: every supervised model, beside rows that know nothing and people's own rewrites.

ASSET has 2,000 sentences with 10 rewrites each (Alva-Manchego et al. 2020). Models are trained on the first 1,600 with
all of their rewrites, tuned on the next 200, and judged on the last 200. A model whose SARI is below that of any row
that knows nothing has failed.
"""

from pathlib import Path
from typing import Any

from foundation.errors import UserError
from tools.results.asset_bases import BASES
from tools.results.parallel import ParallelExperiment, Sentences, Splits, read_lines

STYLES = ("original", "simple")
REFERENCES = 10
TRAIN, TUNE = slice(0, 1600), slice(1600, 1800)
TEST = slice(1800, 2000)
SETTINGS: dict[str, Any] = {
    "hidden": 128,
    "embedding": 128,
    "epochs": 5,
    "patience": 3,
    "self_training": 0,
}
"""Networks are small and short, so that each takes minutes on one processor. Nothing is trained on its own rewrites:
there are no further texts."""
RECIPES: dict[str, dict[str, Any]] = {
    "transformer": {"layers": 2, "feedforward": 512, "subwords": 4000, "batch": 32, "warmup": 400, "epochs": 40},
    "seq2seq": {"epochs": 40},
    "seq2seq_shared": {"epochs": 40},
    "edit_nts": {"tune_by": "sari", "lowercase": False},
    "opennmt_pt": {"batch": 30, "rate": 3e-3, "epochs": 14},
}
"""What else is chosen for a model. The Transformer is small: as wide as the other networks, 2 layers a side of its
paper's 6. EditNTS begins with nearly a copy, which BLEU thinks the best of all and would take: its tune BLEU falls from
88 to 74 while it learns to edit. Its paper's lower case would count against it beside ASSET's rewrites.
OpenNMT+PT has small weights at first and two layers: at 0.001 and batches of 64 it has learnt next to nothing after 5
epochs, so it has the epochs of its authors."""
T5: dict[str, Any] = {
    "prefix": "", "batch": 32, "rate": 2e-3, "warmup": 200, "epochs": 10, "patience": 0, "tune_by": "bleu",
    "read": 128, "write": 128,
}  # fmt: skip
"""What is tuned small and short needs a higher rate than a T5 of 220 million numbers, and reads sentences. It needs
more epochs than the others: nothing in its attention to the source says where a word stands, so it copies late."""
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "pbmt_for_sari": ("pbmt", {"tune_metric": "sari"}),
    **dict.fromkeys(BASES, ("t5", T5)),
}
"""Rows beside the models' own: a model, and what is chosen otherwise."""


def read(folder: Path) -> Splits:
    """The 2,000 sentences of the folder's files; a UserError where one is missing or of another length."""
    sources = read_lines(folder / "asset.valid.orig", "ASSET")
    rewrites = [read_lines(folder / f"asset.valid.simp.{i}", "ASSET") for i in range(REFERENCES)]
    if len(sources) < TEST.stop or any(len(lines) != len(sources) for lines in rewrites):
        raise UserError(
            "The {stop} sentences of ASSET, a line each, are not all there.", stop=TEST.stop, where=str(folder)
        )
    sentences = Sentences(sources, [list(row) for row in zip(*rewrites, strict=True)])
    return Splits(sentences[TRAIN], sentences[TUNE], sentences[TEST])


EXPERIMENT = ParallelExperiment(
    styles=STYLES,
    references=REFERENCES,
    measure="sari",
    read=read,
    settings=SETTINGS,
    recipes=RECIPES,
    variants=VARIANTS,
)
