"""Shakespeare's English by a small instruct model: SmolLM2 of 135 million numbers, prompted and with an adapter.

Each 36th of Jhamtani et al.'s pairs (`shakespeare`) trains or is an example, and the first 50 of the test set are
rewritten: on one processor the model writes some words a second. Case is kept, as the model knows it. The model's
folder is the one that `./manage.py add_model smollm2-135m` puts below RESTYLE_MODELS.
"""

from pathlib import Path
from typing import Any

from tools.results.parallel import ParallelExperiment, Splits
from tools.results.shakespeare import SMOLLM2, sentences

STYLES = ("modern English", "Shakespeare's English")
EACH, TUNED, TESTED = slice(None, None, 36), slice(20), slice(50)
PROMPTED: dict[str, Any] = {"folder": SMOLLM2, "clean": True, "most_tokens": 64, "tune_most": 0}
LORA: dict[str, Any] = {
    "folder": SMOLLM2, "prompt": "Translate into Shakespeare's English: {text}", "epochs": 1, "batch": 8,
    "accumulate": 1, "longest": 128, "rate": 5e-4,
}  # fmt: skip
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "prompted": ("prompted", PROMPTED),
    "prompted_4_drawn": ("prompted", {**PROMPTED, "shots": 4}),
    "prompted_4_retrieved": ("prompted", {**PROMPTED, "shots": 4, "choice": "retrieved"}),
    "lora": ("lora", LORA),
}


def read(folder: Path) -> Splits:
    """The pairs as the files have them; raises as `shakespeare.read`."""
    train, tune, test = (sentences(folder, name, str) for name in ("train", "valid", "test"))
    return Splits(train[EACH], tune[TUNED], test[TESTED])


EXPERIMENT = ParallelExperiment(
    styles=STYLES, references=1, measure="bleu", read=read, settings={}, variants=VARIANTS, networks=False
)
