"""Shakespeare's English from modern English: every supervised model on the pairs of Jhamtani et al. (2017).

18,395 pairs to train on, 1,218 to tune on, 1,462 to test on, in lower case as in the authors' program. BLEU splits
punctuation from words, as the texts have it and networks do not write it; the source copied has 21.4 so, and 21.13, as
they publish, where spaces alone split. A model whose BLEU is below that of any row that knows nothing has failed.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from foundation.errors import UserError
from tools.results.parallel import ParallelExperiment, Sentences, Splits, read_lines

SMOLLM2 = "smollm2-135m"
LORA: dict[str, Any] = {
    "folder": SMOLLM2, "epochs": 3, "batch": 32, "accumulate": 1, "longest": 128, "rate": 5e-4, "patience": 0,
}  # fmt: skip
"""SmolLM2 of 135 million numbers, as `./manage.py add_model smollm2-135m` puts it below RESTYLE_MODELS."""

STYLES = ("modern", "original")
SETTINGS: dict[str, Any] = {
    "hidden": 256,
    "embedding": 256,
    "epochs": 12,
    "patience": 3,
    "self_training": 0,
}
"""Jhamtani et al. have states of 192 and 10 epochs. Nothing is trained on its own rewrites: there are no more texts."""
RECIPES: dict[str, dict[str, Any]] = {
    "transformer": {"layers": 3, "feedforward": 1024, "subwords": 8000, "batch": 64, "warmup": 1000, "epochs": 20},
    "edit_nts": {"tune_by": "bleu"},
    "opennmt_pt": {"batch": 32, "init": 0.14, "init_embeddings": 1.0},  # as its preset `small`, for 256 states
    "nmt_combined": {"batch": 128},  # it has four times the pairs of the others
}
COPIED = ("pointer_net", "nmt_copy", "seq2seq_shared", "transformer")
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"{name}_copied": (name, {"copied_targets": 1}) for name in COPIED},
    "lora": ("lora", {**LORA, "prompt": "Translate into Shakespeare's English: {text}"}),
}
"""Networks that also learn to give each target back, and SmolLM2 with an adapter."""


def read(folder: Path) -> Splits:
    """The pairs of the folder's files in lower case; a UserError where a file is missing or sides differ in length."""
    return Splits(*(sentences(folder, name, str.lower) for name in ("train", "valid", "test")))


def sentences(folder: Path, name: str, case: Callable[[str], str]) -> Sentences:
    """The pairs of one of the files, each text in a case; raises as `read`."""
    modern, original = (
        [case(line) for line in read_lines(folder / f"{name}.{style}.txt", "Shakespeare")] for style in STYLES
    )
    if len(modern) != len(original):
        raise UserError(
            "The two sides have {modern} and {original} lines: they are not all there.",
            modern=len(modern), original=len(original), where=str(folder / f"{name}.{STYLES[1]}.txt"),
        )  # fmt: skip
    return Sentences(modern, [[text] for text in original])


EXPERIMENT = ParallelExperiment(
    styles=STYLES,
    references=1,
    measure="bleu",
    read=read,
    settings=SETTINGS,
    recipes=RECIPES,
    variants=VARIANTS,
)
